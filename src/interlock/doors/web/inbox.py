"""The inbox: what waits for a decision of a person, over all workflows, the oldest first."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.chips import chip
from interlock.doors.web.guest import Guest, Rows, behind_login, rows
from interlock.service.engine import Engine

LATELY: Final = 5
"""How many decisions are recalled below what is open."""


@dataclass(frozen=True, slots=True)
class Inbox:
    """The first page."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [behind_login(self.engine, "/", self.show)]

    async def show(self, guest: Guest) -> Response:
        """Show what is asked, by whom, since when."""
        cursor = guest.asked("after") or None
        found = await guest.call("list_gates", cursor=cursor)
        past = await guest.call("list_gates", state="decided", limit=LATELY)
        return await guest.page(
            "inbox.html", place="inbox", events="/v1/events", stuck=[],
            gates=self._dressed(rows(found, "gates")), cursor=found.get("cursor"),
            decided=[] if cursor else rows(past, "gates"),
        )  # fmt: skip

    def _dressed(self, gates: Rows) -> Rows:
        """Return gates with the look of what they are about, and the name of its unit."""
        for gate in gates:
            flow = self.engine.flows[str(gate["workflow"])].flow
            gate["chip"] = chip(flow.machine(str(gate["kind"])), str(gate["status"]))
            gate["name"] = ""
        return gates
