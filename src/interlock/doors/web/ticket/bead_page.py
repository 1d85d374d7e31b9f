"""The page of one bead: what it is to do, how it stands, and every attempt with what it reports."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.ticket.attempts import read_tried, rows_of
from interlock.doors.web.ticket.building import live_of
from interlock.doors.web.ticket.coloured import coloured
from interlock.doors.web.ticket.hunks import fitted, patches
from interlock.doors.web.ticket.scenery import Ground, ground_of
from interlock.doors.web.unit import PATH
from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput
from interlock.ticketing.checked import Json, rows

BEAD: Final = f"{PATH}/beads/{{number}}"
READ: Final = 5
"""So many attempts are read, the last ones; earlier ones are on the page of what is kept."""

LINES: Final = 1_500
"""So many lines of changes are shown here; the page of changes has more."""


@dataclass(frozen=True, slots=True)
class BeadPage:
    """The page of a bead."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [behind_login(self.engine, BEAD, self.show)]

    async def show(self, guest: Guest) -> Response:
        """Show a bead as it stands."""
        ground = await ground_of(guest)
        bead = ground.bead(_number(guest))
        kept = rows_of(ground.kept, bead)
        tried = [await read_tried(ground.shelf, bead, row) for row in reversed(kept[-READ:])]
        last = fitted(patches(tried[0].report.diff), LINES) if tried else []
        due = ground.scene.read.whole.due
        live = await live_of(ground.shelf, ground.book, ground.scene.snapshot, due)
        return await guest.page(
            "ticket_bead.html", place="board:ticket", scene=ground.scene, name=ground.name,
            events=ground.listens, bead=bead, tried=tried,
            count=len(kept), beads=ground.beads, written=await _written(ground, bead.number),
            patches=list(zip(last, coloured(last), strict=True)),
            live=[one for one in live if one.part == bead.part],
            tries_max=ground.fields.get("tries_max"),
        )  # fmt: skip


def _number(guest: Guest) -> int:
    text = str(guest.request.path_params["number"])
    if not (text.isascii() and text.isdecimal() and len(text) <= len("500")):
        raise InvalidInput("This is no number of a bead.", fix="Go back and choose one.")
    return int(text)


async def _written(ground: Ground, number: int) -> Json | None:
    """Return what the blueprint says of a bead: both are in the same order."""
    document = await ground.shelf.document(ground.fields, "beads")
    found = rows(document or {}, "beads")
    return found[number - 1] if number <= len(found) else None
