"""A stage on the data of a server that runs: so stories of tickets can be told beside a browser.

People are the owner there, agents one agent of the same tenant.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import cast

from interlock.kernel.rules import USER
from interlock.service.engine import Principal
from interlock.wire.envelope import Envelope
from tests.browser.desk import Desk
from tests.browser.pages import Names
from tests.doors.web.ticket.built import delivered, planned, reviewing, stuck, working
from tests.doors.web.ticket.scenes import approve, approving, asking, blocked, voting
from tests.stage import ADA, PAT, Stage
from tests.still import StillClock
from tests.tickets import status_of, ticket

LINES = (
    ("out", "Reading what is there."),
    ("note", "It is asked again: the answer was cut off."),
    ("err", "The model said nothing."),
)


@dataclass(slots=True)
class Room(Stage):
    """The engine of a server, as its owner and as an agent of theirs."""

    owner: Principal = PAT

    async def call(self, command: str, by: Principal = ADA, /, **arguments: object) -> Envelope:
        """Call a command as whoever is meant here."""
        here = self.owner if by.kind == USER else replace(by, tenant=self.owner.tenant)
        # Python has no ``super()`` here: a class with slots is made twice.
        return await Stage.call(self, command, here, **arguments)

    async def pass_ms(self, elapsed_ms: int) -> None:
        """Let nothing pass: the clock of a server goes by itself."""


@asynccontextmanager
async def room(desk: Desk) -> AsyncIterator[Room]:
    """Open the data of a server in this process."""
    async with desk.app() as app:
        # Its clock goes by itself: nothing here lets time pass.
        clock = cast("StillClock", app.engine.clock)
        yield Room(app.engine, clock, desk.server.folder, app.owner())


async def tickets(desk: Desk) -> Names:
    """Bring tickets to all places that a page shows otherwise; return their names.

    Those come first that leave no work behind: whoever asks for work gets the oldest.
    """
    async with room(desk) as here:
        names = {"answers": await asking(here), "approval": await approving(here, "prd")}
        names["built"] = await approving(here, "beads")
        await approve(here, names["built"])
        await here.call("cancel", PAT, id=names["built"], reason="no time")
        await _saved(here, names["approval"])
        names |= {"planned": await planned(here), "stuck": await stuck(here)}
        names |= {"review": await reviewing(here), "delivered": await delivered(here)}
        names["working"] = await working(here)
        names["blocked"] = await blocked(here)
        names["backlog"] = await ticket(here)
        names["project"] = str((await status_of(here, names["backlog"]))["project_id"])
        names["voting"] = await voting(here)
        await _told(here)
    return names


async def _saved(here: Room, name: str) -> None:
    """Save another version of what waits, so that there is a difference to be seen."""
    digest = (await status_of(here, name))["documents"]["prd"]
    content = await here.engine.store.content(here.owner.tenant, digest)
    text = (content or b"").decode().replace("No apples.", "Nobody sells apples.")
    await here.call("save_artifact", PAT, ticket_id=name, content=text, base_digest=digest)


async def _told(here: Room) -> None:
    """Let a member be at work on its vote, and tell what it does."""
    found = await here.call("get_next_work", workflow="ticket")
    part = cast("dict[str, dict[str, str]]", found.data["part"])
    lines = [{"at": here.engine.store.now(), "stream": kind, "text": text} for kind, text in LINES]
    lease = part["lease"]["token"]
    await here.call("append_log", part_id=part["part_id"], lease=lease, lines=lines)
