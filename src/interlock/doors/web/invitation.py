"""Accepting an invitation: a name and a password, or the identity provider's word."""

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.csrf import Form, read_form
from interlock.doors.web.page import Told, page
from interlock.doors.web.session import CHANNEL, begin, require_https
from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput
from interlock.service.passwords import check_password
from interlock.service.people import accept, check_name, invitation

PATH: Final = "/invitation/{secret}"


@dataclass(frozen=True, slots=True)
class Invitation:
    """The page behind the link of an invitation."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(PATH, self.show, methods=["GET"]),
            Route(PATH, self.send, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show the form, with the e-mail that was invited; looking at it accepts nothing."""
        require_https(self.engine, request)
        return await self._form(request, {}, None)

    async def send(self, request: Request) -> Response:
        """Make a person of whoever was invited, or show the form again with what is wrong."""
        require_https(self.engine, request)
        form = await read_form(self.engine, request)
        told = _wrong(form)
        if told is not None:
            return await self._form(request, form, told)
        secret, name = request.path_params["secret"], form.get("name", "")
        visit = await accept(self.engine, secret, name, form.get("password", ""), CHANNEL)
        return begin(self.engine, request, visit)

    async def _form(self, request: Request, form: Form, told: Told | None) -> Response:
        row = await invitation(self.engine, request.path_params["secret"])
        return page(
            self.engine, request, "invitation.html", status=200 if told is None else 422,
            email=row.email, role=row.role, name=form.get("name", ""), told=told,
            provider=self.engine.provider is not None, secret=request.path_params["secret"],
        )  # fmt: skip


def _wrong(form: Form) -> Told | None:
    """Return what is wrong with a form, beside the field that is to blame."""
    for field, check in (("name", check_name), ("password", check_password)):
        try:
            check(form.get(field, ""))
        except InvalidInput as error:
            return Told.of(error, field)
    return None
