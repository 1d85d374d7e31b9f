"""A workflow compiled: every entry of the table comes from a row."""

from dataclasses import replace

import pytest

from interlock.kernel.entries import Move
from interlock.kernel.forms import All, Any, Either, In, Named
from interlock.kernel.machine import Edge
from interlock.kernel.refusal import BrokenWalk, Refusal
from interlock.kernel.rules import Do, Fire, Guard, Lift, Rule
from interlock.kernel.table import Table, claimable
from interlock.kernel.workflow import Field
from tests.kernel.boxes import SHELVES
from tests.kernel.tiny import CASES, HANDS, added, case, case_is, draft, item_is, send


@pytest.fixture
def table() -> Table:
    """A table that was compiled just now."""
    return replace(CASES).table


def test_edges_are_found_by_status_and_signal(table: Table) -> None:
    assert table.edges["item"]["held", "do"] == Edge("held", "do", "done")
    assert ("done", "do") not in table.edges["item"]


def test_of_two_edges_for_one_signal_the_first_in_the_table_wins() -> None:
    double = Edge("busy", "finish", "dropped")
    flow = added(unit=replace(CASES.unit, edges=(*CASES.unit.edges, double)))

    assert flow.table.edges["case"]["busy", "finish"].target == "closed"


def test_a_rule_admits_the_statuses_that_its_own_guards_name(table: Table) -> None:
    rule = table.rules["finish"]

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


def test_lifts_are_listed_where_they_could_move_something(table: Table) -> None:
    assert [lift.row.name for lift in table.lifts["busy"]] == ["every item is over"]
    assert table.lifts["open"] == ()
    # A lift of a part may have an edge wherever the unit stands.
    assert [lift.row.name for lift in SHELVES.table.lifts["made"]] == ["every item is packed"]


def test_cascades_are_found_by_what_is_entered_or_left(table: Table) -> None:
    assert list(table.entering) == [("case", "dropped")]
    assert table.leaving == {}
    assert table.reactive == {("case", "dropped")}


def test_pairs_are_found_by_the_status_of_the_unit(table: Table) -> None:
    names = {
        status: [pair.name for _, pair in table.pairs[status]] for status in CASES.unit.names()
    }

    assert names == {
        "open": ["an open case has not begun"],
        "busy": [],
        "asked": [],
        "closed": ["an ended case has no open item"],
        "dropped": ["an ended case has no open item"],
    }


def test_the_table_knows_ends_children_and_what_is_watched(table: Table) -> None:
    assert table.terminal == {"closed", "dropped"}
    assert table.child_kinds == frozenset()
    assert SHELVES.table.child_kinds == {"item"}
    assert table.watched["busy"] == ("item",)
    assert "used" not in SHELVES.table.watched


def test_fields_end_when_the_thing_leaves_the_statuses_they_live_in(table: Table) -> None:
    fields: dict[str, object] = {"holder": "me", "fence": 3, "lapsed": True}

    assert table.ended("item", "held", "done") == {"holder": None, "lapsed": False}
    assert table.ended("item", "waiting", "held") == {}
    assert table.cleared("item", "held", "waiting", fields) == {
        "holder": None,
        "fence": 3,
        "lapsed": False,
    }
    assert table.cleared("item", "waiting", "void", fields) is fields


@pytest.mark.parametrize("most", [1, 2])
def test_a_guard_of_an_edge_refuses_the_walk_that_takes_it(most: int) -> None:
    shut = Guard(In("unit", ("open",)), "SHUT") if most == 1 else Guard(In("unit", ("busy",)))
    edges = tuple(
        replace(edge, guards=(shut,)) if edge.on == "ask" else edge for edge in CASES.unit.edges
    )
    flow = added(unit=replace(CASES.unit, edges=edges))

    if most == 1:
        with pytest.raises(Refusal, match="SHUT") as no:
            send(case("busy: held"), "ask", flow=flow)
        assert no.value.rule == shut.test.words()
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


