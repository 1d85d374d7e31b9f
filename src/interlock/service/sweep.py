"""The sweeper: leases that have run out become ordinary events. Safe to run in every process.

Each lapse goes through ``advance``, and its commit asks the database's clock again: a lease that
was extended in between does not lapse, and of two sweepers one finds nothing left to do.
"""

from collections.abc import AsyncIterator
from typing import Final

from interlock.kernel.entries import Move
from interlock.kernel.refusal import Refusal
from interlock.service.engine import Engine, clockwork
from interlock.service.errors import Conflict, CorruptState, NotFound
from interlock.service.order import Asked, Order, Reply, Result
from interlock.service.run import advance
from interlock.store.port import Due
from interlock.store.rows import part_id
from interlock.store.script import NotDue

BATCH: Final = 100


async def sweep(engine: Engine, limit: int = BATCH, *, tenant: str = "", unit: str = "") -> int:
    """Let the leases lapse that have run out, all or of one tenant or unit; say how many did."""
    lapsed = 0
    async for due in _overdue(engine, limit, tenant, unit):
        lapsed += await _lapse(engine, due)
    return lapsed


async def _overdue(engine: Engine, limit: int, tenant: str, unit: str) -> AsyncIterator[Due]:
    """Yield each lease that has run out, once: what cannot lapse hides nothing that can."""
    seen: set[Due] = set()
    while found := [
        due for due in await engine.store.due(limit + 2 * len(seen)) if due not in seen
    ]:
        seen.update(found)
        for due in found:
            if tenant in ("", due.tenant) and unit in ("", due.unit):
                yield due


async def _lapse(engine: Engine, due: Due) -> bool:
    running = engine.flows.get(due.workflow)
    event = "" if running is None else running.flow.kind(due.kind).verbs.get("lapse", "")
    if not event:
        return False
    asked = Asked(event, part=part_id(due.unit, due.number))
    actor = clockwork(due.tenant).actor()
    # Decided again where others were faster: only the last time counts.
    moved: list[bool] = []

    def note(result: Result) -> Reply:
        entries = [entry for done in result.done for entry in done.decision.entries]
        moved[:] = [any(isinstance(one, Move) and one.who == "unit" for one in entries)]
        return {}

    order = Order(due.tenant, actor, due.unit, (asked,), note, is_clock=True)
    try:
        await advance(engine, order)
    except (Refusal, NotFound, NotDue, Conflict, CorruptState):
        # It is held no more, has been extended, or takes no commands: nothing to do.
        return False
    if engine.meter is not None:
        engine.meter.lapse(due.workflow, is_stall=moved == [True])
    if engine.pulse is not None:
        engine.pulse.lapse(due.tenant, is_stall=moved == [True])
    return True
