"""The rows of the plan's commands."""

from typing import Final

from interlock.commands.plan.context import research_context, step_context
from interlock.commands.plan.make import create_plan
from interlock.commands.plan.modify import modify_plan
from interlock.commands.plan.review import decide, request_review
from interlock.commands.plan.status import fail_plan, plan_status
from interlock.commands.plan.words import TOOLSET
from interlock.commands.plan.work import (
    heartbeat_step,
    next_step,
    release_step,
    submit_step,
    take_over_step,
)
from interlock.commands.row import AnyCommand, Command
from interlock.wire.plan import (
    CreatePlan,
    Decide,
    FailPlan,
    HeldStep,
    ModifyPlan,
    NextStep,
    PlanRef,
    RequestReview,
    StepContext,
    SubmitStep,
    TakeOver,
)

# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("create_research_plan", CreatePlan, create_plan, "work", TOOLSET, event="begin", words="plan create", adds_only=True,
            http="POST /plans",
            doc="Make a research plan: its question, its steps in order, and the branches between them."),
    Command("get_next_step", NextStep, next_step, "work", TOOLSET, event="claim", words="plan next", adds_only=True,
            http="POST /plans/{plan_id}/next",
            doc="Claim the next step of a plan; it is yours until its lease expires, longer with heartbeats."),
    Command("submit_step_result", SubmitStep, submit_step, "work", TOOLSET, event="submit", words="plan submit", adds_only=True,
            http="POST /steps/{step_id}/result",
            doc="Hand in the result of a step; its branches are asked at once."),
    Command("heartbeat_step", HeldStep, heartbeat_step, "work", TOOLSET, event="heartbeat", adds_only=True,
            http="POST /steps/{step_id}/heartbeat",
            doc="Show that you are still at a step, which extends your lease."),
    Command("release_step", HeldStep, release_step, "work", TOOLSET, event="release", adds_only=True,
            http="POST /steps/{step_id}/release",
            doc="Give a step back, so that somebody else can take it at once."),
    Command("take_over_step", TakeOver, take_over_step, "work", TOOLSET, event="take_over",
            http="POST /steps/{step_id}/take-over",
            doc="Take a step from whoever holds it; an agent only once the lease has expired."),
    Command("request_user_review", RequestReview, request_review, "work", TOOLSET, event="request_review", words="plan review", adds_only=True,
            http="POST /steps/{step_id}/review",
            doc="Pause the plan until the person has decided about a step; a result given is a draft until then."),
    Command("submit_user_decision", Decide, decide, "work", TOOLSET, event="approve", words="plan decide",
            http="POST /decisions",
            doc="Decide about a step under review: approve, modify, skip or reject (which fails the plan)."),
    Command("modify_plan", ModifyPlan, modify_plan, "work", TOOLSET, event="update_plan", words="plan modify",
            http="POST /plans/{plan_id}/changes",
            doc="Change a plan: add, remove, reorder, instruct, fail or retry steps, conditions, settings."),
    Command("fail_plan", FailPlan, fail_plan, "work", TOOLSET, event="fail_plan", words="plan fail",
            http="POST /plans/{plan_id}/fail",
            doc="End a plan for good; only a person can."),
    Command("get_plan_status", PlanRef, plan_status, "read", TOOLSET, words="plan status", marks=True,
            http="GET /plans/{plan_id}",
            doc="How a plan stands: its steps, who holds what until when, how far it is."),
    Command("get_research_context", PlanRef, research_context, "read", TOOLSET, words="plan context", marks=True, weight=2,
            http="GET /plans/{plan_id}/context",
            doc="Everything needed to go on with a plan in a new session."),
    Command("get_step_context", StepContext, step_context, "read", TOOLSET,
            http="GET /steps/{step_id}/context",
            doc="What a step builds upon: results of what it depends on and of earlier steps."),
)
# fmt: on
