"""Each hole of the documents, planted back into our tables, brings its finding back.

Bounds are the smallest in which all the holes of a workflow can be fallen into. At the same
bounds the tables as they are have no finding at all, so whatever is found was planted.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.check.judge import judge
from interlock.kernel.check.scope import Scope
from interlock.kernel.forms import In
from interlock.kernel.rules import Fire, Rule
from interlock.kernel.workflow import Workflow
from interlock.workflows.mission import guards as mission_guards
from interlock.workflows.mission.scope import scope as mission_scope
from interlock.workflows.mission.workflow import WORKFLOW as MISSION
from interlock.workflows.plan import rules as plan_rules
from interlock.workflows.plan.scope import scope as plan_scope
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from interlock.workflows.ticket.scope import scope as ticket_scope
from interlock.workflows.ticket.workflow import WORKFLOW as TICKET
from tests.seeds.planting import (
    with_rule,
    without_cascades,
    without_guards,
    without_lifts,
    without_rules,
    without_stages,
)

STEPS, HOPS, BEADS = 2, 1, 1


class Hole(NamedTuple):
    """A hole, how it is planted, and the finding that must come back."""

    name: str
    plant: Callable[[Workflow], Workflow]
    kind: str
    where: str


def _only_pending_is_handed_out(flow: Workflow) -> Workflow:
    """A running step is passed over for ever, and nothing else touches a stalled plan."""
    kinds = tuple(replace(kind, claimable=In("part", ("pending",))) for kind in flow.parts)
    flow = without_rules(replace(flow, parts=kinds), "take_over")
    return with_rule(flow, "fail_step", _unless_stalled)


def _unless_stalled(rule: Rule) -> Rule:
    return replace(rule, guards=(plan_rules.CHANGEABLE, *rule.guards))


def _asks_only_the_part(rule: Rule) -> Rule:
    """Keep the guards that say where the step or hop stands, and none about what is above it."""
    kept = tuple(g for g in rule.guards if isinstance(g.test, In) and g.test.who == "part")
    return replace(rule, guards=kept)


def _nobody_closes_steps(flow: Workflow) -> Workflow:
    return without_cascades(flow, "close the steps")


def _nobody_finishes_plans(flow: Workflow) -> Workflow:
    return without_lifts(flow, "every step settled")


PLAN_HOLES = (
    Hole("fail_step on a pending step",
         lambda flow: without_stages(flow, "fail_step", plan_rules.START),
         "BROKEN_CALL", "fail_step on planning, pending"),
    Hole("submit on a stalled plan",
         lambda flow: without_stages(flow, "submit", plan_rules.RESUME),
         "ILLEGAL_PAIR", "submit on stalled, in_progress"),
    Hole("review asked for on a stalled plan",
         lambda flow: without_stages(flow, "request_review", plan_rules.RESUME),
         "ILLEGAL_PAIR", "request_review on stalled, in_progress"),
    Hole("submit on a pending step of a planning plan",
         lambda flow: without_stages(flow, "submit", plan_rules.BEGIN),
         "ILLEGAL_PAIR", "submit on planning, pending"),
    Hole("submit completes a pending step directly",
         lambda flow: without_stages(flow, "submit", plan_rules.START),
         "BROKEN_CALL", "submit on planning, pending"),
    Hole("last step approved", _nobody_finishes_plans,
         "ILLEGAL_PAIR", "approve on awaiting_review, awaiting_input"),
    Hole("last step skipped", _nobody_finishes_plans,
         "ILLEGAL_PAIR", "skip on awaiting_review, awaiting_input"),
    Hole("last step failed", _nobody_finishes_plans,
         "ILLEGAL_PAIR", "fail_step on executing, in_progress"),
    Hole("stalled with nothing pending and a dead agent", _only_pending_is_handed_out,
         "HOPELESS", "plan stalled"),
    Hole("stalled with nothing pending, a dead agent, and no person to fail it",
         lambda flow: without_rules(_only_pending_is_handed_out(flow), "fail_plan"),
         "DEAD_END", "plan stalled"),
    Hole("plan failed by a branch with open steps", _nobody_closes_steps,
         "ILLEGAL_PAIR", "submit on executing, in_progress"),
    Hole("plan failed by a rejection with open steps", _nobody_closes_steps,
         "ILLEGAL_PAIR", "reject on awaiting_review, awaiting_input"),
    Hole("retry inside a completed plan",
         lambda flow: with_rule(flow, "retry_step", _asks_only_the_part),
         "ILLEGAL_PAIR", "retry_step on completed, failed"),
    Hole("pending submitted by a zombie",
         lambda flow: without_guards(flow, "submit", plan_rules.NEVER_CLAIMED_IF_PENDING),
         "ZOMBIE", "submit on executing, pending"),
    Hole("running step submitted by a zombie",
         lambda flow: without_guards(flow, "submit", plan_rules.MINE),
         "ZOMBIE", "submit on executing, in_progress"),
    Hole("review asked for by a zombie",
         lambda flow: without_guards(flow, "request_review", plan_rules.MINE),
         "ZOMBIE", "request_review on executing, in_progress"),
    Hole("only step removed",
         lambda flow: without_guards(flow, "remove_step", plan_rules.NOT_LAST),
         "ILLEGAL_PAIR", "remove_step on planning, pending"),
)  # fmt: skip

MISSION_HOLES = (
    Hole("hop cancelled without its mission",
         lambda flow: without_lifts(flow, "the current hop was cancelled"),
         "ILLEGAL_PAIR", "cancel_hop on BUILDING_HOP, READY_TO_RESOLVE"),
    Hole("hop deleted without its mission",
         lambda flow: without_guards(flow, "delete_hop", mission_guards.NOT_CURRENT),
         "ILLEGAL_PAIR", "delete_hop on BUILDING_HOP, PROPOSED"),
    Hole("hop fixed without its mission",
         lambda flow: without_stages(flow, "fix_hop", Fire("unit", "fix_hop", maybe=True)),
         "ILLEGAL_PAIR", "fix_hop on EXECUTING_HOP, FAILED"),
    Hole("hop fixed inside a failed mission",
         lambda flow: with_rule(flow, "fix_hop", _asks_only_the_part),
         "ILLEGAL_PAIR", "fix_hop on FAILED, FAILED"),
    Hole("hop reset inside a cancelled mission",
         lambda flow: with_rule(flow, "reset_hop", _asks_only_the_part),
         "ILLEGAL_PAIR", "reset_hop on CANCELLED, CANCELLED"),
    Hole("validation fails without the mission",
         lambda flow: without_stages(flow, "validation_failed", Fire("unit", "validation_failed")),
         "ILLEGAL_PAIR", "validation_failed on HOP_READY_TO_EXECUTE, READY_TO_EXECUTE"),
    Hole("hop fails recoverably and nobody holds the mission",
         lambda flow: without_lifts(
             without_cascades(flow, "hop failed: hold the mission"), "the hop failed beyond repair"
         ),
         "ILLEGAL_PAIR", "resolution_failed on BUILDING_HOP, READY_TO_RESOLVE"),
    Hole("mission failed with its hop open",
         lambda flow: without_cascades(flow, "mission failed"),
         "ILLEGAL_PAIR", "system_error on HOP_READY_TO_EXECUTE"),
)  # fmt: skip

TICKET_HOLES = (
    Hole("blocked without previous_status by an error",
         lambda flow: without_cascades(flow, "remember where it went wrong"),
         "ILLEGAL_PAIR", "error on DRAFT"),
    Hole("blocked without previous_status by a failed bead",
         lambda flow: without_cascades(flow, "remember where it went wrong"),
         "ILLEGAL_PAIR", "fail_bead on CODING, in_progress"),
)  # fmt: skip


def _small_mission(flow: Workflow) -> Scope:
    """Return a check of missions of one hop with one tool step, decided about by people."""
    scope = mission_scope(HOPS, flow=flow)
    return replace(
        scope, starts=scope.starts[:1], most={**scope.most, "tool_step": 1}, is_wide=False
    )


def _named(hole: Hole) -> str:
    return hole.name


@pytest.mark.parametrize("hole", PLAN_HOLES, ids=_named)
def test_a_hole_planted_into_our_plans_is_found(hole: Hole) -> None:
    found = _findings(plan_scope(STEPS, flow=hole.plant(PLAN)))

    assert (hole.kind, hole.where) in found, sorted(found)


@pytest.mark.parametrize("hole", MISSION_HOLES, ids=_named)
def test_a_hole_planted_into_our_missions_is_found(hole: Hole) -> None:
    found = _findings(_small_mission(hole.plant(MISSION)))

    assert (hole.kind, hole.where) in found, sorted(found)


@pytest.mark.parametrize("hole", TICKET_HOLES, ids=_named)
def test_a_hole_planted_into_our_tickets_is_found(hole: Hole) -> None:
    found = _findings(ticket_scope(BEADS, flow=hole.plant(TICKET)))

    assert (hole.kind, hole.where) in found, sorted(found)


@pytest.mark.parametrize(
    "scope",
    [plan_scope(STEPS), _small_mission(MISSION), ticket_scope(BEADS)],
    ids=["plan", "mission", "ticket"],
)
def test_our_tables_as_they_are_have_no_finding(scope: Scope) -> None:
    assert _findings(scope) == frozenset()


def _findings(scope: Scope) -> frozenset[tuple[str, str]]:
    return frozenset((finding.kind, finding.where) for finding in judge(explore(scope)))
