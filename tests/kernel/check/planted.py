"""Workflows that are broken, and the sound ones they were made from: what generated tests run on."""

from dataclasses import replace
from typing import Final

from interlock.kernel.check.scope import Scope
from interlock.kernel.workflow import Workflow
from interlock.workflows.plan import rules as plan_rules
from interlock.workflows.plan.scope import scope as plan_scope
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from tests.kernel import tiny
from tests.kernel.check.holes import HOLES, checked
from tests.seeds.planting import without_guards, without_stages

BROKEN_PLANS: Final[tuple[Workflow, ...]] = (
    without_stages(PLAN, "fail_step", plan_rules.START),
    without_guards(PLAN, "submit", plan_rules.MINE),
)
PLANTED: Final[tuple[Scope, ...]] = (
    *map(checked, HOLES),
    *(plan_scope(2, flow=flow) for flow in BROKEN_PLANS),
)
"""Every hole of our tiny workflow, then some of plans."""


def subject(number: int, *, is_mended: bool) -> Scope:
    """Return what is checked: the workflow with a hole in it, or the same without."""
    if not is_mended:
        return PLANTED[number]
    if number >= len(HOLES):
        return plan_scope(2)
    return replace(tiny.scope(), states_max=HOLES[number].states_max * 10)
