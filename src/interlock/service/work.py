"""The queue of everything: find work that fits, claim it, and wait for some where there is none.

Claiming is an ordinary event through ``advance``; what is found here is only a guess at where
work may be, and a guess that turns out wrong costs one refused claim.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

from interlock.kernel.refusal import Refusal
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.run import Answer, advance
from interlock.service.turn import Asked, Emptied, Order, Worded
from interlock.store.port import Filter, Offer
from interlock.store.rows import part_id
from interlock.store.script import Key

WAIT_MAX_S: Final = 10.0
"""The longest a caller may wait in one call."""

GUESSES: Final = 16


async def next_work(
    engine: Engine, caller: Principal, wanted: Filter, word: Worded, key: Key | None = None
) -> Answer | None:
    """Claim the first work that fits; None where there is none now."""
    for offer in await engine.store.offers(caller.tenant, wanted, GUESSES):
        running = engine.flows.get(offer.workflow)
        if running is None:
            continue
        asked = _claim(running.flow.kind(offer.kind).claim, offer, wanted)
        order = Order(caller.tenant, caller.actor(), offer.unit, (asked,), word, key)
        try:
            return await advance(engine, order)
        except (Refusal, Emptied, NotFound):
            # Somebody was faster, or the unit does not hand anything out now.
            continue
    return None


def _claim(event: str, offer: Offer, wanted: Filter) -> Asked:
    if wanted.role or wanted.member:
        # The head of the queue may be for somebody else: ask for the part that was found.
        return Asked(event, part=part_id(offer.unit, offer.number))
    return Asked(event, kind=offer.kind)


async def changes(engine: Engine, tenant: str, wait_s: float) -> AsyncIterator[None]:
    """Yield at once, and then at every change for as long as the caller wants to wait."""
    if not 0 <= wait_s <= WAIT_MAX_S:
        message = f"wait_s is {wait_s:g}."
        raise InvalidInput(message, fix=f"Wait for 0 to {WAIT_MAX_S:g} seconds.")
    loop = asyncio.get_running_loop()
    until = loop.time() + wait_s
    async with aclosing(engine.store.watch(tenant)) as watch:
        while True:
            try:
                await asyncio.wait_for(anext(watch), max(until - loop.time(), 0.001))
            except TimeoutError:
                return
            yield
            if loop.time() >= until:
                return
