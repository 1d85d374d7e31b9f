"""The plan's commands: make one, work on its steps, see how it stands."""

from collections.abc import Iterator
from contextlib import aclosing
from typing import Final, cast

from interlock.commands.row import AnyCommand, Call, Command, moves
from interlock.kernel.refusal import Refusal
from interlock.service.around import read_condition
from interlock.service.create import NewBranch, NewPart, NewUnit, create
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.order import Asked, Emptied, Kept, Order, Reply, Result
from interlock.service.read import Read, read_unit
from interlock.service.run import Answer, advance
from interlock.service.work import changes, claim
from interlock.store.rows import PartRow, dump, unit_of
from interlock.wire.envelope import Asking
from interlock.wire.plan import (
    CreatePlan,
    HeldStep,
    NewCondition,
    NewStep,
    NextStep,
    PlanRef,
    SubmitStep,
    TakeOver,
)

TOOLSET: Final = "research"
MS: Final = 1000
ENDED: Final = ("completed", "failed")

NEXT: Final = "Call get_next_step with plan_id to go on."
WORK: Final = "Do what the instructions say, then call submit_step_result with the lease."
REVIEW: Final = "This step is a checkpoint: call request_user_review before you go on."


class InvalidStepReference(InvalidInput):
    """A step is named that is not there, or not where it would have to be."""

    code = "INVALID_STEP_REFERENCE"


# -- making ------------------------------------------------------------------------------------


async def create_plan(call: Call, asked: CreatePlan) -> Answer:
    """Make a plan with its steps and branches."""
    fields: dict[str, object] = {
        "name": asked.name,
        "research_question": asked.research_question,
        "review_policy": asked.review_policy,
        "max_parallel": asked.max_parallel_steps,
        "lease_ms": None if asked.stall_after is None else asked.stall_after * MS,
        "max_steps": max(1_000, len(asked.steps)),
    }
    steps = tuple(_new_step(place, step) for place, step in enumerate(asked.steps))
    flow = call.engine.flows["plan"].flow
    for condition in asked.branching_conditions:
        read_condition(flow, condition.expression)  # raises where it cannot be read
    branches = tuple(_new_branch(row, len(steps)) for row in asked.branching_conditions)
    new = NewUnit("plan", fields, steps, branches, asked.tags)
    return await create(call.engine, call.caller, new, _created, call.key)


def _new_step(place: int, step: NewStep) -> NewPart:
    for order in step.depends_on:
        if order > place:
            message = f"Step {place + 1} depends on step {order}, which is not before it."
            raise InvalidStepReference(message, fix="Name earlier steps only, counted from 1.")
    needs = tuple(order - 1 for order in dict.fromkeys(step.depends_on))
    return NewPart("step", _fields(step), needs=needs)


