"""The graph of what waits for what: flaws with their path, an order, and who needs whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.ticketing.graph import Flaw, Node, flaws, inverse, ordered


def graph(*rows: str) -> list[Node]:
    """Return nodes from rows like "c: a b"."""
    pairs = (row.partition(":") for row in rows)
    return [Node(name, tuple(needs.split())) for name, _, needs in pairs]


@pytest.mark.parametrize(
    ("rows", "found", "message"),
    [
        (("a", "b: a", "a"), Flaw("duplicate", ("a",), 2), "a is there more than once"),
        (("a: a",), Flaw("self", ("a", "a"), 0, 0), "a needs itself"),
        (("a", "b: a x"), Flaw("dangling", ("b", "x"), 1, 1), "b needs x, which is not there"),
        (("a: b", "b: a"), Flaw("cycle", ("a", "b", "a"), 0), "a -> b -> a is a cycle"),
        (
            ("s: a", "a: b", "b: c", "c: a"),
            Flaw("cycle", ("a", "b", "c", "a"), 1),
            "a -> b -> c -> a is a cycle",
        ),
    ],
)
def test_each_flaw_is_told_with_its_path(rows: tuple[str, ...], found: Flaw, message: str) -> None:
    assert flaws(graph(*rows)) == (found,)
    assert found.message == message


def test_several_flaws_are_told_at_once_and_a_cycle_only_without_them() -> None:
    found = flaws(graph("a: a", "b: x", "b", "c: d", "d: c"))

    assert [one.kind for one in found] == ["self", "dangling", "duplicate"]


def test_a_graph_in_order_is_left_as_it_is() -> None:
    nodes = graph("a", "b", "c: a b", "d: c a")

    assert flaws(nodes) == ()
    assert ordered(nodes) == ("a", "b", "c", "d")
    assert inverse(nodes) == {"a": ("c", "d"), "b": ("c",), "c": ("d",), "d": ()}


def test_a_long_chain_needs_no_deep_stack() -> None:
    nodes = [Node(str(place), (str(place + 1),)) for place in range(20_000)]
    chain = [*nodes, Node("20000")]

    assert flaws(chain) == ()
    assert ordered(chain) == tuple(str(place) for place in range(20_000, -1, -1))
    assert flaws([*nodes, Node("20000", ("0",))])[0].kind == "cycle"


NAMES = st.sampled_from("abcdef")
GRAPHS = st.dictionaries(NAMES, st.lists(NAMES, max_size=3, unique=True).map(tuple))


@given(GRAPHS)
def test_either_a_path_proves_the_flaw_or_the_order_works(
    needs: dict[str, tuple[str, ...]],
) -> None:
    nodes = [Node(name, wanted) for name, wanted in needs.items()]

    found = flaws(nodes)
    for one in found:
        assert all(b in needs[a] for a, b in zip(one.path, one.path[1:], strict=False))
        assert one.kind == "dangling" or one.path[0] == one.path[-1]
    if not found:
        order = ordered(nodes)
        assert sorted(order) == sorted(needs)
        assert all(order.index(need) < order.index(name) for name in needs for need in needs[name])
