"""A unit as it stood right after an entry of its audit: folded from the entries up to it.

Nothing of the past is kept beside the audit, so nothing can say otherwise than it does.
"""

from typing import Final, NamedTuple

from interlock.errors import InterlockError
from interlock.kernel.replay import Folding
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.tally import tally
from interlock.service.engine import Engine, Running
from interlock.service.errors import CorruptState, NotFound
from interlock.service.record import read_records
from interlock.store.port import AuditRow
from interlock.store.rows import Tally

PAGE: Final = 1_000


class NoSuchMoment(InterlockError):
    """The unit has no entry with this sequence, so there is nothing it stood like after it."""

    code = "NO_SUCH_MOMENT"
    http = 422

    def __init__(self, at: int, last: int) -> None:
        """Say which ones there are."""
        message = f"There is no entry {at}."
        super().__init__(message, fix=f"Ask for one from 1 to {last}.")


class Past(NamedTuple):
    """How a unit stood right after an entry; ``is_past`` where others have followed."""

    running: Running
    snapshot: Snapshot
    tally: Tally
    sequence: int
    at: int
    is_past: bool


async def read_past(engine: Engine, tenant: str, unit: str, at: int) -> Past:
    """Read a unit as it stood; raises ``NotFound`` or ``NoSuchMoment``."""
    running = engine.running(unit)
    if "." in unit:
        raise NotFound(unit)
    rows = await _until(engine, tenant, unit, at)
    if not rows:
        raise NotFound(unit)
    last = rows[-1].link.sequence
    if at < 1 or last < at:
        raise NoSuchMoment(at, last)
    folding = Folding(running.flow)
    moment = rows[0].link
    for row in rows:
        if row.link.sequence > at:
            break
        moment = row.link
        try:
            for record in read_records(moment.body):
                folding.take(record)
        except (KeyError, TypeError, ValueError) as exc:
            raise CorruptState(unit, f"its entry {moment.sequence} cannot be folded") from exc
    stood = folding.snapshot()
    return Past(running, stood, tally(stood.parts), at, moment.at, last > at)


async def _until(engine: Engine, tenant: str, unit: str, at: int) -> list[AuditRow]:
    """Read entries up to one and the next after it; all of them where no such one can be."""
    rows: list[AuditRow] = []
    while True:
        after = rows[-1].link.sequence if rows else 0
        limit = PAGE if at < 1 else min(PAGE, at + 1 - after)
        page = await engine.store.audit(tenant, unit, after, limit)
        rows += page
        if len(page) < limit or after + limit == at + 1:
            return rows
