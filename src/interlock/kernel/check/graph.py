"""The explored states, what leads from one to another, who could have done it, how to get there.

A graph only remembers. What it means is for ``judge`` to say.
"""

from array import array
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from interlock.kernel.check.scope import Scope, Variant
from interlock.kernel.check.space import State
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER

PLACES: Final = 1 << 10
"""A label packs a variant and a place into one number; no check comes near so many parts."""

DEATH: Final = -1
"""The label's variant when an agent died: nobody sent that."""

AGENTS: Final = 1
PEOPLE: Final = 2
CLOCK: Final = 4
WORLD: Final = 8
ANYONE: Final = AGENTS | PEOPLE | CLOCK | WORLD
BITS: Final = {AGENT: AGENTS, WORKER: AGENTS, USER: PEOPLE, SYSTEM: CLOCK}


@dataclass(slots=True)
class Graph:
    """States by number, the edges between them, and the first way to each state."""

    scope: Scope
    variants: tuple[Variant, ...]
    states: list[State] = field(default_factory=list)
    parents: "array[int]" = field(default_factory=lambda: array("q"))
    labels: "array[int]" = field(default_factory=lambda: array("q"))
    # Edge n leads from sources[n] to targets[n]; actors[n] says, in bits, who can take it.
    sources: "array[int]" = field(default_factory=lambda: array("q"))
    targets: "array[int]" = field(default_factory=lambda: array("q"))
    actors: "array[int]" = field(default_factory=lambda: array("b"))
    cut: set[int] = field(default_factory=set)
    decides: int = 0
    accepted: int = 0
    _back: "tuple[array[int], array[int]] | None" = None

    def trace(self, state: int) -> list[tuple[int, int]]:
        """Return the shortest way to a state: (label, state reached) from a start."""
        way: list[tuple[int, int]] = []
        while self.parents[state] >= 0:
            way.append((self.labels[state], state))
            state = self.parents[state]
        way.append((0, state))
        return way[::-1]

    def distances(self, goals: Iterable[int], by: int) -> "array[int]":
        """Return for each state the fewest events to a goal, or -1 where none leads.

        Only edges count that one of ``by`` (bits) can take.
        """
        offsets, edges = self._backwards()
        sources, actors = self.sources, self.actors
        far = array("q", [-1]) * len(self.states)
        queue: deque[int] = deque()
        for goal in goals:
            far[goal] = 0
            queue.append(goal)
        while queue:
            state = queue.popleft()
            beyond = far[state] + 1
            for edge in edges[offsets[state] : offsets[state + 1]]:
                source = sources[edge]
                if far[source] < 0 and actors[edge] & by:
                    far[source] = beyond
                    queue.append(source)
        return far

    def _backwards(self) -> "tuple[array[int], array[int]]":
        """Return the edges sorted by target, and where those of each target begin."""
        if self._back is None:
            offsets = array("q", [0]) * (len(self.states) + 1)
            for target in self.targets:
                offsets[target + 1] += 1
            for state in range(len(self.states)):
                offsets[state + 1] += offsets[state]
            free = array("q", offsets)
            edges = array("q", [0]) * len(self.targets)
            for edge, target in enumerate(self.targets):
                edges[free[target]] = edge
                free[target] += 1
            self._back = (offsets, edges)
        return self._back
