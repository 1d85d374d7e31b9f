"""What a tool finds around it: the settings it may know, as plain data that a child can be sent.

It holds nothing that is open. What is made from it (a model, a connection) the tool makes itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class ModelAt(NamedTuple):
    """Where a language model is, and how it is spoken to."""

    kind: str
    url: str
    name: str
    key: str = ""

    def __repr__(self) -> str:  # the key is shown nowhere
        return f"ModelAt({self.kind!r}, {self.url!r}, {self.name!r})"


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server: a command that is started, or an address that is spoken to."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold secrets
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # same


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
