"""Handing in an answer to an assignment: it is judged, then taken or refused; both are kept.

What is refused is an event, too: it is counted, and after so many the assignment has failed. The
caller is told what is wrong after that was committed, and is told the same again for the same
request id.
"""

from collections.abc import Mapping
from typing import Final, cast

from interlock.commands.deciding import on_one_version
from interlock.commands.row import Call
from interlock.commands.ticket.desk import Desk, desk_of
from interlock.commands.ticket.taken import Taken, take
from interlock.commands.ticket.words import about, answered, filed
from interlock.service.errors import NotFound
from interlock.service.late import keep_late
from interlock.service.logs import NotHeld
from interlock.service.order import Asked, Kept, Order, Reply, Result, require_version
from interlock.service.run import Answer
from interlock.service.some import read_some
from interlock.store.rows import dump
from interlock.ticketing.answer import AnswerInvalid, Wrong, in_words
from interlock.ticketing.canonical import DocumentInvalid
from interlock.wire.work import SubmitWork

ANSWER: Final = "answer"
REJECTED: Final = "rejected"
INVALID_OUTPUT: Final = "invalid_output"
REASON_MAX: Final = 2_000


FAILURES: Final = ("timed_out", INVALID_OUTPUT)
"""Classes of failure with which a reason can begin; any other one has simply failed."""


def failure_of(reason: str) -> Mapping[str, object]:
    """Return the class of a failure, where the reason that is given begins with one."""
    word = reason.partition(":")[0]
    return {"failure": word} if word in FAILURES else {}


async def submit_answer(call: Call, asked: SubmitWork) -> Answer | None:
    """Hand in the answer to an assignment; None for any other part, which is not judged here."""
    name = asked.part_id
    if not name.startswith("ticket-") or "." not in name:
        return None
    try:
        if not await _is_assignment(call, name):
            return None
        answer = await on_one_version(call, name, lambda: _judged(call, asked))
    except NotFound:
        await _keep(call, asked)
        raise
    if answer.reply["status"] == REJECTED:
        raise _told(answer.reply)
    return answer


async def _is_assignment(call: Call, name: str) -> bool:
    some = await read_some(call.engine, call.tenant, name)
    return some.part is not None and some.part.part.kind == "assignment"


async def _judged(call: Call, asked: SubmitWork) -> Order:
    """Return the order that takes an answer, or the one that refuses it."""
    name = asked.part_id
    desk = await desk_of(call, name)
    require_version(desk.unit, call.version)
    if desk.part.part.status != "claimed":
        # Nobody judges what comes too late; it is refused, and kept.
        return about(call, name, (_sent(asked, Taken(asked.answer)),), answered_plainly)
    try:
        taken = await take(desk, asked.answer, call.engine.store.now())
    except AnswerInvalid as no:
        return _refusal(desk, asked, no.wrong)
    except DocumentInvalid as no:
        return _refusal(desk, asked, (Wrong("$", "a document", no.why),))
    sent = _sent(asked, taken)
    if taken.texts or taken.more:
        sent = sent._replace(also=(filed(desk.unit, taken.texts, taken.more),))
    return about(call, name, (sent,), answered_plainly, desk.unit.version)


def answered_plainly(result: Result) -> Reply:
    """Word the answer to work that was taken."""
    part = result.done[0].part
    data: Reply = {}
    if part is not None:
        data["part"] = {"part_id": part.id, "kind": part.part.kind, "status": part.part.status}
    return answered(result, data, action="Call get_next_work for more.")


def _sent(asked: SubmitWork, taken: Taken) -> Asked:
    kept = Kept(ANSWER, dump(dict(taken.answer)).encode())
    return Asked(
        part=asked.part_id, verb="submit", args=taken.args, lease=asked.lease or "", kept=(kept,)
    )


def _refusal(desk: Desk, asked: SubmitWork, wrong: tuple[Wrong, ...]) -> Order:
    errors = [one.told() for one in wrong]
    kept = Kept(REJECTED, dump({"answer": asked.answer, "errors": errors}).encode())
    args: dict[str, object] = {"failure": INVALID_OUTPUT, "reason": in_words(wrong)[:REASON_MAX]}
    sent = Asked(
        "reject_work", asked.part_id, args=args, lease=asked.lease or "", kept=(kept,),
        told={"errors": errors[:10]},
    )  # fmt: skip
    most = cast("int", desk.fields["structured_retries"])

    def word(result: Result) -> Reply:
        part = result.done[0].part
        rejected = 0 if part is None else cast("int", part.part.fields["rejected"])
        is_open = part is not None and part.part.status == "claimed"
        left = max(0, most + 1 - rejected) if is_open else 0
        reply = answered(result, {"errors": errors, "retries_left": left})
        return reply | {"status": REJECTED}

    return about(desk.call, asked.part_id, (sent,), word, desk.unit.version)


def _told(reply: Mapping[str, object]) -> AnswerInvalid:
    """Return the refusal of an answer as its caller is told it."""
    data = cast("Mapping[str, object]", reply["data"])
    errors = cast("list[Mapping[str, str]]", data["errors"])
    no = AnswerInvalid([Wrong(one["path"], one["expected"], one["found"]) for one in errors])
    no.details = {**no.details, "retries_left": data["retries_left"]}
    return no


async def _keep(call: Call, asked: SubmitWork) -> None:
    """Keep what came for an assignment whose round is over; raises where there never was one."""
    unit, _, number = asked.part_id.partition(".")
    rows = await call.engine.store.audit(call.tenant, unit, 0, 1) if number.isdigit() else ()
    if not rows:
        return
    order = about(call, asked.part_id, (_sent(asked, Taken(asked.answer)),), answered_plainly)
    await keep_late(call.engine, order)
    message = "The assignment is over; the answer was not applied and is kept as late."
    raise NotHeld(message, fix="Call get_next_work for other work.")
