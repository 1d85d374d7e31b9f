"""The attempts of beads as they are kept: which there are, and what each of them reports."""

from collections.abc import Sequence
from typing import NamedTuple

from interlock.doors.web.ticket.beads import ATTEMPT, Bead
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


def rows_of(kept: Sequence[ArtifactRow], bead: Bead) -> list[ArtifactRow]:
    """Return the reports of a bead's attempts, the first one first."""
    part = part_number(bead.part)
    own = [row for row in kept if row.part == part and row.name == ATTEMPT]
    return sorted(own, key=lambda row: row.version)


async def read_tried(shelf: Shelf, row: ArtifactRow) -> Tried:
    """Read what was reported of an attempt."""
    document = read_document(await shelf.read(row.digest)) or {}
    return Tried(row.version, row.digest, row.author, row.at, report_of(document))


async def accepted(shelf: Shelf, kept: Sequence[ArtifactRow], bead: Bead) -> Tried | None:
    """Return the attempt that a bead was done by; None where none was."""
    for row in reversed(rows_of(kept, bead)):
        found = await read_tried(shelf, row)
        if found.report.status == "done":
            return found
    return None
