"""Who waits for a change is woken: at once by this process's commits, soon by those of others.

Another process's commits are noticed by asking SQLite for its data version, and only while
somebody waits.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

EVERY_S: Final = 0.05
"""How often others are looked for; a change must be seen within 200 ms."""


class Bell:
    """Wakes those who wait for a tenant."""

    def __init__(self, version: Callable[[], int]) -> None:
        """Take what tells whether another process has written."""
        self._version = version
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._loops: set[asyncio.AbstractEventLoop] = set()

    def ring(self, tenants: set[str]) -> None:
        """Wake who waits for these tenants; may be called from any thread."""
        for loop in tuple(self._loops):
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._wake, tenants)

    def _wake(self, tenants: set[str] | None) -> None:
        for tenant, events in self._waiting.items():
            if tenants is None or tenant in tenants:
                for event in events:
                    event.set()

    async def watch(self, tenant: str) -> AsyncIterator[None]:
        """Yield at once, and then whenever something may have changed."""
        loop = asyncio.get_running_loop()
        self._loops.add(loop)
        event = asyncio.Event()
        self._waiting.setdefault(tenant, set()).add(event)
        try:
            seen = self._version()
            yield
            while True:
                try:
                    await asyncio.wait_for(event.wait(), EVERY_S)
                except TimeoutError:
                    now = self._version()
                    if now == seen:
                        continue
                    seen = now
                event.clear()
                yield
        finally:
            self._waiting[tenant].discard(event)
            if not self._waiting[tenant]:
                del self._waiting[tenant]
