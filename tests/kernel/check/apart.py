"""Exploring without merging: the same exploration, with states kept apart that are merged else.

Only fields that no rule reads are still forgotten, because the space would not end without that.
And what tests of states need: snapshots by place, states as values.
"""

from dataclasses import replace

from interlock.kernel.check.explore import explore
from interlock.kernel.check.scope import Scope
from interlock.kernel.check.space import Parts, Space, State
from interlock.kernel.check.walk import Walk
from interlock.kernel.seen import Part, PartId, Unit
from interlock.kernel.snapshot import Snapshot


class Apart(Space):
    """Keeps every part in its place, dead or alive, and takes no two parts for the same."""

    def state(self, unit: Unit, parts: Parts) -> State:
        """Return the state as it is."""
        return (unit, parts)

    def canonical(self, parts: Parts) -> tuple[Parts, tuple[int, ...]]:
        """Return the parts as they stand."""
        return parts, tuple(range(len(parts)))

    def is_alike(self, part: Part) -> bool:
        """Say that no part is like another."""
        del part
        return False


def explored_apart(scope: Scope) -> Walk:
    """Explore a scope without merging."""
    return explore(scope, space=Apart)


def merged(walk: Walk) -> set[object]:
    """Return the states of an exploration, merged afterwards, as values that can be compared."""
    space = Space(walk.graph.scope.flow)
    states = {space.state(*within(space, Snapshot(*state))) for state in walk.graph.states}
    return {plain_state(state) for state in states}


def within(space: Space, snapshot: Snapshot) -> State:
    """Return a snapshot as objects of a space, not yet merged."""
    unit = space.unit(snapshot.unit.status, snapshot.unit.fields)
    return unit, tuple(map(space.part, snapshot.parts))


def by_place(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot that speaks of places instead of names."""
    places: dict[PartId, int] = {name: place for place, name in enumerate(snapshot.ids)}
    parts = tuple(
        replace(
            part,
            parent=None if part.parent is None else places.get(part.parent, part.parent),
            needs=tuple(places.get(need, need) for need in part.needs),
        )
        for part in snapshot.parts
    )
    fields = dict(snapshot.unit.fields)
    if isinstance(pointer := fields.get("current"), str):
        fields["current"] = places[pointer]
    return Snapshot(replace(snapshot.unit, fields=fields), parts)


def plain_state(state: State) -> object:
    """Return a state as a value that can be compared."""
    unit, parts = state
    return (
        unit.status,
        tuple(map(str, unit.fields.items())),
        tuple(
            (p.kind, p.status, p.parent, p.needs, tuple(map(str, p.fields.items()))) for p in parts
        ),
    )
