"""What a ticket stopped at while it was built: the report that was no good, the run that failed.

Which report that is follows from the phase it was in; in CODING it is the last attempt of the bead
that is in error.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

from interlock.doors.web.ticket.attempts import read_tried, rows_of
from interlock.doors.web.ticket.beads import Bead
from interlock.doors.web.ticket.council import Shelf
from interlock.doors.web.ticket.reports import Report, Run, report_of
from interlock.store.port import ArtifactRow

REPORTS: Final = {
    "PREPARING_EXECUTION_ENV": ("execution_setup_report", "Setting the workspace up"),
    "RUNNING_FINAL_TEST": ("final_test_report", "Final test"),
}
"""By phase the document that says how its work went, and what that is called."""

CODING: Final = "CODING"


class Failure(NamedTuple):
    """What went wrong, with where all of it is."""

    what: str
    report: Report
    run: Run | None
    path: str


async def failure_of(
    shelf: Shelf,
    unit: str,
    fields: Mapping[str, object],
    beads: Sequence[Bead],
    kept: Sequence[ArtifactRow],
) -> Failure | None:
    """Return what a blocked ticket stopped at; None where no report tells that."""
    previous = str(fields.get("previous") or "")
    if previous == CODING:
        return await _bead(shelf, unit, beads, kept)
    if previous not in REPORTS:
        return None
    name, what = REPORTS[previous]
    document = await shelf.document(fields, name)
    if document is None:
        return None
    report = report_of(document)
    held = cast("Mapping[str, str]", fields.get("documents") or {})
    return Failure(what, report, report.failed, f"/units/{unit}/artifacts/{held[name]}")


async def _bead(
    shelf: Shelf, unit: str, beads: Sequence[Bead], kept: Sequence[ArtifactRow]
) -> Failure | None:
    tried = [one for one in beads if one.reports and one.status != "done"]
    stuck = [one for one in tried if one.status == "error"] or tried
    if not stuck:
        return None
    bead = stuck[0]
    last = await read_tried(shelf, bead, rows_of(kept, bead)[-1])
    what = f"Bead {bead.number}: {bead.title}, attempt {last.number}"
    return Failure(what, last.report, last.report.failed, f"/units/{unit}/beads/{bead.number}")
