"""Trips to the database: a pool of connections that work as the app, and calls by name.

One call is one round trip and one transaction; nothing here begins or ends one by hand. Whoever
learns the database's time on a trip tells it to ``learn``.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import asyncpg

from interlock.clock import Clock
from interlock.errors import InterlockError
from interlock.store.errors import DurabilityRefused
from interlock.store.postgres.failures import cannot_connect, translate
from interlock.store.postgres.offset import Offset
from interlock.store.statements import statements

if TYPE_CHECKING:
    # The driver's classes are generic for type checkers only.
    Connection = asyncpg.Connection[asyncpg.Record]
    Pool = asyncpg.Pool[asyncpg.Record]

Row = tuple[Any, ...]
"""A row as the driver gives it; what types its columns have, the function says that made it."""

APP_ROLE: Final = "interlock_app"
CALLS_MAX: Final = 1_000_000_000
"""After how many calls a connection is replaced: never, in practice."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a store uses its server. ``role`` is whom it works as, whoever it logs in as."""

    role: str = APP_ROLE
    pool_size: int = 10
    allow_degraded: bool = False
    connect_s: float = 10.0
    command_s: float = 60.0


class Trips:
    """All calls of one process to one database."""

    def __init__(self, url: str, clock: Clock, options: Options) -> None:
        """Take an address; nothing is opened yet."""
        self.options = options
        self.offset = Offset()
        self._url = url
        self._clock = clock
        self._pool: Pool | None = None
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
        """Open a connection outside of the pool; it works as whoever logs in."""
        try:
            return await asyncpg.connect(
                self._url, timeout=self.options.connect_s, command_timeout=self.options.command_s
            )
        except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as exc:
            raise cannot_connect(exc) from exc

    async def open(self) -> None:
        """Open the pool."""
        pool: Pool = asyncpg.create_pool(
            self._url,
            min_size=1,
            max_size=self.options.pool_size,
            max_queries=CALLS_MAX,
            max_inactive_connection_lifetime=0,
            max_cached_statement_lifetime=0,
            timeout=self.options.connect_s,
            command_timeout=self.options.command_s,
            init=self.enter,
            reset=_leave_as_it_is,
        )
        try:
            self._pool = await pool
        except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as exc:
            raise cannot_connect(exc) from exc

    async def enter(self, connection: "Connection") -> None:
        """Make a new connection work as the app; one that may lose commits is not used."""
        row = await connection.fetchrow(self._sql["enter_role"], self.options.role)
        is_lossy = row is not None and row[2] == "off"
        if is_lossy and not self.options.allow_degraded:
            message = (
                "The server does not wait for commits to be on disk: synchronous_commit is off."
            )
            fix = "Set synchronous_commit to on for this role and database."
            raise DurabilityRefused(message, fix=fix)

    async def close(self) -> None:
        """Finish the calls that are under way and close the pool."""
        if self._pool is not None:
            await self._pool.close()

    async def read(self, name: str, *arguments: object) -> list[Row]:
        """Call something that writes nothing."""
        return await self._call(name, arguments, is_write=False)

    async def write(self, name: str, *arguments: object) -> list[Row]:
        """Call something that writes; a lost connection leaves open whether it has."""
        return await self._call(name, arguments, is_write=True)

    async def _call(self, name: str, arguments: tuple[object, ...], *, is_write: bool) -> list[Row]:
        pool = self._pool
        if pool is None:
            raise cannot_connect(ConnectionError("it was not opened"))
        try:
            connection = await pool.acquire(timeout=self.options.connect_s)
        except InterlockError:
            raise
        except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as exc:
            raise cannot_connect(exc) from exc
        try:
            rows = await connection.fetch(self._sql[name], *arguments)
            return cast("list[Row]", rows)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as exc:
            raise translate(exc, is_write=is_write) from exc
        finally:
            await pool.release(connection)


async def _leave_as_it_is(_: object) -> None:
    """Do nothing between two calls: none of ours leaves anything behind in its connection."""
