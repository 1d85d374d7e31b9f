"""People: who is here with which role, who is invited, who is shut out. For admins.

The link of an invitation is shown once, in the answer to the form that made it, and is kept
nowhere. What is refused is told beside the button that was pressed.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.csrf import Form
from interlock.doors.web.guest import Guest, behind_login, rows
from interlock.doors.web.page import Told
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.roles import OWNER, ROLES

PATH: Final = "/people"
EMPTY: Final[Form] = {}


class Outcome(NamedTuple):
    """What a form came to, where the page is shown again: a link, or what is wrong."""

    told: Told | None = None
    link: str = ""
    form: Form = EMPTY
    status: int = 200


@dataclass(frozen=True, slots=True)
class People:
    """The page about everybody."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        posts = {
            "/invite": self.invite,
            "/invitations/{id}/withdraw": self.withdraw,
            "/{id}/role": self.set_role,
            "/{id}/disable": self.disable,
            "/{id}/enable": self.enable,
            "/{id}/sessions": self.end_sessions,
        }
        sent = [
            behind_login(self.engine, PATH + path, send, "POST", PATH)
            for path, send in posts.items()
        ]
        return [behind_login(self.engine, PATH, self.show), *sent]

    async def show(self, guest: Guest) -> Response:
        """Show who is here."""
        return await self._page(guest, Outcome())

    async def invite(self, guest: Guest) -> Response:
        """Invite somebody, and show the link this once."""
        form = await guest.form()
        asked = {"email": form.get("email", ""), "role": form.get("role", "")}
        try:
            made = await guest.call("invite_user", **asked)
        except InterlockError as error:
            told = Told.beside(error, asked, "email")
            return await self._page(guest, Outcome(told, form=form, status=error.http))
        return await self._page(
            guest, Outcome(link=str(made["link"]), form={"email": form["email"]})
        )

    async def withdraw(self, guest: Guest) -> Response:
        """Withdraw an invitation."""
        await guest.form()
        return await self._done(guest, "withdraw_invitation", invitation_id=_named(guest))

    async def set_role(self, guest: Guest) -> Response:
        """Give somebody another role."""
        role = (await guest.form()).get("role", "")
        return await self._done(guest, "set_role", user_id=_named(guest), role=role)

    async def disable(self, guest: Guest) -> Response:
        """Shut somebody out."""
        await guest.form()
        return await self._done(guest, "disable_user", user_id=_named(guest))

    async def enable(self, guest: Guest) -> Response:
        """Let somebody in again."""
        await guest.form()
        return await self._done(guest, "enable_user", user_id=_named(guest))

    async def end_sessions(self, guest: Guest) -> Response:
        """Log somebody out of every browser but the one that this is asked with."""
        await guest.form()
        own = guest.visit.session.id
        try:
            found = await guest.call("list_sessions", user_id=_named(guest))
            for one in rows(found, "sessions"):
                if one["browser_session_id"] != own:
                    await guest.call("end_session", browser_session_id=one["browser_session_id"])
        except InterlockError as error:
            return await self._refused(guest, error)
        return guest.go(PATH)

    async def _done(self, guest: Guest, command: str, **arguments: object) -> Response:
        """Call a command; what is refused is told beside whom it is about."""
        try:
            await guest.call(command, **arguments)
        except InterlockError as error:
            return await self._refused(guest, error)
        return guest.go(PATH)

    async def _refused(self, guest: Guest, error: InterlockError) -> Response:
        told = Told.of(error, _named(guest))
        return await self._page(guest, Outcome(told, status=error.http))

    async def _page(self, guest: Guest, outcome: Outcome) -> Response:
        found = await guest.call("list_users")
        invited = await guest.call("list_invitations")
        sessions = rows(await guest.call("list_sessions"), "sessions")
        people = rows(found, "users")
        is_owner = guest.visit.person.role == OWNER
        for one in people:
            one["may_change"] = _may_change(guest, one)
        known = {str(one["user_id"]) for one in people}
        told = outcome.told
        is_about_row = told is not None and told.field in known
        return await guest.page(
            "people.html", place="people", status=outcome.status, told=told, people=people,
            is_about_row=is_about_row, link=outcome.link, form=outcome.form,
            invited=rows(invited, "invitations"), roles=ROLES if is_owner else ROLES[1:],
            logged_in=Counter(str(one["user_id"]) for one in sessions),
        )  # fmt: skip


def _named(guest: Guest) -> str:
    return str(guest.request.path_params["id"])


def _may_change(guest: Guest, person: Mapping[str, object]) -> bool:
    """Say whether this admin may change that person: an owner is changed by owners alone."""
    return person["role"] != OWNER or guest.visit.person.role == OWNER
