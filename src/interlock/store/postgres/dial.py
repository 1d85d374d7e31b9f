"""Reach one of the nodes that an address names, also where another of them hangs.

The driver has one patience for all nodes together, so the first one that takes connections and says
nothing would use it up, and no other would ever be tried. Here each node has its share of it, and
the one that answered last is asked first.
"""

import logging
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

if TYPE_CHECKING:
    # The driver's class is generic for type checkers only.
    Connection = asyncpg.Connection[asyncpg.Record]

Node = tuple[str, int | None]
"""A host and its port; no port is the usual one."""

log = logging.getLogger("interlock.store")

_answered: Final[dict[str, Node]] = {}
"""Which node of an address has answered last: the next need not wait for one that hangs."""

SEVERAL: Final = 2


def nodes_of(url: str) -> tuple[Node, ...]:
    """Return the nodes that an address names; none where it leaves that to others."""
    parts = urlsplit(url)
    named = parts.netloc.rpartition("@")[2]
    asked = parse_qs(parts.query)
    if named:
        return tuple(_node(unquote(one)) for one in named.split(","))
    hosts = asked.get("host", [""])[-1].split(",")
    ports = asked.get("port", [""])[-1].split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    pairs = zip(hosts, ports, strict=False)
    return tuple((host, int(port) if port else None) for host, port in pairs if host)


def _node(said: str) -> Node:
    host, _, port = said.rpartition(":")
    if not host or port.endswith("]"):
        return said.strip("[]"), None
    return host.strip("[]"), int(port) if port else None


async def dial(
    url: str, patience_s: float, command_s: float = 60.0, statements: int = 100
) -> "Connection":
    """Open a connection to a node that fits; raises what the nodes have said, if they have."""
    ask = partial(
        asyncpg.connect,
        url,
        command_timeout=command_s,
        statement_cache_size=statements,
        max_cached_statement_lifetime=0,
    )
    nodes = nodes_of(url)
    if len(nodes) < SEVERAL:
        return await ask(timeout=patience_s)
    failed: list[Exception] = []
    for host, port in sorted(nodes, key=lambda one: one != _answered.get(url)):
        try:
            found = await ask(host=host, port=port, timeout=patience_s / len(nodes))
        except TimeoutError as exc:
            log.warning("%s:%s did not answer: the next node is tried", host, port or "")
            failed.append(exc)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as exc:
            # One that has said why tells more than one that is silent.
            failed.insert(0, exc)
        else:
            _answered[url] = (host, port)
            return found
    raise failed[0]
