"""The public API for research plans: the names of the specification, importable from one place."""

import interlock.plan
from interlock.errors import InterlockError
from interlock.plan import (
    InvalidTransition,
    Timed,
    can_transition_plan,
    can_transition_step,
    derive_plan_status,
    detect_stalled_steps,
    evaluate_condition,
    is_plan_stalled,
    resolve_branch,
    transition_plan,
    transition_step,
)

SPECIFIED = {
    "can_transition_plan",
    "can_transition_step",
    "transition_plan",
    "transition_step",
    "derive_plan_status",
    "detect_stalled_steps",
    "is_plan_stalled",
    "evaluate_condition",
    "resolve_branch",
}


def test_the_specified_functions_are_public() -> None:
    assert set(interlock.plan.__all__) >= SPECIFIED | {"InvalidTransition"}


def test_everything_public_is_there() -> None:
    assert [name for name in interlock.plan.__all__ if name not in vars(interlock.plan)] == []


def test_an_invalid_transition_is_one_of_our_errors() -> None:
    assert issubclass(InvalidTransition, InterlockError)


def test_a_short_life_of_a_plan_by_hand() -> None:
    """As somebody would use it who keeps plans of their own."""
    steps = ["pending", "pending"]
    plan = transition_plan("planning", "executing")
    steps[0] = transition_step(steps[0], "in_progress")
    asleep = Timed("1", steps[0], updated_at=0, started_at=0)
    steps[0] = transition_step(steps[0], "completed")
    is_enough = evaluate_condition("found >= 3", {"result": {"found": 3}})
    skipped = resolve_branch("skip_to", {}, [*steps, "pending"], 0, 2).skipped
    steps[1] = transition_step(steps[1], "skipped")

    assert (plan, derive_plan_status(steps)) == ("executing", "completed")
    assert (is_enough, skipped) == (True, (1,))
    assert detect_stalled_steps([asleep], now=1_800_001) == (asleep,)
    assert not is_plan_stalled([asleep], now=1_800_000)
    assert can_transition_plan(plan, derive_plan_status(steps))
    assert not can_transition_step(steps[0], "pending")
