"""Explaining: what is told was tried, so the first call always works."""

from dataclasses import replace

import pytest

from interlock.kernel.decide import decide
from interlock.kernel.explain import explain
from interlock.kernel.forms import Is, Not
from interlock.kernel.look import look
from interlock.kernel.rules import AGENT, SYSTEM, USER, Do, Fire, Guard, Rule
from interlock.kernel.seen import Actor, Event, PartId
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.why import Call, Fact, Wait, Why
from interlock.kernel.workflow import Workflow
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.tiny import ANYONE, CASES, added, case, case_is
from tests.kernel.wander import explored

SOMEBODY = Actor(AGENT, "somebody", "somebody")


def is_accepted(flow: Workflow, snapshot: Snapshot, call: Call) -> bool:
    """Send the call as it was tried; what is refused or broken raises."""
    event = Event(call.event, call.by, call.part, call.args)
    return decide(flow, look(flow, snapshot, event), event).event == event


def events(why: Why) -> list[tuple[str, PartId | None]]:
    """Return what could be sent, in the order it is told."""
    return [(call.event, call.part) for call in why.calls]


@pytest.mark.parametrize(("name", "bound"), [("plan", 2), ("mission", 1), ("ticket", 1)])
def test_in_every_reachable_state_the_first_call_that_is_told_is_accepted(
    request: pytest.FixtureRequest, name: str, bound: int
) -> None:
    walk = explored(name, bound)
    flow = walk.graph.scope.flow
    # Daily every state of plans, and of the others a part: `make proofs-long` asks in all of them.
    stride = 1 if name == "plan" or request.config.getoption("--long") else 4
    for state in walk.graph.states[::stride]:
        snapshot = Snapshot(*state)
        why = explain(flow, snapshot)
        is_ended = snapshot.unit.status in flow.table.terminal

        assert why.is_ended is is_ended
        assert why.calls or is_ended
        for first in why.calls[:1]:
            assert is_accepted(flow, snapshot, first)
            # Under the title of its section, the first thing that is said.
            told = replace(why, waits=()).text().splitlines()
            assert told[2] == f"  · {first.text()}"


def test_every_call_that_is_told_of_any_step_is_accepted() -> None:
    walk = explored("plan", 2)
    flow = walk.graph.scope.flow
    for state in walk.graph.states[::5]:
        snapshot = Snapshot(*state)
        for part in (None, *range(len(snapshot.parts))):
            why = explain(flow, snapshot, part)

            assert all(is_accepted(flow, snapshot, call) for call in (*why.calls, *why.first))


def test_a_unit_is_told_what_moves_it_before_what_moves_others_and_giving_up_last() -> None:
    why = explain(CASES, case("busy: waiting held*"))

    assert events(why) == [
        ("ask", None),
        ("claim", "1"),
        ("finish", "2"),
        ("give_back", "2"),
        ("lapse", "2"),
        ("drop", None),
    ]
    assert [call.reach for call in why.calls] == [0, 1, 1, 1, 2, 0]
    assert [call.is_giving_up for call in why.calls] == [False] * 5 + [True]


def test_a_call_says_who_may_make_it_what_it_brings_and_what_it_moves() -> None:
    why = explain(CASES, case("busy: held*"), "1")
    finish = next(call for call in why.calls if call.event == "finish")

    assert finish == Call(
        "finish", "finish the item", ("agent",), Actor(AGENT, "me", "me"), "1", {"fence": 1},
        ("item held -> done", "case busy -> closed"), 0,
    )  # fmt: skip


def test_a_part_is_told_with_its_holder_and_since_when() -> None:
    why = explain(CASES, case("busy: held*"), "1", since=5)

    assert (why.kind, why.status, why.holder, why.since) == ("item", "held", "me", 5)
    assert why.text().startswith("The item is held, held by me.")


def test_at_a_gate_what_a_person_can_do_comes_first() -> None:
    assert events(explain(CASES, case("asked: waiting")))[0] == ("answer", None)


