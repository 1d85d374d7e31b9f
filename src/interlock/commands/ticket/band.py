"""How many tickets of a project may be built at once: those between pre-flight and clean-up.

A blocked ticket holds its place: what it has begun is not finished, and it may go on any time.
"""

from typing import Final

from interlock.commands.row import Call
from interlock.commands.ticket.papers import Papers
from interlock.errors import InterlockError
from interlock.service.order import Reply
from interlock.store.port import Which
from interlock.store.rows import UnitRow
from interlock.workflows.ticket.phases import BLOCKED, between

BAND: Final = between("PRE_FLIGHT_CHECK", "CLEANING_ENV")
ROOM: Final = 3
PAGE: Final = 200


class BandFull(InterlockError):
    """As many tickets of the project are being built as it allows."""

    code = "BAND_FULL"
    http = 409
    retryable = True


def phase_of(unit: UnitRow) -> str:
    """Return the phase that a ticket is in, or was in before it was blocked."""
    status = unit.unit.status
    return str(unit.unit.fields["previous"]) if status == BLOCKED else status


async def others_in_band(call: Call, unit: UnitRow) -> list[UnitRow]:
    """Return the other tickets of the same project that are being built."""
    project, found = unit.unit.fields["project"], list[UnitRow]()
    place: tuple[int, str] | None = None
    while True:
        rows = await call.engine.store.units(
            call.tenant, "ticket", place, PAGE, Which(is_open=True)
        )
        found += [
            one.row
            for one in rows
            if one.row.id != unit.id
            and one.row.unit.fields["project"] == project
            and phase_of(one.row) in BAND
        ]
        if len(rows) < PAGE:
            return found
        place = (rows[-1].row.changed_at, rows[-1].row.id)


def room_of(papers: Papers) -> int:
    """Return how many tickets of the project may be built at once."""
    return papers.limits.get("parallel_tickets") or ROOM


async def require_room(papers: Papers) -> None:
    """Raise ``BandFull`` where no further ticket of the project may be built now."""
    others = await others_in_band(papers.call, papers.unit)
    room = room_of(papers)
    if len(others) < room:
        return
    message = f"{len(others)} tickets of the project are being built, and {room} may be."
    fix = "Finish or cancel one of them, or approve this one later."
    no = BandFull(f"{message} They are {_named(others)}.", fix=fix)
    no.details = {"tickets": [_told(one) for one in others]}
    raise no


async def crowded(papers: Papers) -> tuple[str, ...]:
    """Say that too many are being built: of those who were let in at once the later one waits."""
    others = await others_in_band(papers.call, papers.unit)
    before = [one for one in others if one.id < papers.unit.id or phase_of(one) != BAND[0]]
    if len(before) < room_of(papers):
        return ()
    return (f"as many tickets are being built as the project allows: {_named(before)}",)


def _named(units: list[UnitRow]) -> str:
    return ", ".join(f"{one.id} ({one.unit.status})" for one in units[:10])


def _told(unit: UnitRow) -> Reply:
    fields = unit.unit.fields
    return {"ticket_id": unit.id, "title": fields["name"], "status": unit.unit.status}
