"""Who waits for a change is woken: at once by this process's commits, soon by those of others.

Other processes are told by NOTIFY, on a connection of its own and not in the commit, where it
would cost a quarter of the throughput; what is to be told is gathered for a moment first. A word
may get lost with a connection, so whoever waits also looks for themselves every two seconds.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING, Final

from interlock.errors import InterlockError
from interlock.store.postgres.trips import DRIVER_ERRORS
from interlock.store.statements import statements

if TYPE_CHECKING:
    from interlock.store.postgres.trips import Connection

CHANNEL: Final = "interlock"
GATHER_S: Final = 0.05
EVERY_S: Final = 2.0
"""How often those who wait look for themselves; also how soon a lost connection is made anew."""


class Bell:
    """Wakes those who wait for a tenant, here and in other processes."""

    def __init__(self, connect: "Callable[[], Awaitable[Connection]]") -> None:
        """Take what opens a connection; nothing is opened before somebody rings or waits."""
        self._connect = connect
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._pending: set[str] = set()
        self._is_pending = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._pid = 0
        self._is_closed = False

    def ring(self, tenant: str) -> None:
        """Wake who waits for this tenant."""
        self._wake(tenant)
        self._pending.add(tenant)
        self._is_pending.set()
        self._begin()

    async def watch(self, tenant: str) -> AsyncGenerator[None, None]:
        """Yield at once, and then whenever something may have changed."""
        self._begin()
        event = asyncio.Event()
        self._waiting.setdefault(tenant, set()).add(event)
        try:
            while not self._is_closed:
                yield
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(EVERY_S):
                        await event.wait()
                event.clear()
        finally:
            self._waiting[tenant].discard(event)
            if not self._waiting[tenant]:
                del self._waiting[tenant]

    async def close(self) -> None:
        """Tell what is still to be told, then let go, also of those who wait."""
        self._is_closed = True
        for tenant in tuple(self._waiting):
            self._wake(tenant)
        task = self._task
        if task is None:
            return
        while self._pending and not task.done():
            await asyncio.sleep(GATHER_S)
            if self._pid == 0:
                break  # there is nobody to tell
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    def _begin(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._work())

    def _wake(self, tenant: str) -> None:
        for event in self._waiting.get(tenant, ()):
            event.set()

    def _hear(self, _connection: object, pid: int, _channel: str, payload: object) -> None:
        if pid != self._pid:
            self._wake(str(payload))

    async def _work(self) -> None:
        """Keep a connection; whenever it is lost, make it anew after a while."""
        while True:
            # Whatever it was: a bell that ends here would never ring again.
            with contextlib.suppress(InterlockError, *DRIVER_ERRORS):
                connection = await self._connect()
                try:
                    await self._tell(connection)
                finally:
                    self._pid = 0
                    connection.terminate()
            await asyncio.sleep(EVERY_S)

    async def _tell(self, connection: "Connection") -> None:
        """Listen, and pass on what rings here, for as long as the connection is good."""
        sql = statements("postgres")["notify_tenants"].sql
        await connection.add_listener(CHANNEL, self._hear)
        self._pid = connection.get_server_pid()
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        while not lost.is_set():
            await _first(self._is_pending, lost)
            await asyncio.sleep(GATHER_S)
            self._is_pending.clear()
            tenants = list(self._pending)
            if tenants:
                await connection.execute(sql, CHANNEL, tenants)
            self._pending.difference_update(tenants)


async def _first(*events: asyncio.Event) -> None:
    """Wait until one of these has happened."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waits:
            one.cancel()
