"""Stopping a ticket that cannot go on by itself: it is blocked, and a person decides.

When that must be: ``spending`` (a limit is reached), ``handed`` (what its work needs is lost).
"""

from interlock.commands.row import Call
from interlock.errors import InterlockError
from interlock.service.engine import clockwork
from interlock.service.order import Asked, Order, Reply
from interlock.service.run import advance
from interlock.store.rows import UnitRow


async def stop(call: Call, unit: UnitRow, code: str, why: str) -> bool:
    """Block a ticket as it was read; False where somebody was faster, or it cannot be."""
    args: Reply = {"code": code, "message": why}
    sent = Asked("error", args=args, told=args)
    actor = clockwork(call.tenant).actor()
    order = Order(call.tenant, actor, unit.id, (sent,), lambda _: {}, version=unit.version)
    try:
        await advance(call.engine, order)
    except InterlockError:
        return False
    return True
