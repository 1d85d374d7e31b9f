"""The whole plan workflow: nothing is broken, and the interlock agrees with the public functions."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.kernel.decide import decide
from interlock.kernel.entries import Move
from interlock.kernel.look import look
from interlock.kernel.refusal import Refusal
from interlock.kernel.replay import apply
from interlock.kernel.rules import AGENT, SYSTEM, USER
from interlock.kernel.seen import Actor, Event
from interlock.kernel.snapshot import Snapshot, begin, new_part
from interlock.workflows.plan.transitions import (
    can_transition_plan,
    can_transition_step,
    derive_plan_status,
)
from interlock.workflows.plan.workflow import STEPS_MAX, WORKFLOW
from tests.workflows.plan.stories import broken, is_legal

SESSIONS = st.sampled_from(("one", "two"))


def test_nothing_is_broken() -> None:
    assert broken(WORKFLOW) == []


@pytest.mark.parametrize("gone", ["lifts", "cascades", "pairs"])
def test_a_workflow_without_its_interlock_is_broken(gone: str) -> None:
    without = {
        "lifts": replace(WORKFLOW, lifts=()),
        "cascades": replace(WORKFLOW, cascades=()),
        "pairs": replace(WORKFLOW, pairs=()),
    }

    assert broken(without[gone]) != []


def test_a_plan_has_a_thousand_steps_unless_told_otherwise() -> None:
    assert STEPS_MAX == 1_000
    assert begin(WORKFLOW).unit.fields == {
        "review_policy": "relay",
        "review_by_others": False,
        "max_parallel": None,
        "max_steps": 1_000,
        "lease_ms": None,
        "name": "",
        "research_question": "",
        "design_rationale": "",
        "formatting_notes": "",
        "failure": "",
        "sessions": (),
        "is_shuffled": False,
    }


def test_a_new_step_is_pending_unclaimed_and_on_its_first_attempt() -> None:
    step = new_part(WORKFLOW, "step")

    assert step.status == "pending"
    assert (step.fields["holder"], step.fields["fence"], step.fields["attempt"]) == (None, 0, 1)


@st.composite
def events(draw: st.DrawFn) -> Event:
    """Return any event with one of its examples, sent by anybody about any of three steps."""
    rule = draw(st.sampled_from(WORKFLOW.rules))
    actor = Actor(draw(st.sampled_from((AGENT, USER, SYSTEM))), "who", draw(SESSIONS))
    args = dict(draw(st.sampled_from(rule.examples)))
    if rule.lease:
        args["fence"] = draw(st.none() | st.integers(0, 3))
    part = None if rule.kind == "plan" else draw(st.sampled_from("123"))
    return Event(rule.event, actor, part, args)


def _start() -> Snapshot:
    parts = tuple(new_part(WORKFLOW, "step") for _ in "123")
    return replace(begin(WORKFLOW, unit={"max_steps": 3}), parts=parts, ids=tuple("123"))


@given(sent=st.lists(events(), max_size=30))
def test_whatever_is_sent_plan_and_steps_stay_on_the_published_maps(sent: list[Event]) -> None:
    now = _start()
    for event in sent:
        if event.part is not None and event.part not in now.ids:
            continue
        try:
            decision = decide(WORKFLOW, look(WORKFLOW, now, event), event)
        except Refusal:
            continue
        for move in decision.entries:
            if isinstance(move, Move):
                goes = can_transition_plan if move.kind == "plan" else can_transition_step
                assert goes(move.source, move.target)
        now = apply(WORKFLOW, now, decision, lambda _, number: f"new {number}")
        statuses = tuple(part.status for part in now.parts)
        assert is_legal(now.unit.status, statuses)
        assert _is_derived(now.unit.status, statuses)


def _is_derived(plan: str, steps: tuple[str, ...]) -> bool:
    """Say whether a plan stands where the public function puts it, or where only a rule can."""
    if plan in ("planning", "stalled"):
        return derive_plan_status(steps) == "executing"
    return plan == "failed" or plan == derive_plan_status(steps)
