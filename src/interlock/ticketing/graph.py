"""The graph of what waits for what: what is wrong with it, and an order that works.

Nodes are named by id and stand in a list; each may need others. All that is wrong is found at
once, but a cycle is only looked for where every name leads to exactly one node.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

DUPLICATE: Final = "duplicate"
SELF: Final = "self"
DANGLING: Final = "dangling"
CYCLE: Final = "cycle"


class Node(NamedTuple):
    """Something that needs other things."""

    id: str
    needs: tuple[str, ...] = ()


class Flaw(NamedTuple):
    """Something wrong with a graph; ``path`` leads from a node along its needs to the trouble."""

    kind: str
    path: tuple[str, ...]
    # The place of the node in the list, and of the need among its needs (-1: the node itself).
    node: int
    need: int = -1

    @property
    def message(self) -> str:
        """Tell it in words."""
        first, last = self.path[0], self.path[-1]
        if self.kind == DUPLICATE:
            return f"{first} is there more than once"
        if self.kind == SELF:
            return f"{first} needs itself"
        if self.kind == DANGLING:
            return f"{first} needs {last}, which is not there"
        return f"{' -> '.join(self.path)} is a cycle"


def flaws(nodes: Sequence[Node]) -> tuple[Flaw, ...]:
    """Return all that is wrong with a graph."""
    times = Counter(node.id for node in nodes)
    found: list[Flaw] = []
    seen: set[str] = set()
    for place, node in enumerate(nodes):
        if node.id in seen:
            found.append(Flaw(DUPLICATE, (node.id,), place))
        seen.add(node.id)
        for at, need in enumerate(node.needs):
            if need == node.id:
                found.append(Flaw(SELF, (node.id, need), place, at))
            elif need not in times:
                found.append(Flaw(DANGLING, (node.id, need), place, at))
    if found:
        return tuple(found)
    cycle = _cycle({node.id: node.needs for node in nodes})
    places = {node.id: place for place, node in enumerate(nodes)}
    return (Flaw(CYCLE, cycle, places[cycle[0]]),) if cycle else ()


def _cycle(needs: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return a cycle as the path that closes it, walked without recursion; empty without one."""
    done: set[str] = set()
    for start in needs:
        way: list[str] = []
        on_way: dict[str, int] = {}
        stack = [(start, False)]
        while stack:
            name, is_left = stack.pop()
            if is_left:
                done.add(way.pop())
                del on_way[name]
            elif name in on_way:
                return (*way[on_way[name] :], name)
            elif name not in done:
                on_way[name] = len(way)
                way.append(name)
                stack.append((name, True))
                stack.extend((need, False) for need in reversed(needs[name]))
    return ()


def ordered(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Return the ids so that each comes after what it needs, otherwise as they stand.

    For a graph without flaws.
    """
    needs = {node.id: node.needs for node in nodes}
    done: dict[str, None] = {}
    for start in needs:
        stack = [start]
        while stack:
            waits = [need for need in needs[stack[-1]] if need not in done]
            if waits:
                stack.append(waits[0])
            else:
                done.setdefault(stack.pop())
    return tuple(done)


def inverse(nodes: Sequence[Node]) -> dict[str, tuple[str, ...]]:
    """Return by id who needs it, in the order of the list."""
    found: dict[str, list[str]] = {node.id: [] for node in nodes}
    for node in nodes:
        for need in dict.fromkeys(node.needs):
            found.setdefault(need, []).append(node.id)
    return {name: tuple(users) for name, users in found.items()}
