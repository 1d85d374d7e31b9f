"""The sweeper: leases and timers that have run out become ordinary events.

Safe to run in every process. Each one goes through ``advance``, and its commit asks the database's
clock again: what was given more time in between does not end, and of two sweepers one finds nothing
left to do.
"""

from collections.abc import AsyncIterator
from typing import Final

from interlock.kernel.entries import Move
from interlock.kernel.refusal import Refusal
from interlock.kernel.workflow import Workflow
from interlock.service.engine import Engine, clockwork
from interlock.service.errors import Conflict, CorruptState, NotFound
from interlock.service.order import Asked, Order, Reply, Result
from interlock.service.run import advance
from interlock.store.port import Due
from interlock.store.rows import part_id
from interlock.store.script import NotDue

BATCH: Final = 100


async def sweep(engine: Engine, limit: int = BATCH, *, tenant: str = "", unit: str = "") -> int:
    """End what has run out, all or of one tenant or unit; say how many leases and timers."""
    lapsed = 0
    async for due in _overdue(engine, limit, tenant, unit):
        lapsed += await _lapse(engine, due)
    return lapsed


async def _overdue(engine: Engine, limit: int, tenant: str, unit: str) -> AsyncIterator[Due]:
    """Yield all that has run out, each once: what cannot end hides nothing that can."""
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
    asked = None if running is None else _asked(running.flow, due)
    if running is None or asked is None:
        return False
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
    if asked.event == _lapse_of(running.flow, due):
        _count(engine, due, is_stall=moved == [True])
    return True


def _asked(flow: Workflow, due: Due) -> Asked | None:
    """Return what is to be said about something that has run out; None where nothing is known."""
    part = part_id(due.unit, due.number) if due.number else None
    lapse = _lapse_of(flow, due)
    if lapse:
        return Asked(lapse, part=part)
    timer = flow.timer if part is None else flow.kind(due.kind).timer
    if timer is None:
        return None
    told = {"reason": timer.reason} if timer.reason else {}
    return Asked(timer.event, part=part, args=told, told=told)


def _lapse_of(flow: Workflow, due: Due) -> str:
    """Return the event of a lease that has run out; a unit has no lease."""
    return flow.kind(due.kind).verbs.get("lapse", "") if due.number else ""


def _count(engine: Engine, due: Due, *, is_stall: bool) -> None:
    if engine.meter is not None:
        engine.meter.lapse(due.workflow, is_stall=is_stall)
    if engine.pulse is not None:
        engine.pulse.lapse(due.tenant, is_stall=is_stall)
