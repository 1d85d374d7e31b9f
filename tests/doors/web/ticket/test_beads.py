"""Beads as they stand: needs by number, attempts counted, times from the audit."""

from interlock.doors.web.ticket.beads import beads_of, nodes
from interlock.doors.web.ticket.book import read_book
from interlock.service.read import read_unit
from tests.doors.web.ticket.built import coding
from tests.doors.web.ticket.scenes import guest_of
from tests.stage import HOME, Stage, staged


@staged
async def test_beads_know_what_they_need_how_often_they_were_tried_and_how_long(
    stage: Stage,
) -> None:
    name = await coding(stage)
    read = await read_unit(stage.engine, HOME, name)
    book = await read_book(await guest_of(stage), name, None, read.snapshot)
    kept = await stage.engine.store.artifacts(HOME, name)
    first, second = beads_of(read.snapshot, book, kept)

    assert (first.number, first.status, first.reports, first.waits) == (1, "done", 2, ())
    assert (second.needs, second.waits, second.status) == ((1,), (), "pending")
    assert first.turns.took_s is not None
    assert second.turns.took_s is None
    drawn = nodes(name, (first, second))
    assert [node.path for node in drawn] == [f"/units/{name}/beads/{n}" for n in (1, 2)]
