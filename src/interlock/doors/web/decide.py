"""The page behind a link to a decision: what is to be decided, and one button for each decision.

Opening it decides nothing, so a program that looks at links in a mail does no harm; sending the
form decides as the person whom the link is for, once. After that the page says who decided what.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.commands.verbs import LocalVerbs
from interlock.doors.web.csrf import read_form
from interlock.doors.web.page import Told, page
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.gates import GateDecided
from interlock.service.links import Link, read_link

PATH: Final = "/decide/{signed}"
BUSY: Final = 409


@dataclass(frozen=True, slots=True)
class Decide:
    """The page behind a link to a decision."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(PATH, self.show, methods=["GET"]),
            Route(PATH, self.send, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show what is to be decided, or who has decided it."""
        return await self._page(request, await self._link(request))

    async def send(self, request: Request) -> Response:
        """Decide as the person whom the link is for; what is wrong is told on the same page."""
        link = await self._link(request)
        form = await read_form(self.engine, request)
        said: dict[str, object] = {"gate_id": link.gate, "decision": form.get("decision", "")}
        if form.get("feedback"):
            said["feedback"] = form["feedback"]
        if link.digest:
            said["content_digest"] = link.digest
        try:
            await LocalVerbs(self.engine, link.person).call("decide_gate", said)
        except GateDecided:
            return await self._page(request, link, status=BUSY)
        except InterlockError as error:
            return await self._page(request, link, Told.of(error), error.http)
        return await self._page(request, link)

    async def _link(self, request: Request) -> Link:
        return await read_link(self.engine, request.path_params["signed"])

    async def _page(
        self, request: Request, link: Link, told: Told | None = None, status: int = 200
    ) -> Response:
        verbs = LocalVerbs(self.engine, link.person)
        gate = (await verbs.call("get_gate", {"gate_id": link.gate})).data
        shown = gate["shown"]
        text = shown if isinstance(shown, str) else json.dumps(shown, indent=2, ensure_ascii=False)
        decisions = [
            str(one["decision"]) for one in cast("list[Mapping[str, object]]", gate["decisions"])
        ]
        return page(
            self.engine, request, "decide.html", status=status, gate=gate, shown=text, told=told,
            decisions=decisions, person=link.person.id,
        )  # fmt: skip
