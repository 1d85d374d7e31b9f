"""The attempts of beads as they are kept: which there are, and what each of them reports."""

from collections.abc import Sequence
from typing import NamedTuple

from interlock.doors.web.chips import Chip
from interlock.doors.web.ticket.beads import ATTEMPT, BUILT, Bead
from interlock.doors.web.ticket.council import Shelf, read_document
from interlock.doors.web.ticket.reports import Report, report_of
from interlock.store.port import ArtifactRow
from interlock.store.rows import part_number


class Tried(NamedTuple):
    """An attempt: which it was, by whom it was handed in, and what was reported."""

    number: int
    digest: str
    author: str
    at: int
    report: Report
    is_taken: bool

    @property
    def chip(self) -> Chip:
        """How it ended: a report that calls itself done is not always believed."""
        if self.report.status == "done" and not self.is_taken:
            return Chip("bad", "Not accepted")
        return self.report.chip


def rows_of(kept: Sequence[ArtifactRow], bead: Bead) -> list[ArtifactRow]:
    """Return the reports of a bead's attempts, the first one first."""
    part = part_number(bead.part)
    own = [row for row in kept if row.part == part and row.name == ATTEMPT]
    return sorted(own, key=lambda row: row.version)


async def read_tried(shelf: Shelf, bead: Bead, row: ArtifactRow) -> Tried:
    """Read what was reported of an attempt; the last one of a bead that is done was taken."""
    document = read_document(await shelf.read(row.digest)) or {}
    is_taken = bead.status == BUILT and row.version == bead.reports
    return Tried(row.version, row.digest, row.author, row.at, report_of(document), is_taken)


async def accepted(shelf: Shelf, kept: Sequence[ArtifactRow], bead: Bead) -> Tried | None:
    """Return the attempt that a bead was done by; None where none was."""
    own = rows_of(kept, bead)
    return await read_tried(shelf, bead, own[-1]) if own and bead.status == BUILT else None
