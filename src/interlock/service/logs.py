"""Logs: whoever holds a part tells what it does, line by line; everybody of the tenant reads.

Lines are no part of what happened: no audit tells them, and the oldest ones go. Only the holder
tells, so nobody writes in another's name. What looks like a secret is taken out before.
"""

from collections.abc import Sequence
from typing import Final

from interlock.errors import InterlockError
from interlock.service.engine import Engine, Principal
from interlock.service.errors import NotFound
from interlock.service.order import fence_of
from interlock.service.redact import without_secrets
from interlock.service.some import is_part_of, read_some
from interlock.store.logs import Line, LogRow, WhichLines
from interlock.store.rows import part_number

NUMBER_MAX: Final = 2**53
LINES_MAX: Final = 20_000
"""How many lines of a unit are kept."""


class NotHeld(InterlockError):
    """Somebody tells about work that is not theirs."""

    code = "STALE_LEASE"
    http = 409


async def append_log(
    engine: Engine, caller: Principal, part: str, lease: str, lines: Sequence[Line]
) -> int:
    """Keep lines about a part that the caller holds; return the number of the last one."""
    if "." not in part:
        raise NotFound(part)
    some = await read_some(engine, caller.tenant, part)
    fields = some.part.part.fields if some.part is not None else {}
    is_mine = fields.get("holder") == caller.id and not fields.get("lapsed")
    if not is_mine or fields["fence"] != fence_of(lease, some.incarnation):
        message = "The lease is not yours any more; nothing was written."
        raise NotHeld(message, fix="Stop working on it, and call get_next_work for other work.")
    clean = [line._replace(text=without_secrets(line.text)) for line in lines]
    member = str(fields.get("member") or "")
    return await engine.store.logs.append(
        caller.tenant, some.unit.id, part_number(part), member, clean, LINES_MAX
    )


async def read_logs(
    engine: Engine, tenant: str, unit: str, part: str, which: WhichLines, limit: int
) -> Sequence[LogRow]:
    """List what was told about a unit, or one part of it; raises ``NotFound``."""
    await read_some(engine, tenant, unit)
    if part:
        if not is_part_of(unit, part) or part_number(part) > NUMBER_MAX:
            raise NotFound(part)
        which = which._replace(part=part_number(part))
    rows = await engine.store.logs.read(tenant, unit, which, limit)
    if part and not rows and not which.after:
        # Lines of a part that is gone are kept; of one that never was there are none.
        await read_some(engine, tenant, part)
    return rows
