"""Statuses, edges and machines: one table that says where a thing can be and how it gets there.

A machine knows nothing of other machines; what ties them together is in ``rules`` and
``workflow``. Display metadata rides along on the status, so that every page, board and drawing
is made from the same row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from interlock.kernel.rules import Guard

Kind = Literal["active", "gate", "terminal"]

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

FROM_FIELD: Final = "@"
"""Prefix of an edge's target that is read from a field of the moving thing (``@previous``)."""


@dataclass(frozen=True, slots=True)
class Status:
    """One place in a machine, with everything a page needs to show it."""

    name: str
    kind: Kind = "active"
    label: str = ""
    group: str = ""
    is_success: bool = False
    # A gate that is entered only because an agent asked for it, so agents can do without it.
    is_asked: bool = False
    # A gate where something is repaired; reaching it is no progress.
    is_trouble: bool = False
    shown: Mapping[str, str] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Edge:
    """One legal move: from ``source``, when ``on`` is fired, to ``target``.

    ``guards`` are asked where a walk takes the edge, not where a lift or a cascade does: those say
    with their own tests when they apply. ``actors`` tell people, pages and registered functions
    whom the edge is for; who may send an event is for its rule to say.
    """

    source: str
    on: str
    target: str
    actors: frozenset[str] = frozenset()
    guards: tuple[Guard, ...] = ()

    @property
    def target_field(self) -> str:
        """The field that names the target, or the empty string for a fixed target."""
        return self.target[1:] if self.target.startswith(FROM_FIELD) else ""


@dataclass(frozen=True, slots=True)
class Machine:
    """The statuses and edges of one kind of thing."""

    name: str
    initial: str
    statuses: tuple[Status, ...]
    edges: tuple[Edge, ...]

    def status(self, name: str) -> Status:
        """Return the row of one status; raises KeyError for a name the machine does not have."""
        for status in self.statuses:
            if status.name == name:
                return status
        raise KeyError(name)

    def names(self, *kinds: Kind) -> tuple[str, ...]:
        """Return the names of the statuses of these kinds, all of them if none is given."""
        return tuple(s.name for s in self.statuses if not kinds or s.kind in kinds)

    def targets(self, source: str) -> tuple[str, ...]:
        """Return where a thing in ``source`` can go, in table order, without repeats."""
        return tuple(dict.fromkeys(e.target for e in self.edges if e.source == source))

    def goes(self, source: str, target: str) -> bool:
        """Say whether some edge leads from ``source`` to ``target`` (self-loops included)."""
        return any(
            e.source == source and (e.target == target or e.target_field) for e in self.edges
        )


def edges(*rows: tuple[str, str, str] | tuple[str, str, str, frozenset[str]]) -> tuple[Edge, ...]:
    """Build edges from rows of (sources, signal, target[, actors]); sources split at spaces."""
    built: list[Edge] = []
    for row in rows:
        actors = row[3] if len(row) > 3 else frozenset[str]()  # noqa: PLR2004  the optional fourth column
        built.extend(Edge(source, row[1], row[2], actors) for source in row[0].split())
    return tuple(built)
