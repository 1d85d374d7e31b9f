"""Work on the steps of a plan: claim, hand in, show signs of life, give back, take over."""

from collections.abc import Iterator
from contextlib import aclosing
from hashlib import sha256
from itertools import islice
from typing import Final

from interlock.commands.names import is_plan, is_step
from interlock.commands.plan.status import LISTED_MAX, standing_of
from interlock.commands.plan.words import (
    NEXT,
    OVER,
    REVIEW,
    WORK,
    about,
    about_step,
    answered,
    read_plan,
    seen,
    step_told,
)
from interlock.commands.row import Call
from interlock.kernel.refusal import Refusal
from interlock.service.order import Asked, Emptied, Kept, Reply, Result
from interlock.service.read import Read
from interlock.service.run import Answer, advance
from interlock.service.skills import formatting_of
from interlock.service.work import changes, claim
from interlock.store.rows import dump, unit_of
from interlock.wire.plan import HeldStep, NextStep, SubmitStep, TakeOver
from interlock.workflows.plan.machines import SETTLED
from interlock.workflows.plan.workflow import ENDED

NOTHING = {
    "completed": ("plan_complete", "Nothing is left to do: write up what was found."),
    "failed": ("plan_failed", "The plan has failed; data.failure says why."),
    "awaiting_review": ("awaiting_review", "Wait until the person has decided; data.gate says where."),
}  # fmt: skip
"""Why no step is handed out, by the plan's status, and what to do about it."""

WAIT: Final = (
    "Wait, then ask again: data.current_steps says who holds what until when, "
    "data.held_back what each pending step waits for."
)


async def next_step(call: Call, asked: NextStep) -> Answer | Reply:
    """Claim the next step; where there is none, wait as long as the caller likes."""
    is_plan(asked.plan_id)
    order = about(call, asked.plan_id, (Asked("claim", kind="step"),), _handed_out)
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
    return await _nothing(call, await read_plan(call, asked.plan_id))


def _handed_out(result: Result) -> Reply:
    step = result.done[-1].part
    data: Reply = {} if step is None else {"step": step_told(result, step)}
    is_checkpoint = step is not None and step.part.fields["step_type"] == "checkpoint"
    return answered(result, "in_progress", REVIEW if is_checkpoint else WORK, data)


async def _nothing(call: Call, read: Read) -> Reply:
    """Say why no step was handed out."""
    status = read.snapshot.unit.status
    told, action = NOTHING.get(status, ("no_pending_steps", WAIT))
    data = await standing_of(call, read)
    if status not in NOTHING:
        data["held_back"] = list(islice(_held_back(read), LISTED_MAX))
    if status == "completed":
        data |= _formatting(read)
        data |= await formatting_of(call.engine, call.tenant, read.whole.row.id)
    return seen(call, read, told, action, data)


def _held_back(read: Read) -> Iterator[Reply]:
    """Say of each pending step for which others it waits, in the words of a refusal."""
    standing = {row.id: row.part.status for row in read.whole.parts}
    works = [name for name, status in standing.items() if status == "in_progress"]
    for row in read.whole.parts:
        if row.part.status != "pending":
            continue
        needs = [str(need) for need in row.part.needs if standing[str(need)] not in SETTLED]
        code = "BLOCKED_BY" if needs else "LIMIT_REACHED"
        yield {"step_id": row.id, "code": code, "waits_for": needs or works}


def _formatting(read: Read) -> Reply:
    """Say how the deliverable is to look, as plan and steps have noted it."""
    notes = [
        {"step_id": row.id, "note": row.part.fields["formatting_notes"]}
        for row in read.whole.parts
        if row.part.fields["formatting_notes"]
    ]
    plan = read.snapshot.unit.fields["formatting_notes"]
    return {"plan_formatting_notes": plan, "step_formatting_notes": notes}


async def submit_step(call: Call, asked: SubmitStep) -> Answer:
    """Hand a result in, and claim the next step with it where that is wanted."""
    is_step(asked.step_id)
    content, args = result_of(asked)
    told = {"summary": asked.result_summary}
    kept = (Kept("result", content),)
    sent = Asked("submit", asked.step_id, args=args, lease=asked.lease or "", kept=kept, told=told)
    events: tuple[Asked, ...] = (sent,)
    if asked.claim_next:
        events = (sent, Asked("claim", kind="step", is_optional=True))
    order = about(call, unit_of(asked.step_id), events, _submitted)
    return await advance(call.engine, order)


def result_of(asked: SubmitStep) -> tuple[bytes, dict[str, object]]:
    """Return a result as it is kept, and what the rules are told of it."""
    known = asked.model_dump(
        mode="json",
        include={
            "result", "result_summary", "confidence", "step_execution_report",
            "output_formatting_notes", "evidence",
        },
        exclude_defaults=True,
    )  # fmt: skip
    content = dump({"result": {}, **known}).encode()
    args: dict[str, object] = {"result": asked.result, "result_summary": asked.result_summary}
    if asked.confidence is not None:
        args["confidence"] = asked.confidence
    if asked.output_formatting_notes:
        args["formatting_notes"] = asked.output_formatting_notes
    return content, {**args, "digest_of_result": sha256(content).hexdigest()}


def _submitted(result: Result) -> Reply:
    submitted, *more = result.done
    data: Reply = {"branches": submitted.decision.notes.get("branches", [])}
    if submitted.part is not None:
        data["step"] = step_told(result, submitted.part)
    if more and more[0].part is not None:
        data["next_step"] = step_told(result, more[0].part)
    status = result.unit.unit.status
    action = OVER if status in ENDED else WORK if more else NEXT
    return answered(result, status, action, data)


def _noted(asked: HeldStep) -> dict[str, object]:
    return {} if asked.note is None else {"note": asked.note}


async def heartbeat_step(call: Call, asked: HeldStep) -> Answer:
    """Show that you are still at it."""
    note = _noted(asked)
    sent = Asked("heartbeat", asked.step_id, args=note, lease=asked.lease or "", told=note)
    return await advance(call.engine, about_step(call, asked.step_id, sent))


async def release_step(call: Call, asked: HeldStep) -> Answer:
    """Give a step back."""
    note = _noted(asked)
    sent = Asked("release", asked.step_id, args=note, lease=asked.lease or "", told=note)
    return await advance(call.engine, about_step(call, asked.step_id, sent))


async def take_over_step(call: Call, asked: TakeOver) -> Answer:
    """Take a step from whoever holds it."""
    args: dict[str, object] = {"reason": asked.reason}
    sent = Asked("take_over", asked.step_id, args=args, told=args)
    return await claim(call.engine, about_step(call, asked.step_id, sent, _handed_out))
