"""Settling: cascades down, lifts up, until nothing moves any more; then the legal pairs."""

from dataclasses import replace

import pytest

from interlock.kernel.draft import Draft
from interlock.kernel.entries import Cause, Move
from interlock.kernel.forms import All, Any, Both, Count, In, Is, Named, Not
from interlock.kernel.look import standing
from interlock.kernel.machine import Edge
from interlock.kernel.refusal import IllegalPair, Looping
from interlock.kernel.rules import Cascade, Fire, Lift, Pair, Rule
from interlock.kernel.seen import SliceError
from interlock.kernel.settle import ROUNDS_MAX, check_pairs
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.boxes import send as send_to_shelf
from tests.kernel.tiny import CASES, HANDS, added, case, case_is, draft, item_is, send
from tests.workflows.story import CLOCK, PERSON

VOID = Rule(
    "void", "item", HANDS, (item_is("waiting", "held"),), (Fire("part", "void"),), ("part",)
)


def causes(decision_entries: tuple[object, ...]) -> list[tuple[str, str, str, int]]:
    """Return who moved and why: signal, cause and the entry that caused it."""
    return [
        (f"{e.who}.{e.signal}", e.cause.kind, e.cause.name, e.cause.entry)
        for e in decision_entries
        if isinstance(e, Move)
    ]


def reasons(decision_entries: tuple[object, ...]) -> list[str]:
    """Return the reasons of the moves."""
    return [entry.reason for entry in decision_entries if isinstance(entry, Move)]


def test_a_lift_moves_the_unit_when_its_parts_say_so() -> None:
    decision = send(case("busy: held* done void"), "finish", "1")

    assert decision.status == "closed"
    assert causes(decision.entries) == [
        ("part.do", "event", "finish", -1),
        ("unit.finish", "lift", "every item is over", 0),
    ]


def test_a_lift_waits_until_its_test_holds() -> None:
    assert send(case("busy: held* waiting"), "finish", "1").status == "busy"


def test_a_lift_without_an_edge_where_the_unit_stands_does_nothing() -> None:
    flow = added(VOID)

    assert send(case("asked: held"), "void", "1", flow=flow).status == "asked"


def test_a_cascade_moves_every_part_that_has_the_edge() -> None:
    decision = send(case("busy: held* waiting done"), "drop", by=PERSON)

    assert decision.tally == {"item": {"done": 1, "void": 2}}
    assert reasons(decision.entries) == ["", "case dropped", "case dropped"]
    assert causes(decision.entries) == [
        ("unit.drop", "event", "drop", -1),
        ("all.void", "cascade", "a dropped case voids its items", 0),
        ("all.void", "cascade", "a dropped case voids its items", 0),
    ]


def test_a_unit_that_has_ended_is_lifted_no_more() -> None:
    finish = Edge("dropped", "finish", "closed")
    flow = added(unit=replace(CASES.unit, edges=(*CASES.unit.edges, finish)))

    assert send(case("busy: held"), "drop", by=PERSON, flow=flow).status == "dropped"


def test_what_a_walk_only_passes_through_is_not_acted_upon() -> None:
    walk = (Fire("unit", "ask"), Fire("unit", "answer"))
    note = Cascade("on asking", of="case", enters=("asked",), to="item", fire="void")
    flow = added(Rule("bounce", "case", HANDS, walk=walk), cascades=(note,))
    decision = send(case("busy: held"), "bounce", flow=flow)

    assert [e.signal for e in decision.entries if isinstance(e, Move)] == ["ask", "answer"]


def test_a_part_that_passed_through_a_status_is_followed_all_the_same() -> None:
    walk = (Fire("part", "give_back"), Fire("part", "take"))
    cascade = Cascade("on waiting", of="item", enters=("waiting",), to="case", fire="ask",
                      whom="current", do="tell")  # fmt: skip
    functions = {**CASES.functions, "tell": lambda d: d.note("passed", value=True)}
    flow = added(
        Rule("bounce", "item", HANDS, walk=walk, sees=("part", "current")),
        cascades=(cascade,), functions=functions,
    )  # fmt: skip

    assert send(case("busy: held"), "bounce", "1", flow=flow).notes == {"passed": True}


def test_leaving_a_status_is_followed_too() -> None:
    cascade = Cascade("nobody holds on", of="case", leaves=("busy",), to="item", fire="give_back")
    flow = added(cascades=(cascade,))
    decision = send(case("busy: held held"), "ask", flow=flow)

    assert decision.tally == {"item": {"waiting": 2}}
    assert causes(decision.entries)[1:] == [("all.give_back", "cascade", "nobody holds on", 0)]


def test_a_cascade_with_a_test_follows_only_where_it_holds() -> None:
    cascade = Cascade("c", of="case", enters=("asked",), to="item", fire="void",
                      when=Is("unit", "most", (1,)))  # fmt: skip
    flow = added(cascades=(cascade,))

    assert send(case("busy: held", most=1), "ask", flow=flow).tally == {"item": {"void": 1}}
    assert send(case("busy: held"), "ask", flow=flow).tally == {"item": {"held": 1}}