@pytest.mark.parametrize(
    ("status", "signal", "order"),
    [
        ("busy", "ask", ["ask", "by_agent", "by_user", "by_clock"]),
        ("asked", "answer", ["answer", "by_user", "by_agent", "by_clock"]),
    ],
)
def test_of_calls_that_reach_as_far_those_come_first_who_are_waited_for(
    status: str, signal: str, order: list[str]
) -> None:
    actors = {"by_clock": SYSTEM, "by_user": USER, "by_agent": AGENT}
    if status == "asked":
        actors = dict(sorted(actors.items()))
    rules = [
        Rule(name, "case", frozenset({actor}), (case_is(status),), (Fire("unit", signal),))
        for name, actor in actors.items()
    ]
    flow = added(*rules)

    told = [event for event, part in events(explain(flow, case(f"{status}: waiting", flow)))
            if part is None]  # fmt: skip
    assert told[: len(order)] == order


def test_what_stands_in_the_way_is_told_with_its_code_and_the_calls_it_holds_back() -> None:
    why = explain(CASES, case("busy: held* waiting<"), "2")

    assert why.calls == ()
    assert why.facts == (
        Fact("It needs another item first.", ("agent",), "BLOCKED", ("take the next item",)),
    )


def test_what_no_status_admits_is_not_worth_telling() -> None:
    assert explain(CASES, case("busy: waiting waiting"), "1").facts == ()


def test_a_part_that_nothing_moves_is_told_what_must_happen_first() -> None:
    why = explain(CASES, case("busy: held* waiting<"), "2")

    assert [(call.event, call.part) for call in why.first] == [("finish", "1")]


def test_what_makes_or_drops_parts_is_not_told_as_what_must_happen_first() -> None:
    clear = Rule("clear", "case", ANYONE, walk=(Do("clear"),))
    functions = {**CASES.functions, "clear": lambda d: d.drop_all("item", statuses=("held",))}
    why = explain(added(clear, functions=functions), case("busy: held* waiting<"), "2")

    assert [call.event for call in why.first] == ["finish"]


def test_a_unit_is_told_what_its_lifts_wait_for() -> None:
    why = explain(CASES, case("busy: held* waiting"))

    assert why.facts[0] == Fact("every item is done or void (now: 1 held, 1 waiting)", ())


def test_a_unit_without_parts_is_told_so() -> None:
    assert explain(CASES, case("busy:")).facts == (
        Fact("every item is done or void (there are no parts)", ()),
    )


def test_what_has_ended_is_told_to_have_ended() -> None:
    why = explain(CASES, case("closed: done"))

    assert (why.is_ended, why.calls, why.facts) == (True, (), ())
    assert why.text() == "The case is closed. It has ended; nothing moves it any more."


def test_every_kind_of_actor_that_is_accepted_is_told_and_no_other() -> None:
    note = Rule("note", "case", ANYONE, (Guard(Not(Is("event", "why", (None,))), "WHY"),),
                examples=({"why": "x"},))  # fmt: skip
    why = explain(added(note), case("busy: held*"))
    call = next(call for call in why.calls if call.event == "note")

    assert (call.actors, dict(call.args), call.by) == ((AGENT, USER), {"why": "x"}, SOMEBODY)


def test_of_several_examples_the_first_that_works_is_told() -> None:
    choose = Rule("choose", "case", frozenset({USER}), (case_is("busy"),),
                  (Fire("unit", "", from_arg="what"),),
                  examples=({"what": "answer"}, {"what": "ask"}))  # fmt: skip
    why = explain(added(choose), case("busy: held*"))
    call = next(call for call in why.calls if call.event == "choose")

    assert call.args == {"what": "ask"}


def test_tables_that_break_are_no_call_to_make() -> None:
    force = Rule("force", "case", ANYONE, walk=(Fire("unit", "answer"),))

    assert "force" not in {call.event for call in explain(added(force), case("busy: held*")).calls}


