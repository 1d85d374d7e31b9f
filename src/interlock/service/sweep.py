"""The sweeper: leases that have run out become ordinary events. Safe to run in every process.

Each lapse goes through ``advance``, and its commit asks the database's clock again: a lease that
was extended in between does not lapse, and of two sweepers one finds nothing left to do.
"""

from interlock.kernel.refusal import Refusal
from interlock.service.engine import Engine, clockwork
from interlock.service.errors import CorruptState, NotFound
from interlock.service.run import advance
from interlock.service.turn import Asked, Order, Reply, Result
from interlock.store.port import Due
from interlock.store.rows import part_id
from interlock.store.script import NotDue

BATCH = 100


async def sweep(engine: Engine, limit: int = BATCH) -> int:
    """Let the leases lapse that have run out; return how many did."""
    lapsed = 0
    for due in await engine.store.due(limit):
        lapsed += await _lapse(engine, due)
    return lapsed


async def _lapse(engine: Engine, due: Due) -> bool:
    running = engine.flows.get(due.workflow)
    if running is None:
        return False
    event = running.flow.kind(due.kind).verbs.get("lapse", "")
    asked = Asked(event, part=part_id(due.unit, due.number))
    actor = clockwork(due.tenant).actor()
    order = Order(due.tenant, actor, due.unit, (asked,), _silent, is_clock=True)
    try:
        await advance(engine, order)
    except (Refusal, NotFound, NotDue, CorruptState):
        # It is held no more, has been extended, or takes no commands: nothing to do.
        return False
    return True


def _silent(_: Result) -> Reply:
    return {}
