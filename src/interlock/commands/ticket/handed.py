"""Handing out an assignment: who is asked for what, with which prompt, and what may come back."""

from hashlib import sha256
from typing import Final, cast

from interlock.commands.row import Call
from interlock.commands.ticket.building import told_of
from interlock.commands.ticket.desk import WORKED_ON, Desk, desk_of
from interlock.commands.ticket.shown import DOCUMENTS as MIRRORED
from interlock.commands.ticket.shown import context_of
from interlock.commands.ticket.spending import over_budget, stop_if_spent
from interlock.commands.ticket.stopped import stop
from interlock.commands.ticket.words import documents_of
from interlock.kernel.trouble import CODE
from interlock.service.errors import CorruptState, NotFound
from interlock.service.order import Reply
from interlock.service.run import Answer
from interlock.ticketing.blueprint import BEADS_MAX
from interlock.ticketing.canonical import DocumentInvalid
from interlock.ticketing.checked import Json
from interlock.ticketing.interview import PROMPT
from interlock.ticketing.prompt import ordered, replaced
from interlock.ticketing.schemas import Sizes, answer_schema, schema_key
from interlock.ticketing.tasks import EXECUTION

SPENT: Final = "The ticket has spent what it may; call get_next_work again for other work."
LOST: Final = "What it needs is lost, a person decides; call get_next_work again for other work."


async def with_task(call: Call, answer: Answer | Reply) -> Answer | Reply:
    """Add to work that was handed out what is asked, where it is a ticket's.

    A ticket that has spent what it may, or whose documents are lost, is blocked in place of being
    worked on: handed out as it is it would come back to everybody who asks.
    """
    reply = dict(answer if isinstance(answer, dict) else answer.reply)
    data = dict(cast("Reply", reply["data"]))
    part = data.get("part")
    if not isinstance(part, dict) or part.get("kind") not in WORKED_ON or "lease" not in part:
        return answer
    desk = await desk_of(call, str(part["part_id"]))
    if over_budget(desk.unit) and await stop_if_spent(call, desk.unit.id):
        return _blocked(reply, SPENT)
    try:
        task = await task_told(desk)
    except (CorruptState, DocumentInvalid, NotFound) as lost:
        if not await stop(call, desk.unit, CODE, lost.message):
            raise
        return _blocked(reply, LOST)
    data["part"] = part | {"task": task}
    return reply | {"data": data}


def _blocked(reply: Reply, action: str) -> Reply:
    """Return what was handed out without what it takes to work on it."""
    data = cast("Reply", reply["data"])
    part = cast("Reply", data["part"])
    left = {name: part[name] for name in part if name not in ("lease", "fields")}
    return reply | {"status": "blocked", "next_action": action, "data": {**data, "part": left}}


async def task_told(desk: Desk) -> Reply:
    """Tell what an assignment asks for."""
    own = desk.part.part.fields
    told: Reply = {
        "role": own["role"], "task": desk.task.task, "domain": desk.task.domain,
        "member": dict(desk.member), "rejected": own.get("rejected", 0),
        "deadline_s": desk.fields["round_s"], "reach": desk.task.reach,
    }  # fmt: skip
    names = ("repository", "base_branch", "forge")
    place: Reply = {name: desk.config[name] for name in names if name in desk.config}
    told |= {"project": place, "ticket_id": desk.unit.id, "documents": mirrored(desk)}
    if desk.task in EXECUTION:
        told |= await told_of(desk)
    if not desk.task.is_asked:
        return told
    if desk.task.task == "vote":
        # The order of the drafts follows from the seed itself, and with it who wrote which.
        told["seed"] = sha256(desk.seed.encode()).hexdigest()
    schema = schema_of(desk)
    context = await context_of(desk)
    prompt = replaced(cast("Json", desk.config.get("prompts") or {}))[desk.task.prompt]
    known = {**await _values(desk), "context": context.text}
    told |= _number(desk, known)
    text = prompt.fill({name: known[name] for name in prompt.placeholders})
    told["prompt"] = {**prompt.used._asdict(), "text": ordered(text, schema)}
    told |= {"schema": schema, "context_tokens": context.tokens}
    told["trimmed"] = [f"{one.title}: {one}" for one in context.trimmed]
    return told


def mirrored(desk: Desk) -> list[Reply]:
    """Name what is to lie in the working tree while it is worked on, in its folder ``.ticket``."""
    known = documents_of(desk.unit)
    return [{"path": f"{name}.yaml", "digest": known[name]} for name in MIRRORED if name in known]


def schema_of(desk: Desk) -> Json:
    """Return the schema of what a model answers to a task."""
    sizes = Sizes(desk.questions_max, len(desk.drafted))
    return answer_schema(*schema_key(desk.task), sizes)


async def _values(desk: Desk) -> Reply:
    """Return what prompts can ask for, as far as it is known here."""
    known: Reply = {
        "questions_max": desk.questions_max, "audit_number": desk.audit_number,
        "audits_max": desk.audits_max, "beads_max": BEADS_MAX, "drafts": len(desk.drafted),
    }  # fmt: skip
    if desk.task.domain == "interview" and desk.task.task in ("batch", "audit"):
        session = await desk.session()
        is_batch = desk.task.task == "batch"
        left = session.follow_ups_left(PROMPT) if is_batch else session.follow_ups_left()
        known |= {"batch_number": len(session.batches) + 1, "follow_ups_left": left}
    return known


def _number(desk: Desk, known: Reply) -> Reply:
    """Tell the how-manieth time it is, from 1, where a member has a task again and again."""
    if desk.task.task == "audit":
        return {"number": desk.audit_number}
    if desk.task.task != "batch":
        return {}
    # Before each audit it was asked once more, and there was nothing left to ask.
    audits = cast("int", desk.fields["interview_audits"])
    return {"number": cast("int", known["batch_number"]) + audits}