def _fields(step: NewStep) -> dict[str, object]:
    return {
        "title": step.title or step.instructions[:80],
        "instructions": step.instructions,
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
    params: dict[str, object] = {}
    if row.action == "add_steps":
        if not row.steps or any(step.depends_on for step in row.steps):
            message = f"A condition after step {after} adds no steps, or steps with dependencies."
            raise InvalidStepReference(message, fix="Name steps without depends_on in steps.")
        params["steps"] = [_fields(step) for step in row.steps]
    elif row.action == "fail":
        params["reason"] = row.reason
    leads = row.action == "skip_to" and target is not None
    place = target - 1 if leads and target is not None else None
    return NewBranch(after - 1, row.expression, row.action, params, place)


def _created(result: Result) -> Reply:
    steps = [row.id for row in result.made]
    data: Reply = {"step_ids": steps, "first_step": steps[0]}
    return _envelope(result, result.unit.unit.status, NEXT, data)


# -- working -----------------------------------------------------------------------------------


async def next_step(call: Call, asked: NextStep) -> Answer | Reply:
    """Claim the next step; where there is none, wait as long as the caller likes."""
    order = Order(
        call.tenant, call.caller.actor(), asked.plan_id, (Asked("claim", kind="step"),),
        _handed_out, call.key,
    )  # fmt: skip
    _is_plan(asked.plan_id)
    async with aclosing(changes(call.engine, call.tenant, asked.wait_s)) as waiting:
        async for _ in waiting:
            try:
                return await claim(call.engine, order)
            except Emptied as none:
                if none.unit.unit.status in ENDED:
                    break
            except Refusal as no:
                if no.code not in ("REVIEW_OPEN", "PLAN_TERMINAL"):
                    raise
    return _nothing(await read_unit(call.engine, call.tenant, asked.plan_id))


def _handed_out(result: Result) -> Reply:
    step = result.done[-1].part
    data: Reply = {} if step is None else {"step": _step(result, step)}
    is_checkpoint = step is not None and step.part.fields["step_type"] == "checkpoint"
    return _envelope(result, "in_progress", REVIEW if is_checkpoint else WORK, data)


def _nothing(read: Read) -> Reply:
    """Say why no step was handed out."""
    status = read.snapshot.unit.status
    words = {
        "completed": ("plan_complete", "Nothing is left to do: write up what was found."),
        "failed": ("plan_failed", "The plan has failed; read why with get_plan_status."),
        "awaiting_review": ("awaiting_review", "Wait until a person has decided."),
    }
    told, action = words.get(
        status, ("no_pending_steps", "Wait for the steps in progress, then ask again.")
    )
    reply: Reply = {"status": told, "next_action": action}
    legal = read.running.flow.legal(status, "plan")
    return reply | {"legal_moves": moves(legal), "data": _status(read), "warnings": []}


async def submit_step(call: Call, asked: SubmitStep) -> Answer:
    """Hand a result in, and claim the next step with it where that is wanted."""
    _is_step(asked.step_id)
    args: dict[str, object] = {"result": asked.result, "result_summary": asked.result_summary}
    if asked.confidence is not None:
        args["confidence"] = asked.confidence
    kept = Kept("result", dump(args).encode())
    told = {"summary": asked.result_summary}
    events = [
        Asked("submit", asked.step_id, args=args, lease=asked.lease or "", kept=(kept,), told=told)
    ]
    if asked.claim_next:
        events.append(Asked("claim", kind="step", is_optional=True))
    unit = unit_of(asked.step_id)
    order = Order(call.tenant, call.caller.actor(), unit, tuple(events), _submitted, call.key)
    return await advance(call.engine, order)


def _submitted(result: Result) -> Reply:
    submitted, *more = result.done
    data: Reply = {"branches": submitted.decision.notes.get("branches", [])}
    if submitted.part is not None:
        data["step"] = _step(result, submitted.part)
    if more and more[0].part is not None:
        data["next_step"] = _step(result, more[0].part)
    is_over = result.unit.unit.status in ENDED
    action = "The plan has ended." if is_over else WORK if more else NEXT
    return _envelope(result, result.unit.unit.status, action, data)


def _about_step(
    call: Call, asked: Asking, event: str, args: dict[str, object], lease: str | None
) -> Order:
    """Return an order about a step that changes nothing but the step."""
    step = cast("HeldStep | TakeOver", asked).step_id
    _is_step(step)
    told = {name: value for name, value in args.items() if value}
    sent = Asked(event, step, args=args, lease=lease or "", told=told)
    return Order(call.tenant, call.caller.actor(), unit_of(step), (sent,), _held, call.key)


def _held(result: Result) -> Reply:
    part = result.done[0].part
    data: Reply = {} if part is None else {"step": _step(result, part)}
    return _envelope(result, result.unit.unit.status, NEXT, data)


async def heartbeat_step(call: Call, asked: HeldStep) -> Answer:
    """Show that you are still at it."""
    args: dict[str, object] = {} if asked.note is None else {"note": asked.note}
    return await advance(call.engine, _about_step(call, asked, "heartbeat", args, asked.lease))


async def release_step(call: Call, asked: HeldStep) -> Answer:
    """Give a step back."""
    args: dict[str, object] = {} if asked.note is None else {"note": asked.note}
    return await advance(call.engine, _about_step(call, asked, "release", args, asked.lease))


async def take_over_step(call: Call, asked: TakeOver) -> Answer:
    """Take a step from whoever holds it."""
    args: dict[str, object] = {"reason": asked.reason}
    return await claim(call.engine, _about_step(call, asked, "take_over", args, None))


# -- reading -----------------------------------------------------------------------------------


async def plan_status(call: Call, asked: PlanRef) -> Reply:
    """Say how a plan stands."""
    _is_plan(asked.plan_id)
    read = await read_unit(call.engine, call.tenant, asked.plan_id)
    status = read.snapshot.unit.status
    action = "" if status in ENDED else NEXT
    legal = read.running.flow.legal(status, "plan")
    reply: Reply = {"status": status, "next_action": action, "legal_moves": moves(legal)}
    return reply | {"data": _status(read), "warnings": []}


def _status(read: Read) -> Reply:
    unit, parts = read.whole.row, read.whole.parts
    counts = dict(unit.tally.get("step", {}))
    total = sum(counts.values())
    settled = sum(counts.get(status, 0) for status in ("completed", "skipped", "failed"))
    return {
        "plan_id": unit.id,
        "name": unit.unit.fields["name"],
        "status": unit.unit.status,
        "version": unit.version,
        "total_steps": total,
        "counts": counts,
        "progress": 100 * settled // total if total else 0,
        "steps": list(_lines(read, parts)),
    }


def _lines(read: Read, parts: tuple[PartRow, ...]) -> Iterator[Reply]:
    for order, row in enumerate(parts, 1):
        fields = row.part.fields
        line: Reply = {"step_id": row.id, "order": order, "title": fields["title"]}
        line |= {"status": row.part.status, "attempt": fields["attempt"]}
        if fields["holder"] is not None:
            line |= {"holder": fields["holder"], "until": read.whole.due.get(row.id)}
        yield line


def _step(result: Result, row: PartRow) -> Reply:
    fields = row.part.fields
    told: Reply = {"step_id": row.id, "status": row.part.status, "attempt": fields["attempt"]}
    told |= {name: fields[name] for name in ("title", "step_type", "instructions")}
    lease = result.lease(row)
    return told if lease is None else told | {"lease": lease}


def _envelope(result: Result, status: str, action: str, data: Reply) -> Reply:
    legal = result.running.flow.legal(result.unit.unit.status, "plan")
    told = {**data, "plan_id": result.unit.id, "plan_status": result.unit.unit.status}
    reply: Reply = {"status": status, "next_action": action, "legal_moves": moves(legal)}
    return reply | {"data": told, "warnings": []}


def _is_plan(name: str) -> None:
    if not name.startswith("plan-") or "." in name:
        raise NotFound(name)


def _is_step(name: str) -> None:
    if not name.startswith("plan-") or "." not in name:
        raise NotFound(name)


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("create_research_plan", CreatePlan, create_plan, "work", TOOLSET, event="begin", words="plan create", adds_only=True,
            doc="Make a research plan: its question, its steps in order, and the branches between them."),
    Command("get_next_step", NextStep, next_step, "work", TOOLSET, event="claim", words="plan next", adds_only=True,
            doc="Claim the next step of a plan; it is yours until its lease expires, longer with heartbeats."),
    Command("submit_step_result", SubmitStep, submit_step, "work", TOOLSET, event="submit", words="plan submit", adds_only=True,
            doc="Hand in the result of a step; its branches are asked at once."),
    Command("heartbeat_step", HeldStep, heartbeat_step, "work", TOOLSET, event="heartbeat", adds_only=True,
            doc="Show that you are still at a step, which extends your lease."),
    Command("release_step", HeldStep, release_step, "work", TOOLSET, event="release", adds_only=True,
            doc="Give a step back, so that somebody else can take it at once."),
    Command("take_over_step", TakeOver, take_over_step, "work", TOOLSET, event="take_over",
            doc="Take a step from whoever holds it; an agent only once the lease has expired."),
    Command("get_plan_status", PlanRef, plan_status, "read", TOOLSET, words="plan status",
            doc="How a plan stands: its steps, who holds what until when, how far it is."),
)
# fmt: on
