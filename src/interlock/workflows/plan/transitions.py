"""The public pure functions over the two maps: may this move, make it, derive the plan's status.

They need no workflow, no slice and no store: anyone can ask. The engine does not call them; a
property test holds ``derive_plan_status`` equal to what the interlock's lifts do.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from interlock.kernel.transition import InvalidTransition
from interlock.workflows.plan.machines import PLAN, SETTLED, STEP


def can_transition_plan(source: str, target: str) -> bool:
    """Say whether the map has such an edge; never raises."""
    return PLAN.goes(source, target)


def can_transition_step(source: str, target: str) -> bool:
    """Say whether the map has such an edge; never raises."""
    return STEP.goes(source, target)


def transition_plan(source: str, target: str) -> str:
    """Return the new status of a plan, or raise ``InvalidTransition``."""
    if not PLAN.goes(source, target):
        raise InvalidTransition(PLAN, source, target)
    return target


def transition_step(source: str, target: str) -> str:
    """Return the new status of a step, or raise ``InvalidTransition``."""
    if not STEP.goes(source, target):
        raise InvalidTransition(STEP, source, target)
    return target


def derive_plan_status(steps: Iterable[str] | Mapping[str, int]) -> str:
    """Derive the plan's status from its steps' statuses, listed or counted.

    In this order: no steps, planning; one awaiting input, awaiting review; all settled,
    completed; else executing. Failed steps settle like any other.
    """
    counted = steps if isinstance(steps, Mapping) else Counter(steps)
    standing = {status for status, count in counted.items() if count > 0}
    for status in standing:
        if status not in STEP.names():
            raise InvalidTransition(STEP, status, status)
    if not standing:
        return "planning"
    if "awaiting_input" in standing:
        return "awaiting_review"
    return "completed" if standing <= set(SETTLED) else "executing"
