"""The first line of a page: who is waited for, and what can be done."""

from collections.abc import Sequence
from typing import cast

from interlock.doors.web.chips import Chip
from interlock.doors.web.now import Facts, Now, what_now
from interlock.doors.web.parts import Line
from interlock.kernel.rules import AGENT, USER
from interlock.kernel.seen import Actor
from interlock.kernel.why import Call, Fact, Wait, Why
from interlock.store.gates import GateRow
from tests.doors.web.test_parts import _gate


def _call(command: str, *actors: str) -> Call:
    return Call(command, command, actors, Actor(USER), None, {}, (), 0)


def _line(holder: str = "", *, is_silent: bool = False) -> Line:
    return Line(
        id="plan-1.1", order=1, depth=0, title="Look", sort="search", chip=Chip("active", "x"),
        is_ended=False, come_to="", confidence=None, attempt=1, needs=(), waits=(), holder=holder,
        until=None, is_silent=is_silent, gate="",
    )  # fmt: skip


def _now(
    calls: Sequence[Call] = (), lines: Sequence[Line] = (), gates: Sequence[GateRow] = (),
    **more: object,
) -> Now:  # fmt: skip
    why = Why("plan", "executing", bool(more.get("ended")), tuple(calls), (Fact("no way", ()),),
              waits=cast("tuple[Wait, ...]", more.get("waits", ())))  # fmt: skip
    return what_now(
        Facts("plan-1", why, bool(more.get("fine")), lines, gates, 5, bool(more.get("may", True)))
    )


def test_a_decision_comes_before_everything_else() -> None:
    told = _now([_call("fail_plan", USER)], [_line(holder="ann")], [_gate(1)])

    assert (told.look, told.head, told.since) == ("", "Waiting for you", 1)
    assert [button.path for button in told.buttons] == [
        "/gates/plan-1.1:9",
        "/units/plan-1/act/fail_plan",
    ]


def test_work_silence_idleness_and_the_end_are_told_apart() -> None:
    assert _now(lines=[_line(holder="ann")]).head == "Somebody is at work"
    assert _now(lines=[_line(holder=str(n)) for n in range(5)]).head == "5 are at work"
    silent = _now(lines=[_line(holder="ann", is_silent=True)])
    assert (silent.look, silent.buttons[0].path) == ("bad", "/units/plan-1/parts/1")
    assert _now([_call("get_next_step", AGENT)]).text == (
        "It goes on when an agent calls get_next_step."
    )
    assert _now([_call("accept", USER)]).head == "Waiting for a person"
    assert _now().text == "no way."
    assert _now(ended=True, fine=True).look == "done"
    assert _now(ended=True).head == "It has ended: executing"


def test_who_may_not_work_is_offered_nothing() -> None:
    calls = [_call("modify_plan add_steps", USER), _call("fail_plan", USER)]

    assert [one.label for one in _now(calls, [_line(holder="a")]).buttons] == ["Modify…", "End it…"]
    assert _now(calls, [_line(holder="a")], may=False).buttons == ()


def test_a_workflow_that_has_words_for_it_says_what_is_waited_for() -> None:
    held = Wait("held", (USER,), "It failed. Repair it.", ("fix",))
    told = _now([_call("set_asset", AGENT, USER)], waits=(held,))
    assert (told.head, told.text) == ("Waiting for a person", "It failed. Repair it.")
    run = Wait("idle", (AGENT,), "Run it.", ("claim",))

    assert _now(waits=(run, held))[:2] == ("go", "Ready for an agent")
