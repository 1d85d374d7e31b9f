"""The worker tidies up by itself: trees of tickets that ended long ago are removed now and then.

It never holds up work, and a server that does not answer only means that it looks again later.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from interlock.clock import Clock
from interlock.errors import InterlockError
from interlock.worker.workspace.disk import Ask, Pruned, kept, prune, state_of
from interlock.worker.workspace.room import Site

EVERY_S: Final = 3600.0
FIRST_S: Final = 60.0
"""Drawn by chance: workers that were started together do not ask together."""

log = logging.getLogger("interlock.worker")


class Keeper:
    """Removes the trees of a site that may go, as long as it runs."""

    def __init__(self, site: Site, ask: Ask, older_ms: int, clock: Clock) -> None:
        """Ask a server through ``ask``; keep what has rested for less than so long."""
        self._site = site
        self._ask = ask
        self._older_ms = older_ms
        self._clock = clock

    async def run(self) -> None:
        """Tidy up for ever; ends when it is cancelled."""
        await asyncio.sleep(self._clock.jitter(FIRST_S))
        while True:
            try:
                done = await self.tidy()
            except (InterlockError, OSError) as no:
                log.info("working trees were not looked through: %s", no)
            else:
                for one in done.removed:
                    log.info("the working tree of %s is gone: it has ended", one.ticket)
                for ticket, why in done.failed:
                    log.warning("the working tree of %s cannot be removed: %s", ticket, why)
            await asyncio.sleep(EVERY_S)

    async def tidy(self) -> Pruned:
        """Remove what may go; raises ``InterlockError`` where the server does not say."""
        found = await kept(self._site, lambda one: state_of(self._ask, one), self._clock.now())
        return await prune(self._site, found, self._older_ms)


@asynccontextmanager
async def tidied(keeper: Keeper) -> AsyncIterator[None]:
    """Have the keeper run beside what is done meanwhile."""
    running = asyncio.create_task(keeper.run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
