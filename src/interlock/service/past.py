"""The past: a unit as it stood after any entry of its audit, made from the audit alone."""

from typing import Final

from interlock.errors import InterlockError
from interlock.kernel.replay import Record, fold
from interlock.kernel.snapshot import Snapshot
from interlock.service.engine import Engine
from interlock.service.read import Read
from interlock.service.record import read_records

PAGE: Final = 1_000


class NoSuchMoment(InterlockError):
    """A moment is named that the audit of the unit does not have."""

    code = "NO_SUCH_MOMENT"
    http = 422


async def past(engine: Engine, tenant: str, read: Read, at: int) -> Snapshot:
    """Return a unit as it stood right after an entry; raises ``NoSuchMoment``."""
    unit, last = read.whole.row.id, read.whole.row.version
    if not 0 < at <= last:
        message = f"{unit} has no entry {at}."
        raise NoSuchMoment(message, fix=f"Name one from 1 to {last}.")
    records: list[Record] = []
    after = 0
    while after < at:
        rows = await engine.store.audit(tenant, unit, after, min(PAGE, at - after))
        records += (record for row in rows for record in read_records(row.link.body))
        after = rows[-1].link.sequence
    return fold(read.running.flow, None, records)
