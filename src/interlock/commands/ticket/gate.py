"""Decisions at the gates of a ticket, as the inbox and the page of a gate send them.

Each does what the command of the same name does, on the gate that was named. What needs more
words than a decision has (answers, edits) is no decision there: it has its own command.
"""

from typing import Final

from interlock.commands.row import Call
from interlock.commands.ticket import approve, make, talk
from interlock.service.errors import InvalidInput
from interlock.service.run import Answer
from interlock.wire.gates import Verdict
from interlock.wire.ticket import Retry, SkipAll

WRITES: Final = frozenset({
    "answer_batch", "skip_question", "edit_answer", "save_artifact",
    "reopen_interview", "reopen_prd", "reopen_beads", "reopen_setup", "raise_budget",
})  # fmt: skip
"""What can be said only at a gate and needs a command of its own."""


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
    if word == "retry":
        return await make.retry(call, Retry(ticket_id=name, note=reason or None))
    if word == "skip_all":
        return await talk.skip_all(call, SkipAll(ticket_id=name, reason=reason))
    return await make.decide_plainly(call, name, word, reason, gate)
