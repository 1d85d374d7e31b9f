"""Trips to the database: a pool of connections that work as the app, and calls by name.

One call is one round trip and one transaction; only what must be written together takes more,
in a transaction around it. Whoever learns the database's time on a trip tells it to ``learn``.
"""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast
from weakref import WeakKeyDictionary

import asyncpg

from interlock.clock import Clock
from interlock.store.errors import DurabilityRefused
from interlock.store.postgres.dial import dial
from interlock.store.postgres.failures import cannot_connect, translate
from interlock.store.postgres.lasting import waits_less
from interlock.store.postgres.offset import Offset
from interlock.store.postgres.pool import Pool
from interlock.store.script import Stale
from interlock.store.statements import statements

if TYPE_CHECKING:
    # The driver's class is generic for type checkers only.
    Connection = asyncpg.Connection[asyncpg.Record]

Row = tuple[Any, ...]
Told = Coroutine[object, None, list[Row]]
"""A row as the driver gives it; what types its columns have, the function says that made it."""

APP_ROLE: Final = "interlock_app"
NOT_AGAIN: Final = -1
FATAL: Final = "FATAL"
"""How the server calls an error after which it ends the connection."""

DRIVER_ERRORS: Final = (
    OSError,
    ValueError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
"""All that the driver raises when a server or the way to it is at fault; a timeout, too."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a store uses its server. ``role`` is whom it works as, whoever it logs in as.

    ``statements`` is how many the server remembers for a connection. With ``sees_deleted`` it also
    finds units that were deleted: to prove the audit. With ``is_copying`` it opens a copy that has
    not been finished: to compare it.
    """

    role: str = APP_ROLE
    pool_size: int = 10
    allow_degraded: bool = False
    connect_s: float = 10.0
    command_s: float = 60.0
    statements: int = 100
    sees_deleted: bool = False
    is_copying: bool = False


async def connect(url: str, options: Options) -> "Connection":
    """Open a connection that works as whoever logs in."""
    try:
        return await dial(url, options.connect_s, options.command_s, options.statements)
    except DRIVER_ERRORS as exc:
        raise cannot_connect(exc) from exc


class _Unwritten(Exception):
    """One of several calls has written nothing, so none of them may."""

    def __init__(self, rows: list[asyncpg.Record]) -> None:
        super().__init__()
        self.rows = rows


class Trips:
    """All calls of one process to one database."""

    def __init__(self, url: str, clock: Clock, options: Options) -> None:
        """Take an address; nothing is opened yet."""
        self.options = options
        self.offset = Offset()
        self._url = url
        self._clock = clock
        # How often we came to a server with another history than the one before.
        self.turns = 0
        self._history: str | None = None
        self._met_at: WeakKeyDictionary[Connection, int] = WeakKeyDictionary()
        # What the commits of each connection wait for.
        self._waits: WeakKeyDictionary[Connection, str] = WeakKeyDictionary()
        self._pool = Pool(self.enter, options.pool_size)
        self._sql = {name: one.sql for name, one in statements("postgres").items()}

    def now(self) -> int:
        """Return the database's time, as far as we know it."""
        return self._clock.now() + self.offset.ms

    def here(self) -> int:
        """Return our own time, to be given to ``learn`` after a trip."""
        return self._clock.now()

    def learn(self, sent: int, there: int) -> None:
        """Take the database's time into account that a trip has just brought back."""
        self.offset.learn(sent, self._clock.now(), there)

    async def connect(self) -> "Connection":
        """Open a connection outside of the pool."""
        return await connect(self._url, self.options)

    async def enter(self) -> "Connection":
        """Open a connection that works as the app; one that may lose commits is not used."""
        connection = await self.connect()
        try:
            row = await connection.fetchrow(self._sql["enter_role"], self.options.role)
        except BaseException:
            connection.terminate()
            raise
        if row is not None and row[0] == "off" and not self.options.allow_degraded:
            connection.terminate()
            message = "The server does not wait for its disk: synchronous_commit is off."
            fix = "Set synchronous_commit to on for this role and database."
            raise DurabilityRefused(message, fix=fix)
        if row is not None:
            self._waits[connection] = row[0]
            self._meet(connection, row[1])
        return connection

    def _meet(self, connection: "Connection", history: str | None) -> None:
        """Note which history a connection leads to; all that lead to another are not used again."""
        if self._history is not None and history != self._history:
            self.turns += 1
        self._history = history
        self._met_at[connection] = self.turns

    def waits(self, of_new: str) -> set[str]:
        """Say what commits wait for; ``of_new`` is what a new connection would have them do.

        Connections that wait for less than new ones are not used again.
        """
        found = set()
        for connection, told in tuple(self._waits.items()):
            if connection.is_closed() or self._met_at[connection] != self.turns:
                continue
            if waits_less(told, of_new):
                self._met_at[connection] = NOT_AGAIN
            else:
                found.add(told)
        return found or {of_new}

    async def close(self) -> None:
        """Finish the calls that are under way and close the pool."""
        await self._pool.close(self.options.connect_s)

    def read(self, name: str, *arguments: object) -> Told:
        """Call something that writes nothing."""
        return self._call(name, arguments, is_write=False)

    def write(self, name: str, *arguments: object, turn: int | None = None) -> Told:
        """Call something that writes; a lost connection leaves open whether it has.

        What was decided in a ``turn`` raises ``Stale`` when another server has taken over since:
        the same version of a unit need not be the same there.
        """
        return self._call(name, arguments, is_write=True, turn=turn)

    async def await_standby(self) -> None:
        """Wait until what was just read is where a commit would be: an earlier answer is none.

        It may be that of a commit which nobody waited for any more when it was given up.
        """
        await self.write("await_standby")

    async def write_all(
        self,
        calls: Sequence[tuple[str, tuple[object, ...]]],
        is_written: Callable[[Row], bool],
        turn: int,
    ) -> list[Row]:
        """Make several calls in one transaction; return the rows of the first.

        If one of them says that it has written nothing, none has.
        """
        return await self._at(
            lambda one: self._fetch_all(one, calls, is_written), is_write=True, turn=turn
        )

    def _call(
        self, name: str, arguments: tuple[object, ...], *, is_write: bool, turn: int | None = None
    ) -> Told:
        return self._at(lambda one: self._fetch(one, name, arguments), is_write=is_write, turn=turn)

    async def _take(self) -> "Connection":
        """Take a connection that leads where the newest one does."""
        try:
            connection = await self._pool.take(self.options.connect_s)
            while self._met_at[connection] != self.turns:
                self._pool.drop(connection)
                connection = await self._pool.take(self.options.connect_s)
        except DRIVER_ERRORS as exc:
            raise cannot_connect(exc) from exc
        return connection

    async def _at(
        self,
        fetch: "Callable[[Connection], Awaitable[list[asyncpg.Record]]]",
        *,
        is_write: bool,
        turn: int | None = None,
    ) -> list[Row]:
        connection = await self._take()
        if turn not in (None, self.turns):
            self._pool.give(connection)
            raise Stale
        try:
            rows = await fetch(connection)
        except asyncpg.PostgresError as exc:
            if getattr(exc, "severity", "") == FATAL:
                self._pool.drop(connection)
            else:
                self._pool.give(connection)
            raise translate(exc, is_write=is_write) from exc
        except BaseException as exc:
            # Also when we were interrupted: what it is still doing is nobody's concern.
            self._pool.drop(connection)
            if isinstance(exc, DRIVER_ERRORS):
                raise translate(exc, is_write=is_write) from exc
            raise
        self._pool.give(connection)
        return cast("list[Row]", rows)

    async def _fetch_all(
        self,
        connection: "Connection",
        calls: Sequence[tuple[str, tuple[object, ...]]],
        is_written: Callable[[Row], bool],
    ) -> list[asyncpg.Record]:
        try:
            async with connection.transaction():
                found = [await self._fetch_one(connection, *call, is_written) for call in calls]
        except _Unwritten as no:
            return no.rows
        return found[0]

    async def _fetch_one(
        self,
        connection: "Connection",
        name: str,
        arguments: tuple[object, ...],
        is_written: Callable[[Row], bool],
    ) -> list[asyncpg.Record]:
        rows = await connection.fetch(self._sql[name], *arguments)
        if not is_written(cast("Row", rows[0])):
            raise _Unwritten(rows)
        return rows

    def _fetch(
        self, connection: "Connection", name: str, arguments: tuple[object, ...]
    ) -> Awaitable[list[asyncpg.Record]]:
        if self.options.sees_deleted:
            return self._fetch_seeing(connection, name, arguments)
        return connection.fetch(self._sql[name], *arguments)

    async def _fetch_seeing(
        self, connection: "Connection", name: str, arguments: tuple[object, ...]
    ) -> list[asyncpg.Record]:
        # For this transaction alone: others may use the connection after us.
        async with connection.transaction():
            await connection.execute(self._sql["see_deleted"])
            return await connection.fetch(self._sql[name], *arguments)
