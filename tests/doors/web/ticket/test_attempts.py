"""Attempts as they are kept: in their order, and only the one is taken that a bead was done by."""

from interlock.doors.web.ticket.attempts import accepted, read_tried, rows_of
from interlock.doors.web.ticket.beads import beads_of
from interlock.doors.web.ticket.book import read_book
from interlock.doors.web.ticket.council import Shelf
from interlock.service.read import read_unit
from tests.doors.web.ticket.built import coding
from tests.doors.web.ticket.scenes import guest_of
from tests.stage import HOME, Stage, staged


@staged
async def test_the_last_attempt_of_a_bead_that_is_done_was_taken(stage: Stage) -> None:
    name = await coding(stage)
    guest = await guest_of(stage)
    read = await read_unit(stage.engine, HOME, name)
    book = await read_book(guest, name, None, read.snapshot)
    kept = await stage.engine.store.artifacts(HOME, name)
    first, second = beads_of(read.snapshot, book, kept)
    shelf = Shelf(guest, {})
    rows = rows_of(kept, first)
    tried = [await read_tried(shelf, first, row) for row in rows]

    assert [(one.number, one.chip.label) for one in tried] == [(1, "Tests failed"), (2, "Done")]
    taken = await accepted(shelf, kept, first)
    assert taken is not None
    assert taken.number == 2
    assert await accepted(shelf, kept, second) is None
    doubted = await read_tried(shelf, first._replace(status="pending"), rows[1])
    assert doubted.chip.label == "Not accepted"
