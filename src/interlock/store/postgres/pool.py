"""A pool of connections that costs next to nothing: the driver's own costs more than a trip.

A connection is handed out, handed back, or dropped after anything went wrong with it. The one that
was used last is handed out first; whoever finds none waits in line and is served in turn.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from interlock.store.errors import StoreUnavailable

if TYPE_CHECKING:
    from interlock.store.postgres.trips import Connection


class Pool:
    """At most ``size`` connections, made when they are needed."""

    def __init__(self, make: "Callable[[], Awaitable[Connection]]", size: int) -> None:
        """Take what makes a connection; nothing is made yet."""
        self._make = make
        self._room = size
        self._free: list[Connection] = []
        self._used: set[Connection] = set()
        # Who is called gets a connection, or None: then there is room to make one.
        self._line: deque[asyncio.Future[Connection | None]] = deque()
        self._is_closed = False
        self._is_idle = asyncio.Event()

    async def take(self, patience_s: float) -> "Connection":
        """Hand a connection out; raises ``TimeoutError`` where none becomes free in time."""
        while not self._is_closed:
            connection = self._free.pop() if self._free else None
            if connection is None:
                if self._room:
                    return await self._add()
                connection = await self._wait(patience_s)
                if connection is None:
                    continue
            if not connection.is_closed():
                self._used.add(connection)
                return connection
            self.drop(connection)
        raise StoreUnavailable("The store is closed.", fix="Send it again later.")

    def give(self, connection: "Connection") -> None:
        """Take a connection back that is as good as before."""
        if connection.is_closed() or self._is_closed:
            self.drop(connection)
            return
        self._used.discard(connection)
        if not self._call_next(connection):
            self._free.append(connection)

    def drop(self, connection: "Connection") -> None:
        """Give a connection up, whatever it is doing."""
        connection.terminate()
        self._used.discard(connection)
        self._room += 1
        self._call_next(None)
        if not self._used:
            self._is_idle.set()

    async def close(self, patience_s: float) -> None:
        """Wait for what is under way, but not for ever, and close all connections."""
        self._is_closed = True
        while self._call_next(None):
            pass
        if self._used:
            self._is_idle.clear()
            try:
                async with asyncio.timeout(patience_s):
                    await self._is_idle.wait()
            except TimeoutError:
                for connection in tuple(self._used):
                    self.drop(connection)
        while self._free:
            await self._free.pop().close()

    async def _add(self) -> "Connection":
        self._room -= 1
        try:
            connection = await self._make()
        except BaseException:
            self._room += 1
            self._call_next(None)
            raise
        self._used.add(connection)
        return connection

    async def _wait(self, patience_s: float) -> "Connection | None":
        turn: asyncio.Future[Connection | None] = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        try:
            async with asyncio.timeout(patience_s):
                return await turn
        except BaseException:
            if turn in self._line:
                self._line.remove(turn)
            elif turn.done() and not turn.cancelled():
                self._pass_on(turn.result())  # it was our turn, and we did not take it
            raise

    def _pass_on(self, connection: "Connection | None") -> None:
        if connection is None:
            self._call_next(None)
        else:
            self.give(connection)

    def _call_next(self, connection: "Connection | None") -> bool:
        """Serve who waits longest; say whether there was anybody."""
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                turn.set_result(connection)
                return True
        return False
