"""Statuses, edges and machines: what the table answers."""

import pytest

from interlock.kernel.machine import NOTHING, Edge, Machine, Status, edges
from interlock.kernel.rules import USER
from tests.kernel.tiny import CASE, ITEM


def test_a_status_is_found_by_name() -> None:
    assert CASE.status("asked") == Status("asked", "gate", is_asked=True)


def test_a_status_that_is_not_in_the_table_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="asket"):
        CASE.status("asket")


def test_a_status_is_active_and_shows_nothing_unless_told_otherwise() -> None:
    status = Status("open")

    assert (status.kind, status.label, status.shown) == ("active", "", NOTHING)
    assert (status.is_success, status.is_asked, status.is_trouble) == (False, False, False)


def test_names_are_listed_in_table_order_and_can_be_narrowed_to_kinds() -> None:
    assert CASE.names() == ("open", "busy", "asked", "closed", "dropped")
    assert CASE.names("gate", "terminal") == ("asked", "closed", "dropped")


def test_targets_are_listed_once_each_in_table_order() -> None:
    machine = Machine("m", "a", (Status("a"), Status("b"), Status("c")),
                      edges(("a", "x", "c"), ("a", "y", "b"), ("a", "z", "c")))  # fmt: skip

    assert machine.targets("a") == ("c", "b")
    assert machine.targets("b") == ()


def test_a_move_is_legal_only_where_an_edge_leads() -> None:
    assert ITEM.goes("waiting", "held")
    assert not ITEM.goes("waiting", "done")
    assert not ITEM.goes("done", "waiting")
    assert not ITEM.goes("waiting", "waiting")
    assert not ITEM.goes("nowhere", "held")


def test_an_edge_whose_target_is_a_field_may_lead_anywhere() -> None:
    machine = Machine("m", "a", (Status("a"), Status("b")), edges(("a", "back", "@before")))

    assert machine.goes("a", "b")
    assert not machine.goes("b", "a")
    assert machine.edges[0].target_field == "before"


def test_a_fixed_target_is_no_field() -> None:
    assert Edge("a", "x", "b").target_field == ""


def test_a_row_with_many_sources_makes_an_edge_for_each() -> None:
    built = edges(("a b", "stop", "c", frozenset({USER})))

    assert built == (
        Edge("a", "stop", "c", frozenset({USER})),
        Edge("b", "stop", "c", frozenset({USER})),
    )
