"""Exploring without merging: the same exploration, with states kept apart that are merged else.

Only fields that no rule reads are still forgotten, because the space would not end without that.
"""

from interlock.kernel.check.explore import explore
from interlock.kernel.check.scope import Scope
from interlock.kernel.check.space import Parts, Space, State
from interlock.kernel.check.walk import Walk
from interlock.kernel.seen import Part, Unit


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
        return False


def explored_apart(scope: Scope) -> Walk:
    """Explore a scope without merging."""
    return explore(scope, space=Apart)


def merged(walk: Walk) -> set[object]:
    """Return the states of an exploration, merged afterwards, as values that can be compared."""
    space = Space(walk.graph.scope.flow)
    states = set()
    for unit, parts in walk.graph.states:
        own = space.unit(unit.status, unit.fields), tuple(space.part(part) for part in parts)
        states.add(space.state(*own))
    return {_plain(state) for state in states}


def _plain(state: State) -> object:
    unit, parts = state
    return (
        unit.status,
        tuple(map(str, unit.fields.items())),
        tuple(
            (p.kind, p.status, p.parent, p.needs, tuple(map(str, p.fields.items()))) for p in parts
        ),
    )