def test_a_cascade_may_fire_on_the_part_itself() -> None:
    cascade = Cascade(
        "c", of="case", enters=("busy",), to="item", fire="take", whom="part", reason="begun"
    )
    start = Rule("start", "item", HANDS, walk=(Fire("unit", "begin"),), sees=("part",))
    flow = added(start, cascades=(cascade,))
    decision = send(case("open: waiting waiting"), "start", "2", flow=flow)

    assert decision.part is not None
    assert decision.part.status == "held"
    assert decision.tally == {"item": {"waiting": 1, "held": 1}}
    assert reasons(decision.entries) == ["", "begun"]


def test_a_cascade_reaches_those_that_need_the_part() -> None:
    cascade = Cascade(
        "c", of="item", enters=("void",), to="item", fire="void", whom="dependents", reason="needy"
    )
    rule = replace(VOID, sees=("part", "dependents"))
    flow = added(rule, cascades=(cascade,))
    decision = send(case("busy: held waiting< waiting"), "void", "1", flow=flow)

    assert decision.tally == {"item": {"void": 2, "waiting": 1}}
    assert reasons(decision.entries) == ["", "needy"]


def test_dependents_that_have_moved_go_on_from_where_they_stand_now() -> None:
    two = tuple(
        Cascade(name, of="item", enters=("void",), to="item", fire=name, whom="dependents")
        for name in ("take", "do")
    )
    flow = added(replace(VOID, sees=("part", "dependents")), cascades=two)
    start = case("busy: held held waiting waiting", flow)
    needy = tuple(replace(part, needs=("1",)) for part in start.parts[1:3])
    start = replace(start, parts=(start.parts[0], *needy, start.parts[3]))

    assert send(start, "void", "1", flow=flow).tally == {
        "item": {"void": 1, "done": 2, "waiting": 1}
    }
    alone = send(start, "void", "4", flow=flow)
    assert alone.tally == {"item": {"held": 2, "waiting": 1, "void": 1}}


def test_a_cascade_reaches_the_children_of_the_part_and_of_no_other() -> None:
    decision = send_to_shelf(shelf("used: opened(loose packed) shut(loose)", "b"), "lose", "a")

    assert decision.tally == {"box": {"lost": 1, "shut": 1},
                              "item": {"lost": 1, "packed": 1, "loose": 1}}  # fmt: skip
    assert reasons(decision.entries) == ["", "box lost"]
    assert causes(decision.entries) == [
        ("part.lose", "event", "lose", -1),
        ("children.lose", "cascade", "what was in a lost box is lost", 0),
    ]


def test_parts_lift_their_parent_and_the_parent_lifts_the_unit() -> None:
    decision = send_to_shelf(shelf("used: opened(loose packed)", "a"), "pack", "a1")

    assert decision.status == "full"
    assert causes(decision.entries) == [
        ("part.pack", "event", "pack", -1),
        ("parent.pack", "lift", "every item is packed", 0),
        ("unit.fill", "lift", "the current box is packed", 1),
    ]


def test_the_parent_is_lifted_though_another_part_is_the_current_one() -> None:
    decision = send_to_shelf(shelf("used: opened(loose) opened()", "b"), "pack", "a1")

    assert decision.tally == {"box": {"packed": 1, "opened": 1}, "item": {"packed": 1}}
    assert causes(decision.entries)[1:] == [("parent.pack", "lift", "every item is packed", 0)]


def test_a_lift_of_a_part_that_is_not_there_or_not_loaded_is_passed_over() -> None:
    alone = send_to_shelf(shelf("used: opened()", "a"), "add_item", "a")

    assert causes(alone.entries) == []
    assert alone.status == "used"


def test_a_lift_whose_test_needs_an_unnamed_slice_is_a_slice_error() -> None:
    flow = added(Rule("peek", "box", HANDS, sees=("part",)), flow=SHELVES)

    with pytest.raises(SliceError):
        send_to_shelf(shelf("used: shut() opened()", "b"), "peek", "a", flow=flow)


def test_of_several_lifts_the_first_that_holds_is_taken() -> None:
    lifts = (
        Lift("never", Any("item", ("void",)), "drop"),
        Lift("first", All("item", ("done",)), "ask"),
        Lift("second", All("item", ("done",)), "finish"),
    )
    flow = added(lifts=lifts, pairs=())
    decision = send(case("busy: held*"), "finish", "1", flow=flow)

    assert causes(decision.entries)[1:] == [("unit.ask", "lift", "first", 0)]


def test_tables_that_do_not_come_to_rest_are_looping() -> None:
    lifts = (
        Lift("up", Any("item", ("done",)), "ask"),
        Lift("down", Any("item", ("done",)), "answer"),
    )
    flow = added(lifts=lifts, pairs=())

    with pytest.raises(Looping, match=f"finish does not come to rest after {ROUNDS_MAX} rounds"):
        send(case("busy: held*"), "finish", "1", flow=flow)


