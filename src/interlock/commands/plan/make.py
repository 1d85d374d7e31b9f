"""Make a plan: its question, its steps in order, and the branches between them."""

from interlock.commands.plan.words import (
    MS,
    NEXT,
    InvalidStepReference,
    answered,
)
from interlock.commands.row import Call
from interlock.service.around import read_condition
from interlock.service.create import NewBranch, NewPart, NewUnit, create
from interlock.service.order import Reply, Result
from interlock.service.run import Answer
from interlock.service.skills import newest_started
from interlock.wire.plan import AddedStep, CreatePlan, NewCondition, NewStep
from interlock.workflows.plan.workflow import STEPS_MAX


async def create_plan(call: Call, asked: CreatePlan) -> Answer:
    """Make a plan with its steps and branches."""
    fields: dict[str, object] = {
        "name": asked.name,
        "research_question": asked.research_question,
        "design_rationale": asked.plan_design_rationale,
        "formatting_notes": asked.output_formatting_notes,
        "review_policy": asked.review_policy,
        "review_by_others": asked.review_by_others,
        "max_parallel": asked.max_parallel_steps,
        "lease_ms": None if asked.stall_after is None else asked.stall_after * MS,
        "max_steps": max(STEPS_MAX, len(asked.steps)),
    }
    steps = tuple(_new_step(place, step) for place, step in enumerate(asked.steps))
    flow = call.engine.flows["plan"].flow
    for condition in asked.branching_conditions:
        read_condition(flow, condition.expression)  # raises where it cannot be read
    branches = tuple(_new_branch(row, len(steps)) for row in asked.branching_conditions)
    # Whatever skill the session has begun last is what the plan is made by.
    skill = await newest_started(call.engine, call.tenant, call.caller.session)
    new = NewUnit("plan", fields, steps, branches, asked.tags, skill=skill)
    return await create(call.engine, call.caller, new, _created, call.key)


def _new_step(place: int, step: NewStep) -> NewPart:
    for order in step.depends_on:
        if order > place:
            message = f"Step {place + 1} depends on step {order}, which is not before it."
            raise InvalidStepReference(message, fix="Name earlier steps only, counted from 1.")
    needs = tuple(order - 1 for order in dict.fromkeys(step.depends_on))
    return NewPart("step", step_fields(step), needs=needs)


def step_fields(step: NewStep | AddedStep) -> dict[str, object]:
    """Return the fields of a step that is to be made."""
    return {
        "title": step.title or step.instructions[:80],
        "instructions": step.instructions,
        "acceptance": step.acceptance,
        "step_type": step.step_type,
        "lease_ms": None if step.stall_after is None else step.stall_after * MS,
    }


def _new_branch(row: NewCondition, count: int) -> NewBranch:
    after, target = row.after_step_order, row.target_step_order
    if after > count:
        message = f"A condition hangs on step {after}; there are {count}."
        raise InvalidStepReference(message, fix="Name a step of this plan, counted from 1.")
    if row.action == "skip_to" and (target is None or not after < target <= count):
        message = f"skip_to leads to step {target}, which is not after step {after}."
        raise InvalidStepReference(message, fix="Set target_step_order to a later step.")
    leads = row.action == "skip_to" and target is not None
    place = target - 1 if leads and target is not None else None
    return NewBranch(after - 1, row.expression, row.action, branch_params(row), place)


def branch_params(row: NewCondition) -> dict[str, object]:
    """Return what an action needs besides its target; raises where it makes no sense."""
    if row.action == "fail":
        return {"reason": row.reason}
    if row.action != "add_steps":
        return {}
    if not row.steps or any(step.depends_on for step in row.steps):
        after = row.after_step_order
        message = f"A condition after step {after} adds no steps, or steps with dependencies."
        raise InvalidStepReference(message, fix="Name steps without depends_on in steps.")
    return {"steps": [step_fields(step) for step in row.steps]}


def _created(result: Result) -> Reply:
    steps = [row.id for row in result.parts]
    data: Reply = {"step_ids": steps, "first_step": steps[0]}
    return answered(result, result.unit.unit.status, NEXT, data)
