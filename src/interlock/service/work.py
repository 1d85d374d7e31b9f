"""The queue of everything: find work that fits, claim it, and wait for some where there is none.

Claiming is an ordinary event through ``advance``; what is found here is only a guess at where
work may be, and a guess that turns out wrong costs one refused claim. A lease that has run out is
no reason to say no, even if no sweeper has come by yet.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from interlock.kernel.refusal import Refusal
from interlock.service.engine import Engine, Principal
from interlock.service.errors import Conflict, CorruptState, InvalidInput, NotFound
from interlock.service.order import Asked, Emptied, Order, Worded
from interlock.service.run import Answer, advance, earlier
from interlock.service.sweep import sweep
from interlock.store.port import Filter, Offer
from interlock.store.rows import part_id
from interlock.store.script import Key

WAIT_MAX_S: Final = 10.0
"""The longest a caller may wait in one call."""

GUESSES: Final = 16
"""How many offers are looked at first."""


async def claim(engine: Engine, order: Order) -> Answer:
    """Carry out an order that takes work; where that is refused, overdue leases lapse first."""
    try:
        return await advance(engine, order)
    except (Refusal, Emptied):
        # Tried again even where nothing lapsed: somebody else may just have made way.
        await sweep(engine, tenant=order.tenant, unit=order.unit)
    return await advance(engine, order)


async def next_work(
    engine: Engine, caller: Principal, wanted: Filter, word: Worded, key: Key | None = None
) -> Answer | None:
    """Claim the first work that fits; None where there is none now."""
    tried: set[Offer] = set()
    has_way = False
    while True:
        offers = await engine.store.offers(caller.tenant, wanted, GUESSES + 2 * len(tried))
        fresh = [offer for offer in offers if offer not in tried]
        for offer in fresh:
            asked = _asked(engine, offer, wanted)
            if asked is None:
                continue
            order = Order(caller.tenant, caller.actor(), offer.unit, (asked,), word, key)
            try:
                return await advance(engine, order)
            except (Refusal, Emptied, NotFound, Conflict, CorruptState):
                # Somebody was faster, or the unit does not hand anything out now.
                continue
        tried.update(fresh)
        if fresh:
            continue
        if has_way:
            return await _earlier(engine, caller.tenant, key)
        # Look again even where nothing lapsed: somebody else may just have made way.
        await sweep(engine, tenant=caller.tenant)
        has_way = True
        tried.clear()


def _asked(engine: Engine, offer: Offer, wanted: Filter) -> Asked | None:
    running = engine.flows.get(offer.workflow)
    if running is None:
        return None
    kind = running.flow.kind(offer.kind)
    if (wanted.role or wanted.member) and not kind.is_ordered:
        # The head of the queue may be for somebody else: ask for the part that was found. Parts
        # that are handed out in their order are all for the same, and all at the same site.
        return Asked(kind.claim, part=part_id(offer.unit, offer.number))
    return Asked(kind.claim, kind=offer.kind)


async def _earlier(engine: Engine, tenant: str, key: Key | None) -> Answer | None:
    """Return what the request id was answered before, whichever unit that was about."""
    # A reply is loaded with any unit; it belongs to the caller, not to the unit.
    known = () if key is None else await engine.store.units(tenant, "", None, 1)
    return await earlier(engine, tenant, known[0].row.id, key) if known else None


async def changes(engine: Engine, tenant: str, wait_s: float) -> AsyncGenerator[None, None]:
    """Yield at once, and then at every change for as long as the caller wants to wait."""
    if not 0 <= wait_s <= WAIT_MAX_S:
        message = f"wait_s is {wait_s:g}."
        raise InvalidInput(message, fix=f"Wait for 0 to {WAIT_MAX_S:g} seconds.")
    # Mostly there is work, and nobody needs to watch for any.
    yield
    if not wait_s:
        return
    loop = asyncio.get_running_loop()
    until = loop.time() + wait_s
    async with aclosing(engine.store.watch(tenant)) as watch:
        while True:
            try:
                # Not ``wait_for``: it may lose that the caller has given up.
                async with asyncio.timeout(max(until - loop.time(), 0.001)):
                    await anext(watch)
            except (TimeoutError, StopAsyncIteration):
                return  # the time is over, or the store is closing
            yield
            if loop.time() >= until:
                return
