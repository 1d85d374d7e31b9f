"""Who waits for a change is woken: at once by this process's commits, soon by those of others.

Another process's commits are noticed by asking SQLite for its data version, and only while
somebody waits. Each is woken in their own event loop; a process may have several.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Final

EVERY_S: Final = 0.05
"""How often others are looked for; a change must be seen within 200 ms."""

Waiter = tuple[asyncio.AbstractEventLoop, asyncio.Event]


class Bell:
    """Wakes those who wait for a tenant."""

    def __init__(self, version: Callable[[], int]) -> None:
        """Take what tells whether another process has written."""
        self._version = version
        self._lock = threading.Lock()
        self._waiting: dict[str, set[Waiter]] = {}
        self._is_closed = False

    def ring(self, tenants: set[str]) -> None:
        """Wake who waits for these tenants; may be called from any thread."""
        # Every commit comes by here. Who begins to wait just now looks before they wait.
        if not self._waiting:
            return
        with self._lock:
            waiters = [one for tenant in tenants for one in self._waiting.get(tenant, ())]
        for loop, event in waiters:
            with suppress(RuntimeError):  # the loop has closed, and nobody waits in it any more
                loop.call_soon_threadsafe(event.set)

    def close(self) -> None:
        """Let everyone go who still waits."""
        self._is_closed = True
        self.ring(set(self._waiting))

    async def watch(self, tenant: str) -> AsyncGenerator[None, None]:
        """Yield at once, and then whenever something may have changed; end when closed."""
        if self._is_closed:
            return
        event = asyncio.Event()
        waiter = (asyncio.get_running_loop(), event)
        with self._lock:
            self._waiting.setdefault(tenant, set()).add(waiter)
        try:
            seen = self._version()
            yield
            while not self._is_closed:
                try:
                    # Not wait_for: in Python 3.11 it may swallow that we are cancelled.
                    async with asyncio.timeout(EVERY_S):
                        await event.wait()
                except TimeoutError:
                    now = self._version()
                    if now == seen:
                        continue
                    seen = now
                event.clear()
                if not self._is_closed:
                    yield
        finally:
            with self._lock:
                self._waiting[tenant].discard(waiter)
                if not self._waiting[tenant]:
                    del self._waiting[tenant]
