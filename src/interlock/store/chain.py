"""The hash chain of an audit: each entry's hash covers the one before and its own bytes.

The bytes are those of the stored text, which is made here once and never again from the parsed
value; a chain begins with the names of its tenant and unit, so none can stand in for another.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final, NamedTuple

from interlock.kernel.entries import make

GENESIS: Final = "interlock audit 1"


class Link(NamedTuple):
    """One entry as it is stored."""

    sequence: int
    at: int
    body: str
    hash: str


def genesis(tenant: str, unit: str) -> str:
    """Return the hash before the first entry of a unit."""
    return sha256(f"{GENESIS}\n{tenant}\n{unit}".encode()).hexdigest()


def linked(before: str, body: str) -> str:
    """Return the hash of an entry."""
    return sha256(f"{before}\n{body}".encode()).hexdigest()


def chain(before: str, sequence: int, at: int, bodies: Iterable[str]) -> Iterator[Link]:
    """Chain new entries to the last one."""
    for body in bodies:
        before = linked(before, body)
        sequence += 1
        yield make(Link, (sequence, at, body, before))
