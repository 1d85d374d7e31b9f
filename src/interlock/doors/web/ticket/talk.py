"""What people say to a ticket from its page: start it, answer, skip, approve, retry.

Each form sends one command. What is refused is told on the same page, with what was filled in;
what changed under somebody's hands is shown, and nothing is decided.
"""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.csrf import Form
from interlock.doors.web.guest import Data, Guest, behind_login
from interlock.doors.web.page import Told
from interlock.doors.web.ticket.interview import (
    PICK,
    TEXT,
    Asked,
    Interview,
    given,
    interview_of,
)
from interlock.doors.web.unit import PATH, UnitPage
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput
from interlock.service.gates import StaleDigest
from interlock.service.read import read_unit
from interlock.ticketing.checked import text

WORDS: Final = ("title", "description", "project_id", "policy")


@dataclass(frozen=True, slots=True)
class Talk:
    """The forms on the page of a ticket."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        sends = {
            "edit": self.edit, "start": self.start, "approve": self.approve, "retry": self.retry,
            "answers": self.answer, "skip/{question}": self.skip, "skip-all": self.skip_all,
            "answers/{question}": self.correct, "regenerate": self.regenerate,
        }  # fmt: skip
        return [
            behind_login(self.engine, f"{PATH}/{path}", send, "POST")
            for path, send in sends.items()
        ]

    async def edit(self, guest: Guest) -> Response:
        """Change what a ticket says that was not started."""
        form = await guest.form()
        said = {name: form[name] for name in WORDS if name in form}
        return await self._send(guest, "edit_ticket", form, **said)

    async def start(self, guest: Guest) -> Response:
        """Start it, with what the project is set to now."""
        return await self._send(guest, "start", await guest.form())

    async def approve(self, guest: Guest) -> Response:
        """Approve what was shown; where that is not the newest any more nothing is decided."""
        form = await guest.form()
        digest = form.get("content_digest") or None
        return await self._send(guest, "approve", form, content_digest=digest)

    async def retry(self, guest: Guest) -> Response:
        """Let it go on where it stopped."""
        form = await guest.form()
        return await self._send(guest, "retry", form, note=form.get("note", "").strip() or None)

    async def regenerate(self, guest: Guest) -> Response:
        """Have the setup plan drafted again, with what should be different."""
        form = await guest.form()
        comment = form.get("comment", "").strip()
        return await self._send(guest, "regenerate_setup_plan", form, comment=comment or None)

    # -- interview -----------------------------------------------------------------------------

    async def answer(self, guest: Guest) -> Response:
        """Answer the questions that wait; what has no answer is left to the council."""
        form = await guest.form()
        found = await self._interview(guest)
        waiting = found.waiting.questions if found and found.waiting else ()
        number = form.get("batch", "")
        batch = int(number) if number.isascii() and number.isdecimal() else 0
        answers = given(form, waiting)
        return await self._send(guest, "answer_batch", form, batch=batch, answers=answers)

    async def skip(self, guest: Guest) -> Response:
        """Leave one question to the council; what was filled in elsewhere stays."""
        form = await guest.form()
        question = guest.request.path_params["question"]
        try:
            await self._call(guest, "skip_question", question_id=question)
        except InterlockError as error:
            return await self._again(guest, error, form)
        own = (f"{TEXT}{question}", f"{PICK}{question}", f"{PICK}{question}-")
        kept = {
            name: said
            for name, said in form.items()
            if name not in own[:2] and not name.startswith(own[2])
        }
        return await UnitPage(self.engine).page(guest, form=kept)

    async def skip_all(self, guest: Guest) -> Response:
        """End the interview here."""
        form = await guest.form()
        return await self._send(guest, "skip_all", form, reason=form.get("reason", ""))

    async def correct(self, guest: Guest) -> Response:
        """Change an earlier answer."""
        form = await guest.form()
        question = guest.request.path_params["question"]
        found = await self._interview(guest)
        asked = next((one for one in _earlier(found) if one.id == question), None)
        if asked is None:
            error = InvalidInput("There is no such answer.", fix="Load the page again.")
            return await self._again(guest, error, form)
        (said,) = given(form, (asked,)) or [{"question_id": question}]
        return await self._send(guest, "edit_answer", form, **said)

    async def _interview(self, guest: Guest) -> Interview | None:
        """Read the interview as it stands."""
        unit = guest.request.path_params["unit"]
        read = await read_unit(self.engine, guest.person.tenant, unit)
        held = read.whole.row.unit.fields.get("documents") or {}
        digest = text(held, "session") if isinstance(held, dict) else ""
        store = self.engine.store
        content = await store.content(guest.person.tenant, digest) if digest else None
        return interview_of((content or b"").decode())

    # -- sending -------------------------------------------------------------------------------

    async def _call(self, guest: Guest, command: str, **said: object) -> Data:
        return await guest.call(command, ticket_id=guest.request.path_params["unit"], **said)

    async def _send(self, guest: Guest, command: str, form: Form, **said: object) -> Response:
        """Send a command; then the page of the ticket is shown as it is now."""
        try:
            await self._call(guest, command, **said)
        except InterlockError as error:
            return await self._again(guest, error, form)
        return guest.go(f"{PATH.format(unit=guest.request.path_params['unit'])}")

    async def _again(self, guest: Guest, error: InterlockError, form: Form) -> Response:
        told = Told.of(error)
        if error.code == StaleDigest.code:
            told = Told("This has changed since you looked. Nothing was decided.", error.fix)
        return await UnitPage(self.engine).page(guest, told, error.http, form)


def _earlier(found: Interview | None) -> tuple[Asked, ...]:
    """Return the questions whose answers can be changed."""
    if found is None:
        return ()
    turns = [one for turn in found.earlier for one in turn.questions]
    return tuple(one for one in (*turns, *found.rest) if one.is_answered)
