"""The page of proof: everything that was filed for a ticket, by its digest, to be downloaded."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.ticket.delivery import proofs
from interlock.doors.web.ticket.scenery import ground_of
from interlock.doors.web.unit import PATH
from interlock.service.engine import Engine
from interlock.store.rows import part_number

EVIDENCE: Final = f"{PATH}/evidence"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The page of proof."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [behind_login(self.engine, EVIDENCE, self.show)]

    async def show(self, guest: Guest) -> Response:
        """List everything."""
        ground = await ground_of(guest)
        beads = {part_number(one.part): f"bead {one.number}" for one in ground.beads}
        return await guest.page(
            "ticket_evidence.html", place="board:ticket", scene=ground.scene, name=ground.name,
            events=ground.listens, row=ground.scene.read.whole.row,
            proofs=proofs(ground.kept, beads),
        )  # fmt: skip
