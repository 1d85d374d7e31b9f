"""Decisions at the gates of a ticket, as the inbox and the page of a gate send them.

Each does what the command of the same name does, on the gate that was named. What needs more
words than a decision has (answers, edits) is no decision there: it has its own command.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from interlock.commands.row import Call
from interlock.commands.ticket import approve, deliver, limits, make, talk
from interlock.service.errors import InvalidInput
from interlock.service.run import Answer
from interlock.wire.gates import Verdict
from interlock.wire.ticket import AboutTicket, PlainlyTicket, RegenerateSetupPlan, Retry, SkipAll

WRITES: Final = frozenset({
    "answer_batch", "skip_question", "edit_answer", "save_artifact",
    "reopen_interview", "reopen_prd", "reopen_beads", "reopen_setup", "raise_budget",
})  # fmt: skip
"""What can be said only at a gate and needs a command of its own."""


Sends = Callable[[Call, str, str, str], Awaitable[Answer]]
"""Sends a decision: about which ticket, with which words, at which gate."""


async def decide_ticket(call: Call, name: str, asked: Verdict, gate: str) -> Answer:
    """Take a decision about a ticket."""
    word = asked.decision
    if word in WRITES:
        command = "reopen" if word.startswith("reopen_") else word
        message = f"{word} needs more than a decision."
        raise InvalidInput(message, fix=f"Call {command} with what it is to say.")
    reason = asked.feedback or ""
    if word == "approve":
        said = {"content_digest": asked.content_digest, "feedback": asked.feedback or None}
        return await approve.approved(call, name, said, gate)
    if word in SENDS:
        return await SENDS[word](call, name, reason, gate)
    return await make.decide_plainly(call, name, word, reason, gate)


async def _retry(call: Call, name: str, reason: str, _: str) -> Answer:
    return await make.retry(call, Retry(ticket_id=name, note=reason or None))


async def _skip_all(call: Call, name: str, reason: str, _: str) -> Answer:
    return await talk.skip_all(call, SkipAll(ticket_id=name, reason=reason))


async def _regenerate(call: Call, name: str, reason: str, gate: str) -> Answer:
    asked = RegenerateSetupPlan(ticket_id=name, comment=reason or None)
    return await limits.regenerate_setup_plan(call, asked, gate)


async def _merge(call: Call, name: str, _: str, gate: str) -> Answer:
    return await deliver.merge(call, AboutTicket(ticket_id=name), gate)


async def _close(call: Call, name: str, reason: str, gate: str) -> Answer:
    return await deliver.close_unmerged(call, PlainlyTicket(ticket_id=name, reason=reason), gate)


async def _finish(call: Call, name: str, reason: str, gate: str) -> Answer:
    return await deliver.finish(call, PlainlyTicket(ticket_id=name, reason=reason), gate)


SENDS: Final[Mapping[str, Sends]] = {
    "retry": _retry,
    "skip_all": _skip_all,
    "regenerate_setup_plan": _regenerate,
    "merge": _merge,
    "close_unmerged": _close,
    "finish": _finish,
}
"""Decisions whose commands do more than say them."""
