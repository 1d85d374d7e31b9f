"""The person of a planning run: answers, edits, skips, approves, and once changes their mind.

What is done next follows from how the ticket stands and from nothing else, so a person who was
cut off goes on where they were. Everything is said by whatever calls commands.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from interlock.ticketing import canonical
from interlock.wire.envelope import Envelope
from interlock.workflows.ticket.phases import between
from tests.planning.script import SKIPPED

Told = dict[str, Any]
Calls = Callable[[str, Mapping[str, object]], Awaitable[Envelope]]

BLOCKED: Final = "BLOCKED_ERROR"
AFTER: Final = frozenset(between("PRE_FLIGHT_CHECK", "COMPLETED"))
"""Where a ticket can be once its blueprint was approved: nobody waits for us there."""

NAP_S: Final = 0.1
FRESH: Final = "Fresh apples"
"""What the PRD is changed to after it was approved."""


class Person:
    """Whoever decides about one ticket."""

    def __init__(self, calls: Calls, ticket: str) -> None:
        """Say everything through ``calls``."""
        self._calls = calls
        self.ticket = ticket

    async def told(self) -> Told:
        """Read how the ticket stands."""
        return dict((await self._calls("ticket_status", {"ticket_id": self.ticket})).data)

    async def decide(self) -> Told:
        """Say what there is to say, until the ticket is planned or blocked; return how it stands."""
        while True:
            told = await self.told()
            if is_planned(told) or told["phase"]["name"] == BLOCKED:
                return told
            await self.step(told)
            await asyncio.sleep(NAP_S)

    async def step(self, told: Told) -> None:
        """Say what the ticket waits for, if it does."""
        phase = told["phase"]["name"]
        if phase == "WAITING_INTERVIEW_ANSWERS" and "batch" in told:
            await self._answer(told["batch"])
        elif phase == "WAITING_BEADS_APPROVAL" and not await self._is_fresh():
            await self._reopen()
        elif phase.endswith("_APPROVAL"):
            await self._say("approve", content_digest=told["gates"][-1]["content_digest"])

    async def _say(self, command: str, **arguments: object) -> None:
        await self._calls(command, {"ticket_id": self.ticket, **arguments})

    async def _answer(self, batch: Told) -> None:
        if batch["number"] == 2:  # on second thoughts
            await self._say("edit_answer", question_id="Q01", selected=["o2"], text="")
            await self._say("skip_question", question_id=SKIPPED, reason="Who knows.")
        each = [answer_to(one) for one in batch["questions"] if one["id"] != SKIPPED]
        await self._say("answer_batch", batch=batch["number"], answers=each)

    async def _texts(self) -> dict[str, str]:
        answer = await self._calls("ticket_context", {"ticket_id": self.ticket})
        texts = answer.data["texts"]
        assert isinstance(texts, dict)
        return texts

    async def _is_fresh(self) -> bool:
        return FRESH in (await self._texts())["prd"]

    async def _reopen(self) -> None:
        """Edit the PRD that was approved before: drafting of the blueprint starts anew."""
        text = (await self._texts())["prd"]
        edit = text.replace("Many apples", FRESH)
        digest = canonical.digest(text)
        told = {"artifact": "prd", "reason": "Fresh ones.", "content": edit, "base_digest": digest}
        await self._say("reopen", **told)


def is_planned(told: Told) -> bool:
    """Say whether the blueprint was approved, whatever became of the ticket since."""
    error = told.get("error", {})
    return not AFTER.isdisjoint((told["phase"]["name"], error.get("previous_status")))


def answer_to(question: Told) -> Told:
    """Answer a question in the way of its type; choices with words, too."""
    name, kind = question["id"], question["answer_type"]
    options = [one["id"] for one in question.get("options", ())]
    if kind == "single_choice":
        return {"question_id": name, "selected": options[:1]}
    if kind == "multiple_choice":
        return {"question_id": name, "selected": options[:2], "text": "Not on Sundays."}
    if kind == "yes_no":
        return {"question_id": name, "selected": ["yes"]}
    return {"question_id": name, "text": f"Answer to {name}."}
