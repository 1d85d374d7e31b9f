"""The explored states: ways there, and how far it is to a goal for whom."""

from array import array

from interlock.kernel.check.graph import AGENTS, ANYONE, BITS, CLOCK, PEOPLE, WORLD, Graph
from interlock.kernel.check.scope import Scope
from interlock.kernel.rules import ACTORS
from interlock.kernel.seen import Unit
from tests.kernel.tiny import CASES


def graph(parents: list[int], *edges: tuple[int, int, int]) -> Graph:
    """Return a graph with these first ways and these edges: from, to, who."""
    made = Graph(Scope(CASES, (), {}), ())
    made.states = [(Unit("open", {}), ()) for _ in parents]
    made.parents = array("q", parents)
    made.labels = array("q", [10 + n for n in range(len(parents))])
    for source, target, by in edges:
        made.sources.append(source)
        made.targets.append(target)
        made.actors.append(by)
    return made


LINE = ((0, 1, AGENTS), (1, 2, PEOPLE), (2, 3, AGENTS | PEOPLE), (0, 3, CLOCK))


def test_a_trace_starts_at_a_start_and_names_each_label_with_the_state_it_reached() -> None:
    assert graph([-1, 0, 1, -1, 3]).trace(2) == [(0, 0), (11, 1), (12, 2)]
    assert graph([-1, 0, 1, -1, 3]).trace(4) == [(0, 3), (14, 4)]
    assert graph([-1]).trace(0) == [(0, 0)]


def test_a_distance_is_the_fewest_events_to_any_goal() -> None:
    made = graph([-1, 0, 1, 2], *LINE)

    assert list(made.distances([3], ANYONE)) == [1, 2, 1, 0]
    assert list(made.distances([2, 3], ANYONE)) == [1, 1, 0, 0]


def test_only_edges_count_that_somebody_named_can_take() -> None:
    made = graph([-1, 0, 1, 2], *LINE)

    assert list(made.distances([3], PEOPLE)) == [-1, 2, 1, 0]
    assert list(made.distances([3], AGENTS)) == [-1, -1, 1, 0]
    assert list(made.distances([3], AGENTS | PEOPLE)) == [3, 2, 1, 0]
    assert list(made.distances([3], WORLD)) == [-1, -1, -1, 0]


def test_from_nowhere_nothing_is_near() -> None:
    assert list(graph([-1, 0], (0, 1, AGENTS)).distances([], ANYONE)) == [-1, -1]


def test_every_kind_of_actor_has_its_bit() -> None:
    assert frozenset(BITS) == ACTORS
    assert ANYONE == AGENTS | PEOPLE | CLOCK | WORLD
    assert sum((AGENTS, PEOPLE, CLOCK, WORLD)) == ANYONE
