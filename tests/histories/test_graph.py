"""The finder of cycles, on graphs of its own: it knows nothing of what the nodes are."""

import random

from tests.histories.graph import Graph, shortest, strongly_connected


def graph(*arrows: tuple[int, int], nodes: int) -> Graph:
    """Return a graph with these arrows."""
    made: Graph = [[] for _ in range(nodes)]
    for one, other in arrows:
        made[one].append((other, "to"))
    return made


def knots(made: Graph) -> set[frozenset[int]]:
    """Return what is knotted."""
    return {frozenset(knot) for knot in strongly_connected(made)}


def reached(made: Graph, start: int) -> set[int]:
    """Return where one comes to from a node, by walking everywhere."""
    seen, todo = {start}, [start]
    while todo:
        for to, _ in made[todo.pop()]:
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return seen


def test_what_leads_nowhere_is_knotted_with_nothing() -> None:
    assert knots(graph((0, 1), (1, 2), (0, 2), nodes=3)) == {frozenset({n}) for n in range(3)}


def test_two_circles_are_two_knots_until_one_leads_back() -> None:
    arrows = ((0, 1), (1, 0), (2, 3), (3, 2), (1, 2))

    assert knots(graph(*arrows, nodes=4)) == {frozenset({0, 1}), frozenset({2, 3})}
    assert knots(graph(*arrows, (3, 0), nodes=4)) == {frozenset({0, 1, 2, 3})}


def test_knots_are_what_walking_everywhere_says() -> None:
    chance = random.Random(7)  # noqa: S311 (repeatable on purpose)
    for _ in range(100):
        nodes = chance.randint(1, 12)
        arrows = [(chance.randrange(nodes), chance.randrange(nodes)) for _ in range(2 * nodes)]
        made = graph(*arrows, nodes=nodes)
        from_each = [reached(made, start) for start in range(nodes)]
        expected = {
            frozenset(to for to in from_each[start] if start in from_each[to])
            for start in range(nodes)
        }

        assert knots(made) == expected


def test_a_long_chain_needs_no_deep_calls() -> None:
    nodes = 5_000
    made = graph(*((n, (n + 1) % nodes) for n in range(nodes)), nodes=nodes)

    assert knots(made) == {frozenset(range(nodes))}


def test_the_shortest_cycle_is_told() -> None:
    made = graph((0, 1), (1, 2), (2, 0), (0, 3), (3, 0), nodes=4)

    assert shortest(made, {0, 1, 2, 3}, 0) == [(3, "to"), (0, "to")]