def test_statuses_that_may_not_stand_together_are_an_illegal_pair_and_the_pair_is_named() -> None:
    flow = added(lifts=(), pairs=(Pair("p", ("busy",), Not(All("item", ("done", "void")))),))

    with pytest.raises(IllegalPair) as caught:
        send(case("busy: held*"), "finish", "1", flow=flow)
    assert str(caught.value) == (
        "finish leaves the case busy, where it must hold that "
        "it is not so that every item is done or void (p)"
    )


def test_pairs_are_checked_where_they_hold_only() -> None:
    pair = Pair("p", ("open",), All("item", ("waiting",)))
    flow = added(pairs=(pair,))

    check_pairs(draft("busy: held", flow=flow, event="finish"))
    with pytest.raises(IllegalPair):
        check_pairs(draft("open: held", flow=flow, event="finish"))


def test_of_a_unit_that_stands_wrong_no_event_is_told_that_left_it_so() -> None:
    with pytest.raises(IllegalPair) as caught:
        check_pairs(standing(CASES, case("open: held")))
    assert str(caught.value) == (
        "The case is open, where it must hold that every item is waiting "
        "(an open case has not begun)"
    )


# -- what is known to be at rest -------------------------------------------------------------------


def test_what_was_once_at_rest_is_not_asked_again() -> None:
    flow = added(pairs=(Pair("p", ("busy",), Any("item", ("waiting", "held"))),))
    asked: list[str] = []
    [(check, pair)] = flow.table.pairs["busy"]

    def counting(sheet: Draft) -> bool:
        asked.append(sheet.event.name)
        return check(sheet)

    flow.table.pairs["busy"] = ((counting, pair),)
    for words in ("busy: held* waiting waiting", "busy: held* waiting", "busy: held* waiting"):
        send(case(words), "finish", "1", flow=flow)
        send(case(words), "give_back", "1", flow=flow)

    assert asked == ["finish", "give_back"]
    assert flow.table.calm == {("busy", ("waiting", "done")), ("busy", ("waiting",))}


def test_what_follows_from_a_move_follows_though_it_ends_where_things_were_at_rest() -> None:
    cascade = Cascade("c", of="case", enters=("asked",), to="item", fire="void")
    flow = added(cascades=(cascade,))
    send(case("asked: held*"), "lapse", "1", by=CLOCK, flow=flow)

    assert flow.table.calm
    assert send(case("busy: held*"), "ask", flow=flow).tally == {"item": {"void": 1}}


def test_what_is_at_rest_is_known_by_the_statuses_of_every_kind_that_is_asked_about() -> None:
    over = Both((All("box", ("lost",)), All("item", ("lost",))))
    rules = tuple(rule for rule in SHELVES.rules if rule.event == "lose")
    flow = replace(SHELVES, lifts=(Lift("lost", over, "clear"),), cascades=(), rules=rules)
    cases = (
        ("used: opened(loose)", "used"), ("used: opened() opened()", "used"),
        ("used: opened(lost) opened()", "used"), ("used: opened(lost)", "gone"),
        ("used: opened()", "used"),
    )  # fmt: skip
    for words, status in cases * 2:
        assert send_to_shelf(shelf(words), "lose", "a", flow=flow).status == status, words


def test_a_unit_without_parts_comes_to_rest_as_well() -> None:
    assert send(case("asked:"), "answer", by=PERSON).status == "busy"


def test_what_moved_in_the_end_or_was_illegal_is_not_remembered_as_at_rest() -> None:
    flow = added(lifts=(), pairs=(Pair("p", ("busy",), Any("item", ("waiting", "held"))),))
    for _ in range(2):
        with pytest.raises(IllegalPair):
            send(case("busy: held*"), "finish", "1", flow=flow)
    lifted = added()
    for _ in range(2):
        assert send(case("busy: held*"), "finish", "1", flow=lifted).status == "closed"

    assert flow.table.calm == lifted.table.calm == set()


@pytest.mark.parametrize(
    "test",
    [Count("item", ("held",), "<", 3), Is("unit", "most", (1,)), Named("yes"),
     In("current", ("held",)), Any("item", ("held",), "children")],
    ids=["numbers", "fields", "functions", "other parts", "families"],
)  # fmt: skip
def test_only_questions_of_which_statuses_occur_are_remembered(test: object) -> None:
    functions = {**CASES.functions, "yes": lambda _: True}
    pair = Pair("p", ("busy",), test)  # type: ignore[arg-type]  # every one is a form
    flow = added(pairs=(pair,), functions=functions)

    assert "busy" not in flow.table.watched
    assert flow.table.watched["asked"] == ()


def test_a_cause_points_at_the_entry_that_was_followed() -> None:
    ask = Rule(
        "wave", "case", HANDS, (case_is("open"),), (Fire("unit", "begin"), Fire("unit", "drop"))
    )
    decision = send(case("open: waiting"), "wave", flow=added(ask))

    assert [e.cause for e in decision.entries if isinstance(e, Move)][-1] == Cause(
        "cascade", "a dropped case voids its items", 1
    )
