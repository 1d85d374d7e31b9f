"""Handing in an answer or a report: it is judged, then taken or refused; both are kept.

What is refused is an event, too: it is counted, and after so many the assignment has failed. The
caller is told what is wrong after that was committed, and is told the same again for the same
request id.
"""

from collections.abc import Mapping
from typing import Final, cast

from interlock.commands.deciding import on_one_version
from interlock.commands.row import Call
from interlock.commands.ticket.desk import BEAD, Desk, desk_of
from interlock.commands.ticket.outcome import AGAIN, Taken
from interlock.commands.ticket.spending import spending, stop_if_spent
from interlock.commands.ticket.taken import take
from interlock.commands.ticket.words import about, answered, filed
from interlock.service.errors import NotFound
from interlock.service.late import keep_late
from interlock.service.logs import NotHeld
from interlock.service.order import (
    Asked,
    Filled,
    Kept,
    Order,
    Reply,
    Result,
    Worded,
    require_version,
)
from interlock.service.run import Answer
from interlock.store.rows import dump
from interlock.ticketing.answer import AnswerInvalid, Wrong, in_words
from interlock.ticketing.canonical import DocumentInvalid
from interlock.wire.work import GiveUpWork, SubmitWork, Usage

ANSWER: Final = "answer"
REJECTED: Final = "rejected"
INVALID_OUTPUT: Final = "invalid_output"
REASON_MAX: Final = 2_000
HELD: Final = ("claimed", "in_progress")
"""Where work is that somebody can answer."""

TRY_AGAIN: Final = "It is still yours: try again, with what the verdict says, and hand that in."


FAILURES: Final = ("timed_out", INVALID_OUTPUT)
"""Classes of failure with which a reason can begin; any other one has simply failed."""


def failure_of(reason: str) -> Mapping[str, object]:
    """Return the class of a failure, where the reason that is given begins with one."""
    word = reason.partition(":")[0]
    return {"failure": word} if word in FAILURES else {}


async def submit_answer(call: Call, asked: SubmitWork) -> Answer | None:
    """Hand in an answer about a ticket; None for any other part, which is not judged here."""
    name = asked.part_id
    if not name.startswith("ticket-") or "." not in name:
        return None
    try:
        answer = await on_one_version(call, name, lambda: _judged(call, asked))
    except NotFound:
        await _keep(call, asked)
        raise
    await stop_if_spent(call, name)
    if answer.reply["status"] == REJECTED:
        raise _told(answer.reply)
    return answer


async def give_up_answer(call: Call, asked: GiveUpWork) -> Answer:
    """Give work of a ticket up; what it has cost counts all the same."""
    args: dict[str, object] = {
        "reason": asked.reason, "error": asked.reason, **failure_of(asked.reason),
    }  # fmt: skip
    told: Reply = {"reason": asked.reason}

    async def order_of() -> Order:
        desk = await desk_of(call, asked.part_id)
        require_version(desk.unit, call.version)
        sent = Asked(part=asked.part_id, verb="fail", args=args, lease=asked.lease or "", told=told)
        more = spending(desk, usage_of(asked.usage))
        if more:
            sent = sent._replace(also=(Filled(desk.unit.id, more),))
        return about(call, asked.part_id, (sent,), answered_plainly, desk.unit.version)

    answer = await on_one_version(call, asked.part_id, order_of)
    await stop_if_spent(call, asked.part_id)
    return answer


def usage_of(usage: Usage | None) -> Reply:
    """Return what a piece of work has cost, as far as that was said."""
    return {} if usage is None else usage.model_dump(exclude_none=True)


async def _judged(call: Call, asked: SubmitWork) -> Order:
    """Return the order that takes an answer, or the one that refuses it."""
    name = asked.part_id
    desk = await desk_of(call, name)
    require_version(desk.unit, call.version)
    if desk.part.part.status not in HELD:
        # Nobody judges what comes too late; it is refused, and kept.
        return about(call, name, (_sent(asked, Taken(asked.answer)),), answered_plainly)
    try:
        taken = await take(desk, asked.answer, call.engine.store.now())
    except AnswerInvalid as no:
        if desk.part.part.kind == BEAD:
            # A report is made by a program: nothing of the attempt is lost by sending it mended.
            raise
        return _refusal(desk, asked, no.wrong)
    except DocumentInvalid as no:
        return _refusal(desk, asked, (Wrong("$", "a document", no.why),))
    more = {**taken.more, **spending(desk, usage_of(asked.usage))}
    also: tuple[Filled, ...] = ()
    if taken.texts or more:
        also = (filed(desk.unit, taken.texts, more),)
    if taken.own:
        also = (*also, Filled(name, taken.own))
    sent = _sent(asked, taken)._replace(also=also)
    return about(call, name, (sent,), _worded(taken), desk.unit.version)


def _worded(taken: Taken) -> Worded:
    """Return how what was handed in is answered: a report is told what came of it."""

    def word(result: Result) -> Reply:
        reply = answered_plainly(result)
        part, verdict = result.done[0].part, taken.verdict
        if verdict is None:
            return reply
        data = {**cast("Reply", reply["data"]), "verdict": verdict._asdict()}
        fields = result.unit.unit.fields
        data["tree"] = fields["tree"]
        if part is not None:
            tries = cast("int", part.part.fields["tries"])
            data |= {"attempt": tries + 1, "tries_max": fields["tries_max"]}
            if taken.verb == AGAIN and part.part.status in HELD:
                reply["next_action"] = TRY_AGAIN
        return reply | {"data": data}

    return word


def answered_plainly(result: Result) -> Reply:
    """Word the answer to work that was taken."""
    part = result.done[0].part
    data: Reply = {}
    if part is not None:
        data["part"] = {"part_id": part.id, "kind": part.part.kind, "status": part.part.status}
    return answered(result, data, action="Call get_next_work for more.")


def _sent(asked: SubmitWork, taken: Taken) -> Asked:
    kept = Kept(ANSWER, dump(dict(taken.answer)).encode())
    sent = Asked(part=asked.part_id, args=taken.args, lease=asked.lease or "", kept=(kept,))
    if taken.verdict is not None:
        sent = sent._replace(told={"verdict": taken.verdict._asdict()})
    if taken.verb == AGAIN:
        return sent._replace(event=AGAIN)
    return sent._replace(verb=taken.verb)


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
