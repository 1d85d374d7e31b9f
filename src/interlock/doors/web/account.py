"""Oneself: who is logged in, with which sessions, and a new password."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.page import Told
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput
from interlock.service.sessions import end_session, list_sessions, set_password

PATH: Final = "/account"


@dataclass(frozen=True, slots=True)
class Account:
    """The page about oneself."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, PATH, self.show),
            behind_login(self.engine, PATH + "/password", self.change, "POST", PATH),
            behind_login(self.engine, PATH + "/sessions/{session}", self.close, "POST", PATH),
        ]

    async def show(self, guest: Guest) -> Response:
        """Show who is logged in."""
        return await self._page(guest)

    async def change(self, guest: Guest) -> Response:
        """Set another password."""
        form = await guest.form()
        old, new = form.get("old", ""), form.get("password", "")
        try:
            await set_password(self.engine, guest.visit, old, new)
        except InterlockError as error:
            field = "password" if isinstance(error, InvalidInput) else "old"
            return await self._page(guest, Told.of(error, field), error.http)
        return guest.go(PATH)

    async def close(self, guest: Guest) -> Response:
        """End one of one's own sessions."""
        await guest.form()
        visit = guest.visit
        own = await list_sessions(self.engine, visit.principal, visit.person.id)
        name = guest.request.path_params["session"]
        if name in {row.id for row in own}:
            await end_session(self.engine, visit.principal, name)
        return guest.go(PATH)

    async def _page(self, guest: Guest, told: Told | None = None, status: int = 200) -> Response:
        people, row = self.engine.store.people, guest.visit.person
        found = await list_sessions(self.engine, guest.visit.principal, row.id)
        this = guest.visit.session.id
        sessions = sorted(found, key=lambda one: (one.id != this, -one.seen_at))
        return await guest.page(
            "account.html", place="account", status=status, told=told, sessions=sessions,
            has_password=await people.password(row.tenant, row.id) is not None,
        )  # fmt: skip
