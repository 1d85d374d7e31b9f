"""MCP servers in the settings: what is said of each, and what is wrong with it.

Nothing is started or spoken to here; ``toolbox`` does.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from interlock.values import Wrong, Wrongs, read_server

NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
KEYS: Final = ("command", "url", "env", "headers")
FORM: Final = 'write [mcp_servers.NAME] with command = ["program", "argument"] or url = "https://…"'


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server: a command that is started, or an address that is spoken to."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold secrets
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # same


def read_servers(value: object) -> tuple[Server, ...]:
    """Read a table of servers by name, or the same as JSON; every mistake is told with its key."""
    tables = _tables(value)
    wrongs = tuple(wrong for name, table in tables.items() for wrong in _wrongs(name, table))
    if wrongs:
        raise Wrongs(wrongs)
    return tuple(server_of(name, table) for name, table in tables.items())


def server_of(name: str, table: Mapping[str, object]) -> Server:
    """Return a server of a table in which nothing is wrong."""
    command, env, headers = (table.get(key) or {} for key in ("command", "env", "headers"))
    return Server(
        name,
        tuple(map(str, command)) if isinstance(command, list) else (),
        str(table.get("url") or "").rstrip("/"),
        {**env} if isinstance(env, dict) else {},
        {**headers} if isinstance(headers, dict) else {},
    )


def table_of(server: Server) -> dict[str, object]:
    """Return the table that a server is read from."""
    whole: dict[str, object] = {
        "command": [*server.command], "url": server.url, "env": {**server.env},
        "headers": {**server.headers},
    }  # fmt: skip
    return {key: value for key, value in whole.items() if value}


def _tables(value: object) -> Mapping[str, Mapping[str, object]]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as exc:
            right = f'say them as JSON: {{"NAME": {{"command": ["program"]}}}}; or {FORM}'
            raise Wrong("is not JSON", right) from exc
    if not isinstance(value, dict):
        raise Wrong("is not a table of servers", FORM)
    for name, table in value.items():
        if not isinstance(table, dict):
            raise Wrong("is not a table", FORM, (name,))
    return value


def _wrongs(name: str, table: Mapping[str, object]) -> Iterator[Wrong]:
    if not NAME.fullmatch(name):
        yield Wrong("is not a name", "use letters, digits, _ and -, at most 64", (name,))
    for key in table:
        if key not in KEYS:
            near = get_close_matches(key, KEYS, n=1)
            right = f"did you mean {near[0]}?" if near else f"there are {', '.join(KEYS)}"
            yield Wrong("there is no such key", right, (name, key))
    if ("command" in table) == ("url" in table):
        yield Wrong("has not exactly one of command and url", FORM, (name,))
    yield from _wrong_values(name, table)


def _wrong_values(name: str, table: Mapping[str, object]) -> Iterator[Wrong]:
    command = table.get("command", ["-"])
    if not isinstance(command, list) or not command or not all(map(_is_word, command)):
        right = 'say a list of texts: ["program", "argument"]'
        yield Wrong("is not a command", right, (name, "command"))
    try:
        read_server(table.get("url", "http://-"))
    except Wrong as wrong:
        yield Wrong(wrong.wrong, "say https://host/path", (name, "url"))
    for key in ("env", "headers"):
        found = table.get(key, {})
        # What they say may be a secret: it is never repeated.
        if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
            yield Wrong("is not a table of texts", 'say NAME = "text"', (name, key))


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(value) and "\0" not in value
