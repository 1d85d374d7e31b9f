"""The last lines that a worker has told about a part.

Lines can only be read forwards. Where they ended the last time is remembered, so that a page that
looks every other second reads only what is new; the first time the end is looked for by doubling.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from interlock.doors.web.guest import Guest
from interlock.store.logs import LogRow, WhichLines
from interlock.store.rows import part_number

SHOWN: Final = 8
"""So many lines are shown."""

BACK: Final = 300
"""So far back they are looked for: others may be telling about their own work."""

UNITS_MAX: Final = 1_000

_ended: Final[OrderedDict[tuple[str, str], int]] = OrderedDict()
"""By tenant and unit the number of a line near the end; one that is too low only costs time."""


async def tail(guest: Guest, unit: str, part: str) -> Sequence[LogRow]:
    """Return the last lines about a part, in their order."""
    logs, tenant = guest.engine.store.logs, guest.person.tenant
    last = await _last(guest, unit)
    which = WhichLines(part=part_number(part), after=max(0, last - BACK))
    return (await logs.read(tenant, unit, which, BACK))[-SHOWN:]


async def _last(guest: Guest, unit: str) -> int:
    """Return a number with at most a few lines behind it."""
    key = (guest.person.tenant, unit)
    known, width = _ended.pop(key, 0), BACK // 2
    while await _is_more(guest, unit, known + width):
        known += width
        width *= 2
    while width > BACK // 2:
        width //= 2
        if await _is_more(guest, unit, known + width):
            known += width
    _ended[key] = known
    while len(_ended) > UNITS_MAX:
        _ended.popitem(last=False)
    return known + BACK // 2


async def _is_more(guest: Guest, unit: str, number: int) -> bool:
    which = WhichLines(after=number)
    return bool(await guest.engine.store.logs.read(guest.person.tenant, unit, which, 1))
