"""The page of a gate: what is to be decided, and one button for each decision.

It is reached by a signed link, as the person whom that is for, or by the gate's own address, as
who is logged in. Opening it decides nothing, so a program that looks at links in a mail does no
harm; sending the form decides, once, on what was shown. After that the page says who decided what.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.commands.verbs import LocalVerbs
from interlock.doors.web.csrf import read_form
from interlock.doors.web.page import Told, page
from interlock.doors.web.session import CHANNEL, to_login, visit_of
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.gates import GateDecided
from interlock.service.links import Link, read_link

PATHS: Final = ("/decide/{signed}", "/gates/{gate_id}")
BUSY: Final = 409


@dataclass(frozen=True, slots=True)
class Decide:
    """The page behind a link to a decision."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        shown = [Route(path, self.show, methods=["GET"]) for path in PATHS]
        return [*shown, *(Route(path, self.send, methods=["POST"]) for path in PATHS)]

    async def show(self, request: Request) -> Response:
        """Show what is to be decided, or who has decided it."""
        link = await self._link(request)
        if link is None:
            return to_login(self.engine, request)
        return await self._page(request, link)

    async def send(self, request: Request) -> Response:
        """Decide; what is wrong is told on the same page."""
        link = await self._link(request)
        if link is None:
            return to_login(self.engine, request, request.scope["path"])
        form = await read_form(self.engine, request)
        said: dict[str, object] = {"gate_id": link.gate, "decision": form.get("decision", "")}
        if form.get("feedback"):
            said["feedback"] = form["feedback"]
        # A link is bound to what was shown when it was made, a page to what it shows.
        if link.digest or form.get("content_digest"):
            said["content_digest"] = link.digest or form["content_digest"]
        try:
            await LocalVerbs(self.engine, link.person).call("decide_gate", said)
        except GateDecided:
            return await self._page(request, link, status=BUSY)
        except InterlockError as error:
            return await self._page(request, link, Told.of(error), error.http)
        return await self._page(request, link)

    async def _link(self, request: Request) -> Link | None:
        """Return who decides where; None where nobody is logged in."""
        if "signed" in request.path_params:
            return await read_link(self.engine, request.path_params["signed"])
        visit = await visit_of(self.engine, request)
        if visit is None:
            return None
        person = replace(visit.principal, channel=CHANNEL)
        return Link(person, request.path_params["gate_id"], digest="", expires_at=0)

    async def _page(
        self, request: Request, link: Link, told: Told | None = None, status: int = 200
    ) -> Response:
        verbs = LocalVerbs(self.engine, link.person)
        gate = (await verbs.call("get_gate", {"gate_id": link.gate})).data
        decisions = [
            str(one["decision"]) for one in cast("list[Mapping[str, object]]", gate["decisions"])
        ]
        return page(
            self.engine, request, "decide.html", status=status, gate=gate,
            shown=[*_shown(gate["shown"])], told=told,
            decisions=decisions, person=link.person.id,
        )  # fmt: skip


def _shown(content: object) -> Iterator[tuple[str, str]]:
    """Yield what is to be decided, each thing under its name; what is empty is left out."""
    things = content if isinstance(content, Mapping) else {"what": content}
    for name, value in things.items():
        if value:
            yield str(name).replace("_", " ").capitalize(), _text(value)


def _text(value: object) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(f"- {one}" for one in value)
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
