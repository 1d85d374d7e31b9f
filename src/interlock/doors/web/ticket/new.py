"""A new ticket: which project, what it is called, what is to be built."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.csrf import Form
from interlock.doors.web.guest import Guest, behind_login, rows
from interlock.doors.web.page import Told
from interlock.errors import InterlockError
from interlock.service.engine import Engine

NEW: Final = "/tickets/new"
FIELDS: Final = ("project_id", "title", "description", "policy", "tags")


@dataclass(frozen=True, slots=True)
class NewTicket:
    """The page on which a ticket is written down."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, NEW, self.show),
            behind_login(self.engine, NEW, self.send, "POST"),
        ]

    async def show(self, guest: Guest) -> Response:
        """Show the form."""
        return await self._page(guest, {"project_id": guest.asked("project")})

    async def send(self, guest: Guest) -> Response:
        """Write the ticket down, and show it."""
        form = await guest.form()
        tags = [one.strip() for one in form.get("tags", "").split(",") if one.strip()]
        said = {name: form.get(name, "") for name in FIELDS if name != "tags"}
        try:
            made = await guest.call("create_ticket", **said, tags=tags)
        except InterlockError as error:
            told = Told.beside(error, FIELDS, "")
            return await self._page(guest, form, told, error.http)
        return guest.go(f"/units/{made['ticket_id']}")

    async def _page(
        self, guest: Guest, form: Form, told: Told | None = None, status: int = 200
    ) -> Response:
        projects = rows(await guest.call("list_projects"), "projects")
        return await guest.page(
            "ticket_new.html", place="board:ticket", status=status, told=told, form=form,
            projects=projects,
        )  # fmt: skip
