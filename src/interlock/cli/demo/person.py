"""The person of the demo's ticket: answers, approves what is shown, and merges.

What is done next follows from how the ticket stands and from nothing else, so a person who was
cut off goes on where they were.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from interlock.wire.envelope import Envelope

Told = dict[str, Any]
Calls = Callable[[str, Mapping[str, object]], Awaitable[Envelope]]

BLOCKED: Final = "BLOCKED_ERROR"
REVIEW: Final = "WAITING_PR_REVIEW"
ENDED: Final = ("COMPLETED", "CANCELED")
NAP_S: Final = 0.1


class Person:
    """Whoever decides about one ticket."""

    def __init__(self, calls: Calls, ticket: str) -> None:
        """Say everything through ``calls``."""
        self._calls = calls
        self.ticket = ticket

    async def told(self) -> Told:
        """Read how the ticket stands."""
        return dict((await self._calls("ticket_status", {"ticket_id": self.ticket})).data)

    async def decide(self, until: str = "", hear: Callable[[Told], None] | None = None) -> Told:
        """Say what there is to say, until the ticket has ended, is blocked, or is at a phase."""
        while True:
            told = await self.told()
            if hear is not None:
                hear(told)
            if told["phase"]["name"] in (*ENDED, BLOCKED, until):
                return told
            await self.step(told)
            await asyncio.sleep(NAP_S)

    async def step(self, told: Told) -> None:
        """Say what the ticket waits for, if it does."""
        phase = told["phase"]["name"]
        if phase == "WAITING_INTERVIEW_ANSWERS" and "batch" in told:
            batch = told["batch"]
            each = [
                {"question_id": one["id"], "text": "Ten percent."} for one in batch["questions"]
            ]
            await self._say("answer_batch", batch=batch["number"], answers=each)
        elif phase.endswith("_APPROVAL") and (digest := _shown(told)):
            await self._say("approve", content_digest=digest)
        elif phase == REVIEW and not _is_asked(told, "merge"):
            await self._say("merge")

    async def retry(self) -> None:
        """Let a blocked ticket go on."""
        await self._say("retry")

    async def _say(self, command: str, **arguments: object) -> None:
        await self._calls(command, {"ticket_id": self.ticket, **arguments})


def _shown(told: Told) -> str:
    """Return the digest of what is to be approved; nothing while it is being drafted."""
    gates = told.get("gates") or [{}]
    return str(gates[-1].get("content_digest") or "")


def _is_asked(told: Told, task: str) -> bool:
    """Whether somebody was asked already, and has not ended."""
    open_ = ("offered", "claimed")
    return any(one.get("task") == task and one["status"] in open_ for one in told.get("work", ()))
