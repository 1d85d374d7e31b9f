"""What the checker finds in plans: nothing, unless a hole is planted."""

from dataclasses import replace

import pytest

from interlock.kernel.check.report import Report, check
from interlock.kernel.workflow import Workflow
from interlock.workflows.plan.scope import scope
from interlock.workflows.plan.workflow import WORKFLOW


@pytest.fixture(scope="module")
def three() -> Report:
    return check(scope(3))


@pytest.mark.parametrize("steps", [1, 2])
def test_small_plans_have_no_findings(steps: int) -> None:
    assert check(scope(steps)).findings == ()


def test_plans_of_three_steps_have_no_findings(three: Report) -> None:
    assert three.findings == ()
    assert three.is_wide


def test_the_bounds_are_said(three: Report) -> None:
    assert three.bounds["steps"] == 3
    assert {"dependencies", "parallel", "review policy", "branches", "leases"} <= set(three.bounds)


def test_more_steps_are_more_states(three: Report) -> None:
    two = check(scope(2))

    assert 0 < two.states < three.states
    assert not two.is_wide


def _found(flow: Workflow) -> set[tuple[str, str]]:
    return {(one.finding.kind, one.finding.where) for one in check(scope(2, flow)).findings}


def _without(*events: str) -> Workflow:
    rules = tuple(r for r in WORKFLOW.rules if r.event not in events)
    # Nor may a queue's verb name what is gone.
    parts = tuple(
        replace(part, verbs={v: e for v, e in part.verbs.items() if e not in events})
        for part in WORKFLOW.parts
    )
    return replace(WORKFLOW, rules=rules, parts=parts)


def test_a_dead_agent_whose_lease_never_lapses_is_found() -> None:
    assert ("AGENTS_STUCK", "plan executing") in _found(_without("lapse", "fail_step"))


def test_a_plan_that_no_person_can_end_is_found() -> None:
    assert ("WEDGED", "plan executing") in _found(_without("fail_plan", "fail_step", "take_over"))


def test_approving_the_last_step_without_deriving_is_found() -> None:
    lifts = tuple(lift for lift in WORKFLOW.lifts if lift.fire != "finish")

    assert ("ILLEGAL_PAIR", "approve on awaiting_review, awaiting_input") in _found(
        replace(WORKFLOW, lifts=lifts)
    )
