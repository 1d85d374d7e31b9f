"""Somebody who is logged in, with one request of theirs: what every page behind the login gets.

Pages read and change nothing by themselves: they call commands, as that person, like any door.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.commands.verbs import LocalVerbs
from interlock.doors.web.csrf import Form, read_form
from interlock.doors.web.naming import names_of
from interlock.doors.web.page import go, page
from interlock.doors.web.session import CHANNEL, to_login, visit_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput
from interlock.service.seal import seal_of
from interlock.service.sessions import Visit
from interlock.store.gates import WhichGates

Data = Mapping[str, object]
Rows = list[dict[str, object]]

EVENTS: Final = "/v1/events"
WAITING_MAX: Final = 100
"""So many gates are counted for the title; more are told as that many and more."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Who asks for a page, and how they are answered."""

    engine: Engine
    request: Request
    visit: Visit

    @property
    def person(self) -> Principal:
        """The person, as they come in by a page."""
        return replace(self.visit.principal, channel=CHANNEL)

    def may(self, scope: str) -> bool:
        """Say whether they may do this kind of thing."""
        return scope in self.visit.principal.scopes

    async def call(self, command: str, **arguments: object) -> Data:
        """Call a command as this person; what is None is left out."""
        given = {name: value for name, value in arguments.items() if value is not None}
        return await self.send(command, given)

    async def send(
        self, command: str, arguments: Mapping[str, object], version: int | None = None
    ) -> Data:
        """Call a command; with a version only if the unit still stands there."""
        verbs = LocalVerbs(self.engine, self.person)
        return (await verbs.call(command, arguments, version)).data

    async def form(self, *, is_large: bool = False) -> Form:
        """Return what they sent; raises where it does not come from a page of ours.

        A large one holds whole documents.
        """
        return await read_form(self.engine, self.request, is_large=is_large)

    def asked(self, name: str, most: int = 200) -> str:
        """Return a word of the query, as long as it may be."""
        return self.request.query_params.get(name, "")[:most]

    def number(self, name: str) -> int | None:
        """Return a number of the query; None where there is none; raises ``InvalidInput``."""
        text = self.asked(name)
        if not text:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) <= len(str(2**53))):
            raise InvalidInput(f"{name} is no number.", fix="Go back and choose again.")
        return int(text)

    async def events(self, unit: str = "") -> str:
        """Return where a page hears of what happens from now on, of one unit or of all.

        It is asked before anything is read that the page shows: so nothing falls between the two.
        """
        tenant = self.person.tenant
        place, seal = await asyncio.gather(
            self.engine.store.feed_end(tenant), seal_of(self.engine, tenant)
        )
        about = {"unit": unit} if unit else {}
        return f"{EVENTS}?{urlencode({**about, 'after': seal.close(place)})}"

    def go(self, path: str) -> Response:
        """Send them on."""
        return go(self.engine, self.request, path)

    async def page(
        self, template: str, *, place: str = "", status: int = 200, **values: object
    ) -> Response:
        """Render a page for them; ``place`` is the entry of the menu that it belongs to."""
        waiting = await self.engine.store.gates.page(
            self.person.tenant, WhichGates(), None, WAITING_MAX
        )
        menu = {"place": place, "waiting": len(waiting), "is_more": len(waiting) == WAITING_MAX}
        return page(
            self.engine, self.request, template, visit=self.visit, status=status, menu=menu,
            guest=self, names=await names_of(self.engine, self.person.tenant), **values,
        )  # fmt: skip


Show = Callable[[Guest], Awaitable[Response]]


def behind_login(
    engine: Engine, path: str, show: Show, method: str = "GET", back: str = ""
) -> Route:
    """Return the route of a page that only people see who are logged in.

    ``back`` is where they go once they are, where that is not the page itself.
    """

    async def answer(request: Request) -> Response:
        visit = await visit_of(engine, request)
        if visit is None:
            return to_login(engine, request, back)
        return await show(Guest(engine, request, visit))

    return Route(path, answer, methods=[method])


def rows(data: Data, name: str) -> Rows:
    """Return the rows that an answer has under a name."""
    return cast("Rows", data.get(name) or [])
