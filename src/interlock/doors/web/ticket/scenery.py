"""What the pages below a ticket's own have in common: the ticket, its beads, its texts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from interlock.doors.web.guest import Guest
from interlock.doors.web.ticket.beads import Bead, beads_of
from interlock.doors.web.ticket.book import Book, read_book
from interlock.doors.web.ticket.council import Shelf
from interlock.doors.web.ticket.sight import WORKFLOW
from interlock.doors.web.unit import Scene, scene_of
from interlock.service.cards import titled
from interlock.service.errors import NotFound
from interlock.store.port import ArtifactRow


class Ground(NamedTuple):
    """A ticket with its beads, as it stands now."""

    guest: Guest
    # Where the page listens from: what happens after it was read is not missed.
    listens: str
    scene: Scene
    book: Book
    shelf: Shelf
    kept: Sequence[ArtifactRow]
    beads: tuple[Bead, ...]

    @property
    def name(self) -> str:
        """What the ticket is called."""
        return titled(self.scene.snapshot.unit.fields) or self.scene.id

    @property
    def fields(self) -> Mapping[str, object]:
        """What the ticket holds."""
        return self.scene.snapshot.unit.fields

    def bead(self, number: int | None) -> Bead:
        """Return a bead by its number; raises ``NotFound``."""
        if number is None or not 1 <= number <= len(self.beads):
            raise NotFound(f"{self.scene.id}: bead {number}")
        return self.beads[number - 1]


async def ground_of(guest: Guest) -> Ground:
    """Read the ticket that an address names; raises ``NotFound`` for any other unit."""
    unit = str(guest.request.path_params["unit"])
    listens = await guest.events(unit)
    scene = await scene_of(guest, unit)
    if scene.flow.name != WORKFLOW:
        raise NotFound(scene.id)
    book = await read_book(guest, scene.id, None, scene.snapshot)
    kept = await guest.engine.store.artifacts(guest.person.tenant, scene.id)
    beads = beads_of(scene.snapshot, book, kept)
    return Ground(guest, listens, scene, book, Shelf(guest, {}), kept, beads)
