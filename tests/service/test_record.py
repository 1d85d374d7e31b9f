"""Entries of the audit: what is told once, what rides along, and that reading gives it back."""

import json
from pathlib import Path

from interlock.kernel.decide import decide
from interlock.kernel.entries import Cause, Decision, Drop, Move, New, Write
from interlock.kernel.look import look
from interlock.kernel.replay import Record, begun, fold, records
from interlock.kernel.seen import Actor, Event, Unit
from interlock.service.order import Asked
from interlock.service.record import Records, begun_texts, head, read_records
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from tests.service.desk import ME, PERSON, Desk, at_desk
from tests.workflows.story import standing

AGENT = Actor("agent", "ada", "s1")
EVENT = Cause("event", "submit")


def _log() -> Records:
    log = Records()
    log.begin(Decision(Event("submit", AGENT, "u.1"), 7, Unit("executing", {}), None, {}, (), {}))
    return log


def _move(who: str = "part", cause: Cause = EVENT) -> Move:
    kind = "plan" if who == "unit" else "step"
    return Move(who, kind, "complete", "in_progress", "completed", cause, "because")


def _read(log: Records, version: int = 0) -> list[Record]:
    return [record for text in log.texts(version) for record in read_records(text)]


def test_an_entry_says_who_did_what_when_and_with_which_number() -> None:
    log = _log()
    log.add(_move(), ("u.1",))

    (text,) = log.texts(41)

    assert json.loads(text) == {
        "event": "submit", "actor": {"kind": "agent", "id": "ada", "session": "s1"}, "at": 7,
        "change": "move", "kind": "step", "ids": ["u.1"], "signal": "complete",
        "source": "in_progress", "target": "completed", "reason": "because", "sequence": 42,
    }  # fmt: skip


def test_fields_written_right_after_a_move_of_the_same_thing_ride_in_its_entry() -> None:
    log = _log()
    log.add(_move(), ("u.1",))
    log.add(Write("part", "step", "holder", None), ("u.1",))
    log.add(Write("part", "step", "attempt", 2), ("u.1",))

    assert len(log.bodies) == 1
    assert [(r.change, r.field, r.value) for r in _read(log)] == [
        ("move", "", None),
        ("write", "attempt", 2),
        ("write", "holder", None),
    ]


def test_fields_of_another_thing_have_an_entry_of_their_own() -> None:
    log = _log()
    log.add(_move(), ("u.1",))
    log.add(Write("unit", "plan", "current", "u.2"), ())
    log.add(Write("all", "step", "holder", None), ("u.1", "u.2"))

    assert [(r.change, r.is_unit, r.ids) for r in _read(log)] == [
        ("move", False, ("u.1",)),
        ("write", True, ()),
        ("write", False, ("u.1", "u.2")),
    ]


def test_a_field_that_is_written_twice_is_told_twice() -> None:
    log = _log()
    for value in (1, 2):
        log.add(Write("part", "step", "attempt", value), ("u.1",))

    assert [record.value for record in _read(log)] == [1, 2]


def test_a_cause_names_the_entry_it_followed_from_by_its_number() -> None:
    log = _log()
    log.add(_move(), ("u.1",))
    log.add(Write("part", "step", "attempt", 2), ("u.1",))
    log.add(_move("unit", Cause("lift", "every step settled", 1)), ())

    first, second = (json.loads(text) for text in log.texts(10))

    assert "cause" not in first
    assert second["cause"] == {"kind": "lift", "name": "every step settled", "after": 11}
    assert _read(log)[-1].cause == Cause("lift", "every step settled")


def test_a_part_that_was_made_or_dropped_is_read_back_with_all_it_hangs_on() -> None:
    log = _log()
    new = New("step", "pending", {"tags": ("a", "b")}, feeds=("u.2",))
    log.add_new(new, "u.3", "u.1", "u.9", ("u.1",))
    log.add(Drop("part", "step", "removed"), ("u.1",))

    made, dropped = _read(log)

    assert (made.change, made.ids, made.target) == ("new", ("u.3",), "pending")
    assert made.fields == (("tags", ("a", "b")),)
    assert (made.after, made.parent, made.needs, made.feeds) == ("u.1", "u.9", ("u.1",), ("u.2",))
    assert (dropped.change, dropped.ids, dropped.reason) == ("drop", ("u.1",), "removed")


def test_what_is_no_change_is_told_with_the_first_entry_or_in_one_of_its_own() -> None:
    log = _log()
    log.note({"warning": "late"})
    log.begin(Decision(Event("claim", AGENT), 8, Unit("executing", {}), None, {}, (), {}))
    log.add(_move(), ("u.1",))
    log.note({"kept": ["result"]})

    alone, told = (json.loads(text) for text in log.texts(0))

    assert (alone["event"], alone["change"]) == ("submit", "note")
    assert alone["warning"] == "late"
    assert (told["event"], told["change"], told["kept"]) == ("claim", "move", ["result"])
    assert [record.event for record in _read(log)] == ["claim"]


def test_what_a_caller_tells_cannot_pass_for_what_happened(tmp_path: Path) -> None:
    """They ride in the same entry, and its own words must stay what they are."""
    lies = {"change": "drop", "ids": ["x"], "target": "completed", "actor": {"kind": "user"}}

    async def story(desk: Desk) -> tuple[list[dict[str, object]], list[Record]]:
        unit = await desk.plan(())
        before = (await desk.whole(unit)).row.version
        await desk.send(unit, Asked("fail_plan", args={"reason": "no"}, told=lies), by=PERSON)
        bodies = await desk.audit(unit, before)
        return bodies, [r for body in bodies for r in read_records(json.dumps(body))]

    bodies, log = at_desk(tmp_path, story)

    assert bodies[0]["actor"] == {"kind": "user", "id": "pat"}
    assert bodies[0]["told"] == lies
    assert (log[0].change, log[0].target) == ("move", "failed")


def test_the_entries_of_a_new_unit_fold_to_the_unit() -> None:
    first = standing(PLAN, "step", "planning: pending pending", {})
    texts = tuple(begun_texts(begun(PLAN, first, AGENT, 5), {"note": "x"}))
    log = [record for text in texts for record in read_records(text)]

    assert json.loads(texts[0])["note"] == "x"
    assert [json.loads(text)["sequence"] for text in texts] == [1, 2, 3]
    assert fold(PLAN, None, log).parts[0].fields == first.parts[0].fields


def test_a_head_leaves_out_what_an_actor_does_not_have() -> None:
    assert head("submit", ME.actor(), 3)["actor"] == {"kind": "agent", "id": "ada", "session": "s1"}
    assert head("submit", Actor("system"), 3)["actor"] == {"kind": "system"}


def test_records_of_a_decision_survive_being_written_and_read() -> None:
    first = standing(PLAN, "step", "planning: pending", {})
    event = Event("claim", AGENT, first.name(0))
    decision = decide(PLAN, look(PLAN, first, event), event, 9)
    log = Records()
    log.begin(decision)
    for entry in decision.entries:
        if not isinstance(entry, New):
            log.add(entry, () if entry.who == "unit" else ("u.1",))

    found = _read(log)

    assert [r.change for r in found] == [r.change for r in records(PLAN, first, decision)]
    assert {(r.field, r.value) for r in found if r.change == "write"} == {
        ("fence", 1),
        ("holder", "s1"),
        ("sessions", ("s1",)),
    }
