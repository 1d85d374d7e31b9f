"""The dependencies between the operations on a unit, and the cycles in them.

An arrow says that one operation comes before another in any order that could explain what both
were told: it made the version that the other replaced (ww) or read (wr), it read a version that
the other replaced (rw), or it had ended before the other began (rt). A cycle is a proof that there
is no such order.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tests.histories.operation import Operation, Written

Graph = list[list[tuple[int, str]]]
"""By node: where arrows lead to, and of which kind they are."""

SHOWN_MAX = 3


def cycles(operations: Sequence[Operation], log: Sequence[Written]) -> list[str]:
    """Return a shortest cycle of each knot, as a sentence."""
    told = [one for one in operations if one.version]
    graph = _graph(told, log)
    knots = [knot for knot in strongly_connected(graph) if len(knot) > 1]
    return [_sentence(told, graph, knot) for knot in knots[:SHOWN_MAX]]


def _graph(told: Sequence[Operation], log: Sequence[Written]) -> Graph:
    """Make the graph: first a node for each operation, then one for each end of an operation."""
    graph: Graph = [[] for _ in range(2 * len(told))]
    writers = {one.name: place for place, one in enumerate(told) if one.is_write}
    after: dict[int, int] = {}
    made: dict[int, int] = {}
    last: int | None = None
    covers: dict[int, int] = {}
    for written in log:
        place = writers.get(written.request)
        if place is None:
            continue
        covers |= dict.fromkeys(range(written.first, written.last + 1), place)
        after[written.first - 1] = made[written.last] = place
        if last is not None:
            graph[last].append((place, "ww"))
        last = place
    kept = {written.request: written for written in log}
    for place, one in enumerate(told):
        if one.is_read:
            if one.version in made:
                graph[made[one.version]].append((place, "wr"))
            if one.version in after:
                graph[place].append((after[one.version], "rw"))
        else:
            _add_write(graph, place, one, kept.get(one.name), after, covers)
    _add_times(graph, told)
    return graph


def _add_write(
    graph: Graph,
    place: int,
    one: Operation,
    kept: Written | None,
    after: dict[int, int],
    covers: dict[int, int],
) -> None:
    """A write has read what it was decided on: whoever replaced that comes after it."""
    if kept is None or (kept.last, kept.head) != (one.version, one.head):
        # It is lost: both it and who has its version replaced the same one.
        other = covers.get(one.version, place)
        if other != place:
            graph[place].append((other, "rw"))
            graph[other].append((place, "rw"))
    elif one.based_on and one.based_on in after and after[one.based_on] != place:
        graph[place].append((after[one.based_on], "rw"))


def _add_times(graph: Graph, told: Sequence[Operation]) -> None:
    """Add what had ended before something began, with few arrows: along a chain of ends."""
    half = len(told)
    ended = sorted(range(half), key=lambda place: told[place].returned_ns)
    for earlier, later in pairwise(ended):
        graph[earlier + half].append((later + half, "rt"))
    for place in range(half):
        graph[place].append((place + half, "rt"))
    newest, next_end = -1, 0
    for place in sorted(range(half), key=lambda place: told[place].invoked_ns):
        while next_end < half and told[ended[next_end]].returned_ns < told[place].invoked_ns:
            newest = ended[next_end]
            next_end += 1
        if newest >= 0:
            graph[newest + half].append((place, "rt"))


def strongly_connected(graph: Graph) -> list[list[int]]:
    """Return the sets of nodes that all lead to each other (Tarjan), without recursion."""
    number = [-1] * len(graph)
    low = [0] * len(graph)
    is_open = [False] * len(graph)
    stack: list[int] = []
    found: list[list[int]] = []
    count = 0
    for start in range(len(graph)):
        if number[start] >= 0:
            continue
        path = [(start, 0)]
        while path:
            node, arrow = path.pop()
            if arrow == 0:
                number[node] = low[node] = count
                count += 1
                stack.append(node)
                is_open[node] = True
            ahead = _next(graph[node], arrow, number, low, is_open, node)
            if ahead < len(graph[node]):
                path += [(node, ahead + 1), (graph[node][ahead][0], 0)]
                continue
            if low[node] == number[node]:
                found.append(_popped(stack, is_open, node))
            if path:
                parent = path[-1][0]
                low[parent] = min(low[parent], low[node])
    return found


def _next(
    arrows: Sequence[tuple[int, str]],
    arrow: int,
    number: Sequence[int],
    low: list[int],
    is_open: Sequence[bool],
    node: int,
) -> int:
    """Return the next arrow of a node that leads where nobody has been; learn from the others."""
    while arrow < len(arrows):
        to = arrows[arrow][0]
        if number[to] < 0:
            return arrow
        if is_open[to]:
            low[node] = min(low[node], number[to])
        arrow += 1
    return arrow


def _popped(stack: list[int], is_open: list[bool], node: int) -> list[int]:
    knot = []
    while True:
        one = stack.pop()
        is_open[one] = False
        knot.append(one)
        if one == node:
            return knot


def _sentence(told: Sequence[Operation], graph: Graph, knot: Iterable[int]) -> str:
    """Say a shortest cycle through one of the operations of a knot."""
    inside = set(knot)
    start = min(inside)
    path = shortest(graph, inside, start)
    words = [str(told[start])]
    kind = ""
    for node, how in path:
        kind = how if not kind or how != "rt" else kind
        if node < len(told):
            words.append(f"-{kind}-> {told[node].name}")
            kind = ""
    return " ".join(words)


def shortest(graph: Graph, inside: set[int], start: int) -> list[tuple[int, str]]:
    """Return the arrows of a shortest cycle through a node, within a knot."""
    came: dict[int, tuple[int, str]] = {}
    todo = deque([start])
    while todo:
        node = todo.popleft()
        for to, how in graph[node]:
            if to == start:
                came[start] = (node, how)
                todo.clear()
                break
            if to in inside and to not in came:
                came[to] = (node, how)
                todo.append(to)
    path: list[tuple[int, str]] = []
    node = start
    while not path or node != start:
        before, how = came[node]
        path.append((node, how))
        node = before
    return path[::-1]
