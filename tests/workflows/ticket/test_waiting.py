"""Every live ticket waits for somebody, and what they are told to send is accepted.

The states are those that the checker reaches from the tables: one without a sentence, or with a
sentence that nobody could follow, fails.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.decide import decide
from interlock.kernel.look import look
from interlock.kernel.refusal import Refusal
from interlock.kernel.rules import AGENT, USER, Rule
from interlock.kernel.seen import Actor, Event, PartId, Unit
from interlock.kernel.snapshot import Snapshot, begin
from interlock.kernel.why import Wait
from interlock.workflows.ticket.phases import BLOCKED, BY_NAME, ENDED, LIVE
from interlock.workflows.ticket.scope import scope
from interlock.workflows.ticket.waiting import STATES, waiting
from interlock.workflows.ticket.workflow import WORKFLOW

Met = dict[tuple[object, ...], tuple[Snapshot, Wait]]


@cache
def states() -> tuple[Snapshot, ...]:
    """Every state that a ticket of one bead can reach."""
    return tuple(Snapshot(unit, parts) for unit, parts in explore(scope(1)).graph.states)


@cache
def met() -> Met:
    """The ways to wait that occur, each where it looks different for the first time."""
    found: Met = {}
    for one in states():
        for wait in waiting(one):
            part = None if wait.part is None else one.part(wait.part)
            held = () if part is None else (part.status, part.fields.get("holder"))
            key = (wait.state, one.unit.status, one.unit.fields["policy"], wait.who, *held)
            found.setdefault(key, (one, wait))
    return found


def test_every_live_ticket_waits_for_somebody_and_no_ended_one_does() -> None:
    silent = {
        (one.unit.status, *(part.status for part in one.parts))
        for one in states()
        if bool(waiting(one)) != (one.unit.status in LIVE)
    }

    assert silent == set()
    assert {one.unit.status for one in states()} == {*LIVE, *ENDED} == {*BY_NAME}


def test_every_row_is_met() -> None:
    assert {wait.state for _, wait in met().values()} == {*STATES}


@pytest.mark.parametrize("state", STATES)
def test_whoever_is_named_can_send_what_is_named(state: str) -> None:
    refused = [
        (one.unit.status, wait, kind)
        for one, wait in _in(state)
        for kind in wait.who
        if not any(_is_accepted(one, event, wait.part, kind) for event in wait.events)
    ]

    assert refused == []


@pytest.mark.parametrize("state", STATES)
def test_the_first_thing_that_is_named_lets_it_go_on(state: str) -> None:
    stuck = [
        (one.unit.status, wait)
        for one, wait in _in(state)
        if not any(_is_accepted(one, wait.events[0], wait.part, kind) for kind in wait.who)
    ]

    assert stuck == []


def _in(state: str) -> Iterator[tuple[Snapshot, Wait]]:
    return (pair for pair in met().values() if pair[1].state == state)


def _is_accepted(one: Snapshot, event: str, part: PartId | None, kind: str) -> bool:
    rule = WORKFLOW.rule(event)
    assert rule is not None
    about = part if rule.kind != "ticket" else None
    return any(_decided(one, rule, about, kind, args) for args in rule.examples)


def _decided(one: Snapshot, rule: Rule, part: PartId | None, kind: str, args: object) -> bool:
    fields = {} if part is None else one.part(part).fields
    name = str(fields.get("holder") or "somebody")
    told = {**args, "fence": fields.get("fence")} if rule.lease else {**args}  # type: ignore[dict-item]
    event = Event(rule.event, Actor(kind, name, name), part, told)
    try:
        decide(WORKFLOW, look(WORKFLOW, one, event), event)
    except Refusal:
        return False
    return True


def test_a_decision_may_be_relayed_where_the_policy_says_so_but_for_cancelling_what_is_lost() -> (
    None
):
    drafts = {
        policy: waiting(begin(WORKFLOW, unit={"policy": policy}))[0].who
        for policy in ("human", "relay")
    }
    fields = {**WORKFLOW.defaults(), "policy": "relay", "is_lost": True}
    (lost,) = waiting(Snapshot(Unit(BLOCKED, fields)))

    assert drafts == {"human": (USER,), "relay": (USER, AGENT)}
    assert (lost.state, lost.who) == ("lost", (USER,))


def test_an_error_is_told_with_its_code_and_where_it_was() -> None:
    error = {"code": "QUORUM_NOT_MET", "message": "One answer is missing."}
    fields = {**WORKFLOW.defaults(), "previous": "DRAFTING_PRD", "error": error}
    (wait,) = waiting(Snapshot(Unit(BLOCKED, fields)))

    assert wait.what.startswith(
        "It is blocked in DRAFTING_PRD: QUORUM_NOT_MET, One answer is missing. Retry"
    )


def test_a_phase_that_nobody_knows_waits_for_nothing_that_could_be_named() -> None:
    assert waiting(Snapshot(Unit("NOWHERE", WORKFLOW.defaults()))) == ()