def test_a_decision_is_told_with_the_digest_of_what_is_shown() -> None:
    fresh = Guard(Is("event", "digest", ("d1",)), "STALE")
    sign = Rule("sign", "case", frozenset({USER}), (case_is("asked"), fresh),
                (Fire("unit", "answer"),), ("gate",), examples=({"digest": "any"},))  # fmt: skip
    why = explain(added(sign), case("asked: held*", shown="d1"))
    call = next(call for call in why.calls if call.event == "sign")

    assert call.args == {"digest": "d1"}


def test_a_part_is_decided_about_by_what_is_shown_of_it_or_else_of_the_unit() -> None:
    sign = Rule("sign", "item", frozenset({USER}), (), (Fire("part", "do"),), ("part", "gate"),
                examples=({"digest": "any"},))  # fmt: skip
    plain = added(sign)
    kind = replace(CASES.parts[0], fields=(*CASES.parts[0].fields, CASES.fields[0]))
    showing = replace(plain, parts=(kind,))
    snapshot = case("busy: held*", showing, shown="d1")
    part = replace(snapshot.parts[0], fields={**snapshot.parts[0].fields, "shown": "d2"})

    def digest(flow: Workflow, now: Snapshot) -> object:
        calls = explain(flow, now, "1").calls
        return next(call.args for call in calls if call.event == "sign")

    assert digest(showing, replace(snapshot, parts=(part,))) == {"digest": "d2"}
    assert digest(plain, case("busy: held*", shown="d1")) == {"digest": "d1"}


def test_what_a_workflow_says_it_waits_for_stands_in_place_of_its_lifts() -> None:
    wait = Wait("idle", ("agent",), "take an item", ("claim",))
    said = replace(CASES, waiting=lambda snapshot: (wait,) if snapshot.parts else ())

    told, silent = explain(said, case("busy: held*")), explain(said, case("busy:"))
    assert (told.waits, silent.waits, explain(CASES, case("busy: held*")).waits) == (
        (wait,),
        (),
        (),
    )
    assert told.facts == ()
    assert explain(CASES, case("busy: held*")).facts != ()
    assert silent.facts == explain(CASES, case("busy:")).facts != ()


def test_families_and_the_current_part_are_seen_when_lifts_are_told() -> None:
    why = explain(SHELVES, shelf("used: opened(loose)", "a"))

    assert why.facts[0].what == "the current is packed (now: 1 opened, 1 loose)"
    assert events(replace(why, calls=why.calls[:1])) == [("pack", "a1")]


def test_an_unknown_part_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        explain(CASES, case("busy: held*"), "9")


def test_of_many_that_stand_alike_a_few_are_told() -> None:
    walk = explored("plan", 2)
    start = Snapshot(*walk.graph.states[0])
    many = replace(start, parts=start.parts[:1] * 60)
    claims = [part for event, part in events(explain(walk.graph.scope.flow, many))
              if event == "claim"]  # fmt: skip

    assert claims == [0, 1, 2]
    last = explain(walk.graph.scope.flow, many, 59)
    assert ("claim", 59) in events(last)


def test_what_nobody_holds_has_no_holder() -> None:
    assert explain(CASES, case("busy: waiting"), "1").holder == ""
    assert explain(CASES, case("busy: held*")).holder == ""
    assert explain(CASES, case("busy: held*"), "1").holder == "me"


def test_what_can_be_moved_now_is_not_told_what_must_happen_first() -> None:
    assert explain(CASES, case("busy: held* waiting"), "1").first == ()
    assert explain(CASES, case("busy: done held*"), "1").first == ()


def test_of_many_that_stand_alike_the_other_calls_are_told_as_well() -> None:
    told = [event for event, _ in events(explain(CASES, case("busy: " + "waiting " * 6)))]

    assert told == ["ask", "claim", "claim", "claim", "drop"]


def test_what_only_makes_something_reaches_something_else() -> None:
    why = explain(SHELVES, shelf("used: opened()", "a"))

    assert [call.reach for call in why.calls if call.event == "add_item"] == [1]
