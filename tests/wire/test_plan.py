"""The shapes of the plan's commands: what is required, what is the default, what is too much."""

import pytest
from pydantic import ValidationError

from interlock.wire.plan import CreatePlan, NewCondition, NewStep, NextStep, SubmitStep

STEP = {"instructions": "look"}
PLAN = {"name": "n", "research_question": "q", "steps": [STEP]}


def test_a_plan_needs_a_name_a_question_and_a_step() -> None:
    made = CreatePlan.model_validate(PLAN)

    assert (made.review_policy, made.stall_after, made.max_parallel_steps) == ("relay", None, None)
    assert (made.steps[0].step_type, made.steps[0].depends_on) == ("custom", ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""}, {"name": None}, {"name": "x" * 201}, {"research_question": ""},
        {"steps": []}, {"steps": [STEP] * 10_001}, {"steps": STEP}, {"steps": "look"},
        {"branching_conditions": [{}]}, {"max_parallel_steps": 1_001},
        {"stall_after": 30 * 24 * 3600 + 1}, {"tags": [""]}, {"review_policy": "none"},
    ],
)  # fmt: skip
def test_what_is_missing_or_too_much_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CreatePlan.model_validate({**PLAN, **wrong})


def test_the_largest_plan_is_taken() -> None:
    assert len(CreatePlan.model_validate({**PLAN, "steps": [STEP] * 10_000}).steps) == 10_000


@pytest.mark.parametrize("wrong", [{"step_type": "guess"}, {"depends_on": [0]}, {"title": ""}])
def test_a_step_is_checked(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        NewStep.model_validate({**STEP, **wrong})


@pytest.mark.parametrize(
    "wrong",
    [{"expression": ""}, {"expression": "x" * 2_001}, {"action": "jump"}, {"after_step_order": 0}],
)
def test_a_condition_is_checked(wrong: dict[str, object]) -> None:
    good = {"after_step_order": 1, "expression": "true", "action": "fail"}
    NewCondition.model_validate(good)

    with pytest.raises(ValidationError):
        NewCondition.model_validate({**good, **wrong})


@pytest.mark.parametrize("wait_s", [-0.001, 10.001, float("nan"), float("inf"), 1e308, "soon"])
def test_a_wait_is_short(wait_s: object) -> None:
    assert NextStep.model_validate({"plan_id": "p", "wait_s": 10}).wait_s == 10

    with pytest.raises(ValidationError):
        NextStep.model_validate({"plan_id": "p", "wait_s": wait_s})


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan"), 2**80])
def test_confidence_is_a_share(confidence: float) -> None:
    good = {"step_id": "s", "result_summary": "r"}
    assert SubmitStep.model_validate({**good, "confidence": 0.5}).confidence == 0.5

    with pytest.raises(ValidationError):
        SubmitStep.model_validate({**good, "confidence": confidence})
