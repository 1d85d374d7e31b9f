"""The door for people: all its pages put together, and errors told as pages."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.http import NoSuchPath, told
from interlock.doors.noting import unforeseen
from interlock.doors.web.account import Account
from interlock.doors.web.act import Act
from interlock.doors.web.artifact import Artifacts
from interlock.doors.web.audit import AuditPage
from interlock.doors.web.board import Board
from interlock.doors.web.calls import Calls
from interlock.doors.web.checking import Checks
from interlock.doors.web.decide import Decide
from interlock.doors.web.guest import Guest
from interlock.doors.web.headers import secured
from interlock.doors.web.health import HealthPage
from interlock.doors.web.inbox import Inbox
from interlock.doors.web.invitation import Invitation
from interlock.doors.web.login import Login
from interlock.doors.web.oidc import Oidc
from interlock.doors.web.page import Told, problem_page, static_routes
from interlock.doors.web.people import People
from interlock.doors.web.plan_change import PlanChange
from interlock.doors.web.project import Projects
from interlock.doors.web.session import visit_of
from interlock.doors.web.ticket.bead_page import BeadPage
from interlock.doors.web.ticket.diffs import Diffs
from interlock.doors.web.ticket.editor import Editor
from interlock.doors.web.ticket.evidence import Evidence
from interlock.doors.web.ticket.logs import Logs
from interlock.doors.web.ticket.new import NewTicket
from interlock.doors.web.ticket.talk import Talk
from interlock.doors.web.tokens import Tokens
from interlock.doors.web.unit import UnitPage
from interlock.doors.web.unit_forms import UnitForms
from interlock.doors.web.workflows import Workflows
from interlock.errors import InterlockError
from interlock.service.engine import Engine

log = logging.getLogger("interlock.web")

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Web:
    """The door: its routes, for whoever puts the application together."""

    engine: Engine
    checks: Checks = field(default_factory=Checks)

    def routes(self) -> list[Route]:
        """Return the routes of all pages; what is refused in one becomes a page, too."""
        pages = [
            *Inbox(self.engine).routes(),
            *Board(self.engine).routes(),
            *UnitPage(self.engine).routes(),
            *UnitForms(self.engine).routes(),
            *PlanChange(self.engine).routes(),
            *NewTicket(self.engine).routes(),
            *Talk(self.engine).routes(),
            *Editor(self.engine).routes(),
            *BeadPage(self.engine).routes(),
            *Diffs(self.engine).routes(),
            *Evidence(self.engine).routes(),
            *Logs(self.engine).routes(),
            *Projects(self.engine).routes(),
            *Act(self.engine).routes(),
            *Artifacts(self.engine).routes(),
            *Oidc(self.engine).routes(),
            *Login(self.engine).routes(),
            *Invitation(self.engine).routes(),
            *Account(self.engine).routes(),
            *Decide(self.engine).routes(),
            *Workflows(self.engine, self.checks).routes(),
            *People(self.engine).routes(),
            *Tokens(self.engine).routes(),
            *Calls(self.engine).routes(),
            *AuditPage(self.engine).routes(),
            *HealthPage(self.engine).routes(),
        ]
        return [*static_routes(), *(self.told(route) for route in pages)]

    def told(self, route: Route) -> Route:
        """Return a route whose refusals are told as a page."""
        return Route(route.path, self._telling(route.endpoint), methods=sorted(route.methods or ()))

    def _telling(self, endpoint: Endpoint) -> Endpoint:
        async def answer(request: Request) -> Response:
            try:
                return await endpoint(request)
            except InterlockError as error:
                return await self._problem(request, error)
            except Exception as bug:  # noqa: BLE001  whatever it is, it is written down, and told as ours
                # What comes after the first word of an address may be a secret.
                page_of = request.scope["path"].split("/")[1]
                internal = unforeseen(self.engine.clock, log, page_of, bug)
                return problem_page(self.engine, request, internal)

        return answer

    async def _problem(self, request: Request, error: InterlockError) -> Response:
        """Tell what went wrong, with the menu for whoever is logged in."""
        try:
            visit = await visit_of(self.engine, request)
            if visit is not None:
                guest = Guest(self.engine, request, visit)
                return await guest.page("problem.html", status=error.http, told=Told.of(error))
        except InterlockError as worse:  # the database is away: then there is no menu either
            log.warning("a problem is told without a menu: %s", worse.message)
        return problem_page(self.engine, request, error)

    async def nowhere(self, request: Request, exc: Exception) -> Response:
        """Tell that there is nothing at a path: as a page to people, as data to programs."""
        if not isinstance(exc, HTTPException):
            raise exc
        fix = "Go to the start, or see the REST door's document at /v1/openapi.json."
        what = "There is no page at this address."
        if exc.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            what = "This address is not asked in that way."
        error = NoSuchPath(what, fix=fix)
        if "text/html" in request.headers.get("accept", ""):
            response = await self._problem(request, error)
        else:
            response = secured(told(error, dict(exc.headers or {})))
        response.status_code = exc.status_code
        return response
