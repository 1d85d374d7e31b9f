"""Every live mission waits for somebody, and what they are told to send is accepted.

The states are those that the checker reaches from the tables: one without a sentence, or with a
sentence that nobody could follow, fails.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache

import pytest

from interlock.kernel.decide import decide
from interlock.kernel.look import look
from interlock.kernel.refusal import Refusal
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER
from interlock.kernel.seen import Actor, Event, Part, PartId
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.why import Wait
from interlock.workflows.mission.machines import ENDED, HOP, LIVE, TOOL_STEP
from interlock.workflows.mission.waiting import STATES, waiting
from interlock.workflows.mission.workflow import WORKFLOW
from tests.workflows.mission.telling import snapshot
from tests.workflows.mission.test_scope import walked

Met = dict[tuple[object, ...], tuple[Snapshot, Wait]]


def reached() -> Iterator[Snapshot]:
    """Every state that a mission of one hop that is not done can reach, done ones beside it."""
    for unit, parts in walked(1).graph.states:
        yield Snapshot(unit, parts)


@cache
def met() -> Met:
    """The ways to wait that occur, each where it looks different for the first time."""
    found: Met = {}
    for one in reached():
        for wait in waiting(one):
            part = None if wait.part is None else one.part(wait.part)
            held = () if part is None else (part.status, part.fields.get("holder"))
            key = (wait.state, one.unit.status, one.unit.fields["policy"], wait.who, *held)
            found.setdefault(key, (one, wait))
    return found


def test_every_live_mission_waits_for_somebody_and_no_ended_one_does() -> None:
    silent = {
        (one.unit.status, *(part.status for part in one.parts))
        for one in reached()
        if bool(waiting(one)) != (one.unit.status in LIVE)
    }

    assert silent == set()
    assert {one.unit.status for one in reached()} == {*LIVE, *ENDED}


def test_every_row_is_met_and_every_standing_of_a_hop_and_a_step() -> None:
    assert {wait.state for _, wait in met().values()} == {*STATES}
    told = {
        (part.kind, part.status)
        for one in reached()
        if one.unit.status in LIVE and waiting(one)
        for part in one.parts
    }
    assert {("hop", status) for status in HOP.names()} <= told
    # Steps are cancelled with their hop, or with the rest of a hop that is done: those are passed.
    steps = {*TOOL_STEP.names()} - {"CANCELLED"}
    assert {("tool_step", status) for status in steps} <= told


@pytest.mark.parametrize("state", STATES)
def test_whoever_is_named_can_send_what_is_named(state: str) -> None:
    refused = [
        (one.unit.status, wait, kind)
        for one, wait in met().values()
        if wait.state == state
        for kind in wait.who
        if not any(_is_accepted(one, event, wait.part, kind) for event in wait.events)
    ]

    assert refused == []


@pytest.mark.parametrize("state", STATES)
def test_the_first_thing_that_is_named_lets_it_go_on(state: str) -> None:
    stuck = [
        (one.unit.status, wait)
        for one, wait in met().values()
        if wait.state == state
        if not any(
            _comes_to(one, wait.events[0], wait.part, kind) - {"FAILED", "CANCELLED"}
            for kind in wait.who
        )
    ]

    assert stuck == []


def _is_accepted(one: Snapshot, event: str, part: PartId | None, kind: str) -> bool:
    return bool(_comes_to(one, event, part, kind))


def _comes_to(one: Snapshot, event: str, part: PartId | None, kind: str) -> set[str]:
    """Return where the mission may stand after an event; nothing where it is refused."""
    rule = WORKFLOW.rule(event)
    assert rule is not None
    # What is given up for the mission as a whole is told beside what is done about its hop.
    about = part if rule.kind != "mission" else None
    fields = {} if about is None else one.part(about).fields
    name = str(fields.get("holder") or "somebody")
    found = set()
    for example in rule.examples:
        args = {**example, "fence": fields.get("fence")} if rule.lease else {**example}
        sent = Event(rule.event, Actor(kind, name, name), about, args)
        with suppress(Refusal):
            found.add(decide(WORKFLOW, look(WORKFLOW, one, sent), sent).status)
    return found


def _told(text: str) -> list[str]:
    return [f"{wait.state}: {wait.what}" for wait in waiting(snapshot(WORKFLOW, text))]


def test_names_numbers_attempts_and_errors_are_told() -> None:
    running = "EXECUTING_HOP current=h; h EXECUTING name=Add sequence=2; s1 COMPLETED; s2 EXECUTING"
    runs = _told(f"{running} holder=box tool=total")
    again = _told(f"{running} tries=1 error=slow holder=box")
    held = _told("EXECUTING_HOP held current=h; h FAILED sequence=1; s1 FAILED error=bad")

    assert [one.partition(". ")[0] for one in (*runs, *again, *held)] == [
        "step runs: box runs tool step 2 (total) of hop 2 “Add”, attempt 1 of 3",
        "step tried again: box tries tool step 2 of hop 2 “Add” again, attempt 2 of 3, after slow",
        "held: tool step 1 of hop 1 failed: bad",
    ]


def test_an_error_is_told_with_its_class() -> None:
    one = snapshot(WORKFLOW, "EXECUTING_HOP held current=h; h FAILED sequence=1; s1 FAILED")
    error = {"class": "validation", "message": "No rows."}
    hop, step = one.parts
    failed = Part(step.kind, step.status, {**step.fields, "error": error}, "h")

    (wait,) = waiting(replace(one, parts=(hop, failed)))
    assert "failed: validation: No rows. Have" in wait.what


def test_what_is_missing_is_named_with_where_it_stands() -> None:
    design = "HOP_READY_TO_EXECUTE current=h; h READY_TO_EXECUTE sequence=1 inputs=in"

    assert _told(f"{design}; in EXPIRED name=rows")[0] == (
        "input missing: hop 1 needs asset “rows”, which is EXPIRED. Supply its content."
    )
    assert [line.partition(":")[0] for line in _told(f"{design}; in READY")] == ["design shown"]


def test_people_are_waited_for_and_where_the_policy_says_so_who_relays() -> None:
    by = {
        policy: waiting(snapshot(WORKFLOW, f"PROPOSED policy={policy}"))[0].who
        for policy in ("human", "relay")
    }

    assert by == {"human": (USER,), "relay": (USER, AGENT)}
    assert {kind for row in STATES.values() for kind in row.who} == {USER, AGENT, WORKER}
    assert SYSTEM not in {kind for row in STATES.values() for kind in row.who}


@pytest.mark.parametrize("status", LIVE)
def test_a_snapshot_without_its_hop_waits_for_nothing_that_is_not_there(status: str) -> None:
    told = _told(f"{status} current=gone; in READY")

    assert bool(told) == (status in ("PROPOSED", "READY_FOR_NEXT_HOP"))
