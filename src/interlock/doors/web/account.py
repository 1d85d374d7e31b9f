"""Oneself: who is logged in, with which sessions, and a new password."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.csrf import read_form
from interlock.doors.web.page import Told, go, page
from interlock.doors.web.session import to_login, visit_of
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput
from interlock.service.sessions import Visit, end_session, list_sessions, set_password

PATH: Final = "/account"


@dataclass(frozen=True, slots=True)
class Account:
    """The page about oneself."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(PATH, self.show, methods=["GET"]),
            Route(PATH + "/password", self.change, methods=["POST"]),
            Route(PATH + "/sessions/{session}", self.close, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show who is logged in."""
        visit = await visit_of(self.engine, request)
        if visit is None:
            return to_login(self.engine, request)
        return await self._page(request, visit, None)

    async def change(self, request: Request) -> Response:
        """Set another password."""
        visit = await visit_of(self.engine, request)
        if visit is None:
            return to_login(self.engine, request, PATH)
        form = await read_form(self.engine, request)
        try:
            await set_password(self.engine, visit, form.get("old", ""), form.get("password", ""))
        except InterlockError as error:
            field = "password" if isinstance(error, InvalidInput) else "old"
            return await self._page(request, visit, Told.of(error, field), error.http)
        return go(self.engine, request, PATH)

    async def close(self, request: Request) -> Response:
        """End one of one's own sessions."""
        visit = await visit_of(self.engine, request)
        if visit is None:
            return to_login(self.engine, request, PATH)
        await read_form(self.engine, request)
        own = await list_sessions(self.engine, visit.principal, visit.person.id)
        name = request.path_params["session"]
        if name in {row.id for row in own}:
            await end_session(self.engine, visit.principal, name)
        return go(self.engine, request, PATH)

    async def _page(
        self, request: Request, visit: Visit, told: Told | None, status: int = 200
    ) -> Response:
        people, row = self.engine.store.people, visit.person
        rows = await list_sessions(self.engine, visit.principal, row.id)
        sessions = [(one.id, _day(one.seen_at), one.id == visit.session.id) for one in rows]
        return page(
            self.engine, request, "account.html", visit=visit, status=status, told=told,
            sessions=sessions, has_password=await people.password(row.tenant, row.id) is not None,
        )  # fmt: skip


def _day(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
