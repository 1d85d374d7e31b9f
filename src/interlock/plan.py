"""The pure functions of research plans, for anyone to call: no store, no clock, no I/O."""

from interlock.kernel.transition import InvalidTransition
from interlock.workflows.plan.branching import Resolution, evaluate_condition, resolve_branch
from interlock.workflows.plan.stalls import (
    STALL_AFTER_MS,
    Timed,
    detect_stalled_steps,
    is_plan_stalled,
)
from interlock.workflows.plan.transitions import (
    can_transition_plan,
    can_transition_step,
    derive_plan_status,
    transition_plan,
    transition_step,
)

__all__ = [
    "STALL_AFTER_MS",
    "InvalidTransition",
    "Resolution",
    "Timed",
    "can_transition_plan",
    "can_transition_step",
    "derive_plan_status",
    "detect_stalled_steps",
    "evaluate_condition",
    "is_plan_stalled",
    "resolve_branch",
    "transition_plan",
    "transition_step",
]
