"""What a tool finds around it: the settings it may know, as plain data that a child can be sent.

It holds nothing that is open. What is made from it (a model, a connection) the tool makes itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from interlock.servers import Server, server_of, table_of


class ModelAt(NamedTuple):
    """Where a language model is, and how it is spoken to."""

    kind: str
    url: str
    name: str
    key: str = ""

    def __repr__(self) -> str:  # the key is shown nowhere
        return f"ModelAt({self.kind!r}, {self.url!r}, {self.name!r})"


@dataclass(frozen=True, slots=True)
class Around:
    """What is configured; empty where nothing is."""

    model: ModelAt | None = None
    fetch_hosts: tuple[str, ...] = ()
    servers: tuple[Server, ...] = ()
    modules: tuple[str, ...] = ()

    def resources(self) -> frozenset[str]:
        """Return the names of what is configured: what a tool declares must be among them."""
        found = {f"mcp:{server.name}" for server in self.servers}
        if self.model is not None:
            found.add("model")
        if self.fetch_hosts:
            found.add("http")
        return frozenset(found)

    def only(self, resources: tuple[str, ...]) -> "Around":
        """Return what a tool may know: what it has declared, and nothing beside it."""
        return Around(
            self.model if "model" in resources else None,
            self.fetch_hosts if "http" in resources else (),
            tuple(one for one in self.servers if f"mcp:{one.name}" in resources),
        )

    def to_data(self) -> dict[str, object]:
        """Return the same as JSON has it; the keys of secrets are in it."""
        return {
            "model": None if self.model is None else [*self.model],
            "fetch_hosts": [*self.fetch_hosts],
            "servers": {server.name: table_of(server) for server in self.servers},
            "modules": [*self.modules],
        }


def around_of(data: Mapping[str, object]) -> Around:
    """Return what ``to_data`` was made from."""
    model, servers = data["model"], data["servers"]
    return Around(
        ModelAt(*map(str, model)) if isinstance(model, list) else None,
        _texts(data["fetch_hosts"]),
        tuple(server_of(name, table) for name, table in servers.items())
        if isinstance(servers, dict)
        else (),
        _texts(data["modules"]),
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()
