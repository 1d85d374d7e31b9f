"""Everything the checker tries: each reachable state with each command, as the checker lists them.

Nothing is enumerated a second time here: the checker's own walk is watched while it explores.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from interlock.kernel.check.explore import _Walker
from interlock.kernel.check.graph import Graph
from interlock.kernel.check.scope import Scope, Variant
from interlock.kernel.check.space import Space, State
from interlock.kernel.snapshot import Condition
from interlock.workflows.mission.scope import scope as mission_scope
from interlock.workflows.plan.scope import scope as plan_scope
from interlock.workflows.ticket.scope import scope as ticket_scope


def _short_mission(hops: int) -> Scope:
    """Return missions whose hops have one tool step at most: a fifth of the whole space."""
    return replace(mission_scope(hops), most={"hop": hops, "tool_step": 1})


SCOPES: Final[Mapping[str, Callable[[int], Scope]]] = {
    "plan": plan_scope,
    "mission": mission_scope,
    "mission of one tool step": _short_mission,
    "ticket": ticket_scope,
}


@dataclass(frozen=True, slots=True)
class Try:
    """One command: what is sent, about the part at which place (None: about the unit)."""

    variant: Variant
    place: int | None

    def conditions(self) -> dict[int, tuple[Condition, ...]]:
        """Return the branches that hang on the part while this is tried."""
        if self.place is None or not self.variant.turns:
            return {}
        at = self.place
        return {
            at: tuple(
                Condition(
                    turn.expression,
                    turn.action,
                    turn.params,
                    at + turn.ahead if turn.ahead else None,
                )
                for turn in self.variant.turns
            )
        }


@dataclass(slots=True)
class Explored:
    """A workflow within bounds: its states, and what is tried in each."""

    scope: Scope
    states: list[State]
    tries: list[list[Try]] = field(default_factory=list)

    @property
    def commands(self) -> int:
        """How many pairs of a state and a command there are."""
        return sum(len(tries) for tries in self.tries)


class _Watched(_Walker):
    """The checker's walk, which also tells what it tries."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope, Space(scope.flow))
        self.tried_in: dict[int, list[Try]] = {}

    def _try_all(
        self, number: int, indexes: list[int], place: int | None, key: tuple[object, ...]
    ) -> None:
        for index in indexes:
            self._tell(number, index, place)
        super()._try_all(number, indexes, place, key)

    def _try(self, number: int, index: int, place: int | None, key: tuple[object, ...]) -> None:
        self._tell(number, index, place)
        super()._try(number, index, place, key)

    def _tell(self, number: int, index: int, place: int | None) -> None:
        variant = self.graph.variants[index]
        self.tried_in.setdefault(number, []).append(Try(variant, place))


@cache
def explored(name: str, size: int) -> Explored:
    """Explore a workflow up to a size, once for each process."""
    return explored_in(SCOPES[name](size))


def explored_in(scope: Scope) -> Explored:
    """Explore everything within a scope."""
    walker = _Watched(scope)
    for start in scope.starts:
        walker.start(start)
    graph: Graph = walker.graph
    done = 0
    while done < len(graph.states):
        walker.visit(done)
        done += 1
    tries = [walker.tried_in.get(number, []) for number in range(done)]
    found = Explored(scope, graph.states, tries)
    if found.commands != graph.decides:
        message = f"the checker tried {graph.decides} commands, {found.commands} were seen"
        raise AssertionError(message)
    return found
