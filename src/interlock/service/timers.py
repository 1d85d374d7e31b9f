"""Timers: what a command does to the time of its unit and its parts; nothing is asked or written.

Whether time begins, goes on or ends is the kernel's word. Once a unit has ended its parts have no
time any more: nothing about them happens by itself.
"""

from collections.abc import Iterable, Mapping, MutableMapping

from interlock.kernel.seen import Unit
from interlock.kernel.timer import GOES_ON
from interlock.service.engine import Running
from interlock.service.order import Done
from interlock.store.rows import PartRow

Standing = Mapping[str, PartRow | None]


def unit_lasts(running: Running, before: Unit | None, after: Unit) -> int | None:
    """Return what becomes of the unit's own timer; None leaves it alone."""
    timer = running.flow.timer
    lasts = None if timer is None else timer.goes(before, after)
    return None if lasts == GOES_ON else lasts


def events_of(done: Iterable[Done]) -> dict[str, frozenset[str]]:
    """Return by part which events of a command were about it."""
    told: dict[str, frozenset[str]] = {}
    for decision, part in done:
        if part is not None:
            told[part.id] = told.get(part.id, frozenset()) | {decision.event.name}
    return told


def time_parts(
    running: Running, unit: Unit, before: Standing, after: Mapping[str, PartRow],
    told: Mapping[str, frozenset[str]], leases: MutableMapping[int, int],
) -> None:  # fmt: skip
    """Add to ``leases`` the timers that begin or go on.

    ``told`` says which events were about a part.
    """
    if not running.timers or unit.status in running.flow.table.terminal:
        return
    for name, old in before.items():
        row = after.get(name)
        timer = None if row is None else running.timers.get(row.part.kind)
        if row is None or timer is None:
            continue
        is_renewed = not told.get(name, frozenset()).isdisjoint(timer.renewed)
        lasts = timer.goes(None if old is None else old.part, row.part, is_renewed=is_renewed)
        # What stands as it stood is not written, so its time goes on by itself.
        if lasts and (lasts != GOES_ON or row != old):
            leases[row.number] = lasts
