"""Logging in and out: the form, and the one-time link; both lead to the page that was wanted.

A link is used only by the button on its page: a program that merely looks at it uses nothing.
"""

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.csrf import read_form
from interlock.doors.web.page import Told, go, page
from interlock.doors.web.session import (
    CHANNEL,
    NEXT,
    begin,
    end,
    own_path,
    remember_wanted,
    remembered,
    require_https,
    visit_of,
    wanted_page,
)
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.sessions import log_in, use_login

PATH: Final = "/login"


@dataclass(frozen=True, slots=True)
class Login:
    """The pages of coming in and leaving."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(PATH, self.show, methods=["GET"]),
            Route(PATH, self.send, methods=["POST"]),
            Route(PATH + "/{secret}", self.show_link, methods=["GET"]),
            Route(PATH + "/{secret}", self.use_link, methods=["POST"]),
            Route("/logout", self.leave, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show the form."""
        require_https(self.engine, request)
        if await visit_of(self.engine, request) is not None:
            return go(self.engine, request, wanted_page(request))
        response = self._form(request, wanted_page(request))
        remember_wanted(self.engine, request, response, wanted_page(request))
        return response

    async def send(self, request: Request) -> Response:
        """Let somebody in, or show the form again with what is wrong."""
        require_https(self.engine, request)
        form = await read_form(self.engine, request)
        email, wanted = form.get("email", ""), own_path(form.get(NEXT, ""))
        try:
            visit = await log_in(self.engine, email, form.get("password", ""), CHANNEL)
        except InterlockError as error:
            return self._form(request, wanted, error, email)
        return begin(self.engine, request, visit, wanted)

    def _form(
        self, request: Request, wanted: str, error: InterlockError | None = None, email: str = ""
    ) -> Response:
        told = None if error is None else Told.of(error, "password")
        return page(
            self.engine, request, "login.html", status=200 if error is None else error.http,
            email=email, wanted=wanted, provider=self.engine.provider is not None, told=told,
        )  # fmt: skip

    async def show_link(self, request: Request) -> Response:
        """Show the button that uses a link; nothing is looked up, so nothing is given away."""
        require_https(self.engine, request)
        return page(self.engine, request, "login_link.html")

    async def use_link(self, request: Request) -> Response:
        """Let somebody in by a link, once."""
        require_https(self.engine, request)
        await read_form(self.engine, request)
        visit = await use_login(self.engine, request.path_params["secret"], CHANNEL)
        return begin(self.engine, request, visit, remembered(self.engine, request))

    async def leave(self, request: Request) -> Response:
        """End the session."""
        visit = await visit_of(self.engine, request)
        if visit is not None:
            await read_form(self.engine, request)
        return await end(self.engine, request, visit)
