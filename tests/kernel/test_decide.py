"""What one event does: accepted along the map, or refused with nothing changed."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from interlock.kernel.decide import decide
from interlock.kernel.draft import Draft
from interlock.kernel.entries import Move
from interlock.kernel.forms import All, Any, Count, Form, In, Is, Named, Says
from interlock.kernel.look import look
from interlock.kernel.refusal import BrokenWalk, Refusal
from interlock.kernel.rules import Do, Fire, Rule
from interlock.kernel.seen import Event, SliceError
from interlock.kernel.workflow import Field, Workflow
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.boxes import send as send_to_shelf
from tests.kernel.tiny import CASES, HANDS, added, case, rule_that, send
from tests.kernel.wander import NAMES, NUMBERS, Tried, plain, wander
from tests.workflows.story import CLOCK, ME, OTHER, PERSON

RUNS = 20
WALKED = pytest.mark.parametrize("name", ["cases", *NAMES])


# -- properties, over random walks of every workflow -----------------------------------------------


@WALKED
@settings(max_examples=RUNS)
@given(numbers=NUMBERS)
def test_every_accepted_move_is_an_edge_of_the_published_map(name: str, numbers: list[int]) -> None:
    for tried in wander(name, numbers):
        for move in moves_of(tried):
            machine = tried.flow.machine(move.kind)
            signals = {(edge.source, edge.on) for edge in machine.edges}

            assert machine.goes(move.source, move.target)
            assert (move.source, move.signal) in signals


@WALKED
@settings(max_examples=RUNS)
@given(numbers=NUMBERS)
def test_a_refused_event_changes_nothing(name: str, numbers: list[int]) -> None:
    for tried in wander(name, numbers):
        if tried.decision is None:
            before, saw = plain(tried.before), plain(tried.seen)
            with pytest.raises(Refusal):
                decide(tried.flow, tried.seen, tried.event)

            assert plain(tried.before) == before
            assert plain(tried.seen) == saw


@WALKED
@settings(max_examples=RUNS)
@given(numbers=NUMBERS)
def test_the_same_event_is_decided_the_same_again_and_leaves_what_it_saw_as_it_was(
    name: str, numbers: list[int]
) -> None:
    for tried in wander(name, numbers):
        if tried.decision is not None:
            before, saw = plain(tried.before), plain(tried.seen)
            again = decide(tried.flow, tried.seen, tried.event)
            afresh = decide(tried.flow, look(tried.flow, tried.before, tried.event), tried.event)

            assert plain(again) == plain(afresh) == plain(tried.decision)
            assert (plain(tried.before), plain(tried.seen)) == (before, saw)


def moves_of(tried: Tried) -> list[Move]:
    """Return the moves of an event, none where it was refused."""
    if tried.decision is None:
        return []
    return [entry for entry in tried.decision.entries if isinstance(entry, Move)]


# -- one event at a time ---------------------------------------------------------------------------


def test_an_event_walks_its_edges_in_order_and_then_settles() -> None:
    decision = send(case("open: waiting waiting"), "claim", "1")
    signals = [(e.who, e.signal) for e in decision.entries if isinstance(e, Move)]

    assert signals == [("unit", "begin"), ("part", "take")]
    assert decision.part is not None
    assert decision.part.fields == {"holder": "me", "fence": 1, "lapsed": False, "note": ""}
    assert decision.tally == {"item": {"held": 1, "waiting": 1}}


def test_a_walk_is_plotted_once_for_where_things_stand() -> None:
    flow = added()
    send(case("busy: held*"), "finish", "1", flow=flow)
    paths = flow.table.rules["finish"].paths
    plotted = dict(paths)
    send(case("busy: held* waiting"), "finish", "1", flow=flow)

    assert [key for key in plotted if paths[key] is plotted[key]] == [("busy", "held")]


def test_a_part_of_a_family_that_moves_is_counted_where_it_is_now() -> None:
    decision = send_to_shelf(shelf("used: opened(loose loose loose)", "a"), "pack", "a1")

    assert decision.tally == {"box": {"opened": 1}, "item": {"loose": 2, "packed": 1}}


@pytest.mark.parametrize("counted", [{}, {"item": {}}, {"item": {"waiting": 1}}])
def test_whoever_was_not_counted_where_it_was_is_counted_where_it_is(
    counted: dict[str, dict[str, int]],
) -> None:
    event = Event("finish", ME, "1")
    flow = added(lifts=())
    decision = decide(flow, look(flow, case("busy: held*"), event, counted), event)

    assert decision.tally == {"item": {**counted.get("item", {}), "done": 1}}


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(Refusal, match=r"^UNKNOWN_EVENT\b"):
        send(case("open: waiting"), "klaim", "1")


def test_an_actor_who_may_not_send_the_event_is_refused_before_any_guard_is_asked() -> None:
    with pytest.raises(Refusal, match=r"^NOT_ALLOWED\b"):
        send(case("closed: done"), "finish", "1", CLOCK)


def test_an_event_about_a_part_of_another_kind_is_refused_though_its_status_would_do() -> None:
    flow = added(Rule("crush", "box", HANDS, walk=(Fire("part", "lose"),)), flow=SHELVES)

    with pytest.raises(Refusal, match="WRONG_KIND: crush is about a box"):
        send_to_shelf(shelf("used: opened(loose)", "a"), "crush", "a1", flow=flow)


@pytest.mark.parametrize("part", [None, "1"])
def test_an_event_is_about_what_its_rule_says_and_nothing_else(part: str | None) -> None:
    event = "claim" if part is None else "drop"

    with pytest.raises(Refusal, match="WRONG_KIND"):
        send(case("open: waiting"), event, part, PERSON if part else ME)


def test_the_first_guard_that_does_not_hold_is_the_one_that_is_told() -> None:
    with pytest.raises(Refusal, match="INVALID_TRANSITION"):
        send(case("closed: held*"), "finish", "1", OTHER)
    with pytest.raises(Refusal, match="NOT_YOURS"):
        send(case("busy: held*"), "finish", "1", OTHER)


def test_a_walk_whose_edge_is_missing_is_a_broken_table_and_no_refusal() -> None:
    flow = added(Rule("force", "item", HANDS, walk=(Fire("part", "do"),), sees=("part",)))

    with pytest.raises(BrokenWalk, match="force: part has no edge do from waiting"):
        send(case("busy: waiting"), "force", "1", flow=flow)


def test_the_time_is_stamped_on_the_decision_and_changes_nothing_else() -> None:
    event = Event("claim", ME, "1")
    seen = look(CASES, case("open: waiting"), event)
    early, late = decide(CASES, seen, event, 1), decide(CASES, seen, event, 2)

    assert (early.at, late.at) == (1, 2)
    assert plain(early._replace(at=0)) == plain(late._replace(at=0))


def test_a_walk_that_comes_back_to_where_it_began_still_ends_what_lived_there() -> None:
    walk = (Fire("unit", "ask"), Fire("unit", "answer"))
    fields = (*CASES.fields, Field("why", "", during=("busy",)))
    flow = added(Rule("bounce", "case", HANDS, walk=walk), fields=fields)
    decision = send(case("busy: held", flow, why="x"), "bounce", flow=flow)

    assert (decision.unit.status, decision.unit.fields["why"]) == ("busy", "")


def test_a_stage_may_take_its_signal_from_an_argument() -> None:
    walk = (Fire("unit", "", from_arg="what"),)
    flow = added(Rule("choose", "case", HANDS, walk=walk))

    assert send(case("busy: held"), "choose", flow=flow, args={"what": "ask"}).status == "asked"


def test_what_a_function_notes_is_told_with_the_decision() -> None:
    flow = added(
        rule_that(do="tell"), functions={**CASES.functions, "tell": lambda d: d.note("n", 1)}
    )

    assert send(case("busy: held"), "probe", "1", flow=flow).notes == {"n": 1}


# -- a rule sees its slice and nothing else --------------------------------------------------------

TOUCHES: dict[str, Form | Callable[[Draft], object]] = {
    "parent": In("parent", ("opened",)),
    "a field of the parent": Is("parent", "size"),
    "current": In("current", ("opened",)),
    "every child": All("item", ("loose",), "children"),
    "some child": Any("item", ("loose",), "children"),
    "number of children": Count("item", (), ">", 1, "children"),
    "conditions": lambda draft: draft.branches(),
    "gate": lambda draft: draft.gate_digest(),
    "dependents": lambda draft: draft.move_dependents("item", "lose"),
    "children": lambda draft: draft.move_children("item", "lose"),
    "a field nobody has": lambda draft: draft.write("part", "colour", "red"),
}


@pytest.mark.parametrize("touch", TOUCHES.values(), ids=TOUCHES)
def test_a_rule_that_touches_what_it_does_not_name_fails(
    touch: Form | Callable[[Draft], object],
) -> None:
    with pytest.raises(SliceError):
        send_to_shelf(shelf("used: opened(loose)", "a"), "probe", "a1", flow=touching(touch))


def touching(touch: Form | Callable[[Draft], object]) -> Workflow:
    """Return a workflow with a rule that touches something and names the part alone."""
    if isinstance(touch, Form):
        return added(rule_that(test=touch), flow=SHELVES)
    functions = {**SHELVES.functions, "touch": touch}
    return added(rule_that(do="touch"), flow=SHELVES, functions=functions)


def test_a_rule_about_the_unit_that_touches_a_part_fails() -> None:
    flow = added(rule_that(test=Named("lease_is_mine"), kind="case"))

    with pytest.raises(SliceError):
        send(case("busy: held"), "probe", flow=flow)


def test_a_rule_about_the_unit_has_no_part_to_speak_of() -> None:
    flow = added(rule_that(test=Says("part.status === 'held'"), kind="case"))

    with pytest.raises(Refusal, match="PROBED"):
        send(case("busy: held"), "probe", flow=flow)


def test_a_stage_that_touches_what_its_rule_does_not_name_fails() -> None:
    rule = Rule("probe", "item", HANDS, walk=(Do("lapse_lease", when=In("parent", ("held",))),))

    with pytest.raises(SliceError):
        send(case("busy: held"), "probe", "1", flow=added(rule))
