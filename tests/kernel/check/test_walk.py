"""What an exploration gathers starts empty and is gathered by the exploration alone."""

from interlock.kernel.check.graph import Graph
from interlock.kernel.check.scope import Scope
from interlock.kernel.check.walk import Problem, Walk
from tests.kernel.tiny import CASES


def test_a_walk_starts_with_nothing_gathered() -> None:
    walk = Walk(Graph(Scope(CASES, (), {}), ()))

    assert (walk.problems, walk.edges, walk.statuses, walk.events) == ([], set(), set(), set())


def test_two_walks_share_nothing() -> None:
    one, other = (Walk(Graph(Scope(CASES, (), {}), ())) for _ in range(2))
    one.events.add("claim")
    one.problems.append(Problem("LOOP", 0, 0, "round and round"))

    assert (other.events, other.problems) == (set(), [])