def test_what_a_stage_says_is_how_it_is_fired() -> None:
    walk = (Fire("part", "do", maybe=True, reason="again"), Fire("part", "do", reason="once"))
    flow = added(Rule("x", "item", HANDS, (item_is("held", "done"),), walk))

    with pytest.raises(BrokenWalk, match="no edge do from done"):
        send(case("busy: done"), "x", "1", flow=flow)
    sheet = draft("busy: held", "x", flow=flow)
    for stage in flow.table.rules["x"].walk[:1]:
        stage(sheet)
        stage(sheet)
    assert [(entry.signal, entry.reason) for entry in sheet.entries if isinstance(entry, Move)] == [
        ("do", "again")
    ]


def test_functions_by_name_are_found_wherever_a_row_asks_for_one() -> None:
    named = Named("lease_is_mine")
    edges = tuple(
        replace(edge, guards=(Guard(named, "NOT_YOURS"),)) if edge.on == "do" else edge
        for edge in CASES.parts[0].machine.edges
    )
    kind = replace(CASES.parts[0], machine=replace(CASES.parts[0].machine, edges=edges))
    lift = Lift("mine", Either((named, All("item", ("done", "void")))), "finish")
    flow = replace(CASES, parts=(kind,), lifts=(lift,))

    assert claimable(named, flow)(draft("busy: waiting", "finish", flow=flow)) is True
    assert send(case("busy: held*", flow), "finish", "1", flow=flow).status == "closed"


def test_several_cascades_may_follow_one_move() -> None:
    two = tuple(replace(CASES.cascades[0], name=name) for name in ("first", "second"))
    flow = replace(CASES, cascades=two)

    assert [one.row.name for one in flow.table.entering["case", "dropped"]] == ["first", "second"]
    assert not flow.table.leaving


def test_the_unit_remembers_sessions_where_it_has_a_field_for_them() -> None:
    fields = (*CASES.fields, Field("sessions", ()))

    assert replace(CASES, fields=fields).table.meets is True
    assert replace(CASES).table.meets is False


def test_a_kind_without_such_fields_ends_none() -> None:
    assert replace(SHELVES).table.ended("box", "shut", "lost") == {}
    assert replace(SHELVES).table.ended("nothing", "", "") == {}
    flow = replace(CASES, fields=(Field("x", 0, during=("busy", "asked")), *CASES.fields))
    fields: dict[str, object] = {"x": 1}
    assert flow.table.cleared("case", "busy", "asked", fields) is fields


def test_a_guard_of_an_edge_of_a_part_is_asked_where_that_part_takes_it() -> None:
    shut = Guard(In("unit", ("open",)), "SHUT")
    item = CASES.parts[0].machine
    edges = tuple(replace(edge, guards=(shut,)) if edge.on == "do" else edge for edge in item.edges)
    flow = replace(CASES, parts=(replace(CASES.parts[0], machine=replace(item, edges=edges)),))

    with pytest.raises(Refusal, match="SHUT"):
        send(case("busy: held*", flow), "finish", "1", flow=flow)
    assert send(case("busy: held*", flow), "give_back", "1", flow=flow).entries


def test_what_has_no_guard_and_who_is_not_there_pass_beside_an_edge_that_has_one() -> None:
    """A function comes first, so that nothing after it is certain beforehand."""
    edges = tuple(
        replace(edge, guards=(case_is("asked"),)) if edge.on == "ask" else edge
        for edge in CASES.unit.edges
    )
    walk = (Do("grant_lease"), Fire("part", "take"), Fire("current", "take", maybe=True))
    hold = Rule("hold", "item", HANDS, walk=walk, sees=("part",))
    flow = added(hold, unit=replace(CASES.unit, edges=edges))

    assert send(case("busy: waiting"), "hold", "1", flow=flow).tally == {"item": {"held": 1}}
