"""The inbox: what waits for a decision of a person, over all workflows, the oldest first."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.chips import chip
from interlock.doors.web.guest import Guest, Rows, behind_login, rows
from interlock.service.engine import Engine

LATELY: Final = 5
UNITS_MAX: Final = 200
"""How many decisions are recalled below what is open, and how many units are named at most."""


@dataclass(frozen=True, slots=True)
class Inbox:
    """The first page."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [behind_login(self.engine, "/", self.show)]

    async def show(self, guest: Guest) -> Response:
        """Show what is asked, by whom, since when."""
        events = await guest.events()
        cursor = guest.asked("after") or None
        found = await guest.call("list_gates", cursor=cursor)
        units = await self._units(guest)
        past = await guest.call("list_gates", state="decided", limit=LATELY)
        return await guest.page(
            "inbox.html", place="inbox", events=events,
            stuck=[] if cursor else [unit for unit in units if not unit["gates"]],
            gates=self._dressed(rows(found, "gates"), units), cursor=found.get("cursor"),
            decided=[] if cursor else rows(past, "gates"),
        )  # fmt: skip

    async def _units(self, guest: Guest) -> Rows:
        """Return the units that need somebody, with the look of where they stand."""
        found = await guest.call("get_board", column="needs_you", limit=UNITS_MAX)
        units = rows(rows(found, "columns")[0], "units")
        for unit in units:
            flow = self.engine.flows[str(unit["workflow"])].flow
            unit["chip"] = chip(flow.unit, str(unit["status"]))
        return units

    def _dressed(self, gates: Rows, units: Rows) -> Rows:
        """Return gates with the look of what they are about, and the name of its unit."""
        names = {unit["id"]: unit["name"] for unit in units}
        for gate in gates:
            flow = self.engine.flows[str(gate["workflow"])].flow
            gate["chip"] = chip(flow.machine(str(gate["kind"])), str(gate["status"]))
            gate["name"] = names.get(gate["unit_id"], "")
        return gates
