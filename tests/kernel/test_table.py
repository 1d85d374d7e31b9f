"""A workflow compiled: every entry of the table comes from a row."""

from dataclasses import replace

import pytest

from interlock.kernel.forms import Any, In
from interlock.kernel.machine import Edge
from interlock.kernel.refusal import Refusal
from interlock.kernel.rules import Fire, Guard, Lift, Rule
from interlock.kernel.table import claimable
from tests.kernel.boxes import SHELVES
from tests.kernel.tiny import CASES, HANDS, added, case, case_is, draft, item_is, send

TABLE = CASES.table


def test_edges_are_found_by_status_and_signal() -> None:
    assert TABLE.edges["item"]["held", "do"] == Edge("held", "do", "done")
    assert ("done", "do") not in TABLE.edges["item"]


def test_of_two_edges_for_one_signal_the_first_in_the_table_wins() -> None:
    double = Edge("busy", "finish", "dropped")
    flow = added(unit=replace(CASES.unit, edges=(*CASES.unit.edges, double)))

    assert flow.table.edges["case"]["busy", "finish"].target == "closed"


def test_a_rule_admits_the_statuses_that_its_own_guards_name() -> None:
    rule = TABLE.rules["finish"]

    assert (rule.unit_statuses, rule.part_statuses) == (frozenset({"busy"}), frozenset({"held"}))
    assert rule.admits("busy", "held")
    assert not rule.admits("open", "held")
    assert not rule.admits("busy", "done")


def test_several_status_guards_admit_what_all_of_them_do() -> None:
    rule = Rule("x", "item", HANDS, (case_is("open", "busy"), case_is("busy", "asked")))
    compiled = added(rule).table.rules["x"]

    assert compiled.unit_statuses == frozenset({"busy"})
    assert compiled.part_statuses is None
    assert compiled.admits("busy", "anywhere")


def test_lifts_are_listed_where_they_could_move_something() -> None:
    assert [lift.row.name for lift in TABLE.lifts["busy"]] == ["every item is over"]
    assert TABLE.lifts["open"] == ()
    # A lift of a part may have an edge wherever the unit stands.
    assert [lift.row.name for lift in SHELVES.table.lifts["made"]] == ["every item is packed"]


def test_cascades_are_found_by_what_is_entered_or_left() -> None:
    assert list(TABLE.entering) == [("case", "dropped")]
    assert TABLE.leaving == {}
    assert TABLE.reactive == {("case", "dropped")}


def test_pairs_are_found_by_the_status_of_the_unit() -> None:
    names = {
        status: [pair.name for _, pair in TABLE.pairs[status]] for status in CASES.unit.names()
    }

    assert names == {
        "open": ["an open case has not begun"],
        "busy": [],
        "asked": [],
        "closed": ["an ended case has no open item"],
        "dropped": ["an ended case has no open item"],
    }


def test_the_table_knows_ends_children_and_what_is_watched() -> None:
    assert TABLE.terminal == {"closed", "dropped"}
    assert TABLE.child_kinds == frozenset()
    assert SHELVES.table.child_kinds == {"item"}
    assert TABLE.watched["busy"] == ("item",)
    assert "used" not in SHELVES.table.watched


def test_fields_end_when_the_thing_leaves_the_statuses_they_live_in() -> None:
    fields: dict[str, object] = {"holder": "me", "fence": 3, "lapsed": True}

    assert TABLE.ended("item", "held", "done") == {"holder": None, "lapsed": False}
    assert TABLE.ended("item", "waiting", "held") == {}
    assert TABLE.cleared("item", "held", "waiting", fields) == {
        "holder": None,
        "fence": 3,
        "lapsed": False,
    }
    assert TABLE.cleared("item", "waiting", "void", fields) is fields


@pytest.mark.parametrize("most", [1, 2])
def test_a_guard_of_an_edge_refuses_the_walk_that_takes_it(most: int) -> None:
    shut = Guard(In("unit", ("open",)), "SHUT") if most == 1 else Guard(In("unit", ("busy",)))
    edges = tuple(
        replace(edge, guards=(shut,)) if edge.on == "ask" else edge for edge in CASES.unit.edges
    )
    flow = added(unit=replace(CASES.unit, edges=edges))

    if most == 1:
        with pytest.raises(Refusal, match="SHUT"):
            send(case("busy: held"), "ask", flow=flow)
    else:
        assert send(case("busy: held"), "ask", flow=flow).status == "asked"


def test_a_stage_with_a_test_runs_only_where_it_holds() -> None:
    walk = (Fire("part", "take", when=In("part", ("waiting",))),)
    flow = added(Rule("x", "item", HANDS, (item_is("waiting", "held"),), walk))
    stage = flow.table.rules["x"].walk[0]
    waiting, held = draft("busy: waiting", "x", flow=flow), draft("busy: held", "x", flow=flow)
    stage(waiting)
    stage(held)

    assert (waiting.part.status, held.part.status) == ("held", "held")
    assert (len(waiting.entries), len(held.entries)) == (1, 0)


def test_a_queue_without_a_test_admits_nothing() -> None:
    assert claimable(None, CASES)(draft("busy: waiting")) is False
    assert claimable(In("part", ("waiting",)), CASES)(draft("busy: waiting")) is True


def test_a_rule_is_folded_once_for_each_pair_of_statuses_it_met() -> None:
    flow = added()
    for words in ("busy: held* waiting", "busy: held* done held"):
        send(case(words), "finish", "1", flow=flow)

    assert list(flow.table.rules["finish"].paths) == [("busy", "held")]


def test_where_parts_are_lifted_nothing_is_kept_as_known_to_be_at_rest() -> None:
    lift = Lift("x", Any("item", ("packed",)), "pack", who="parent")

    assert "made" not in added(flow=SHELVES, lifts=(lift,)).table.watched
    assert added(flow=SHELVES, lifts=()).table.watched["made"] == ()
