"""Find out whether a pooler stands before the server that parts connections between transactions.

What a connection of ours is set to, the role above all, must hold for all that is done over it, and
a server that has taken over must be noticed: behind such a pooler neither is so. One that keeps a
connection for a session is as good as none.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import asyncpg

from interlock.store.errors import StoreError
from interlock.store.postgres.failures import cannot_connect
from interlock.store.postgres.trips import DRIVER_ERRORS, Options, connect

if TYPE_CHECKING:
    from interlock.store.postgres.trips import Connection

ROUNDS: Final = 3
WHO: Final = "SELECT pg_backend_pid()"

MIXED_UP: Final = (asyncpg.DuplicatePreparedStatementError, asyncpg.InvalidSQLStatementNameError)
"""What a server says that has the statements of others, or not ours."""


class PoolerRefused(StoreError):
    """A pooler gives each transaction another connection to the server."""

    code = "POOLER_REFUSED"


async def connect_directly(url: str, options: Options) -> "Connection":
    """Open a connection as ``connect`` does; raises where others would share it with us."""
    connection = await connect(url, options)
    try:
        await _require_own(connection, url, options)
    except DRIVER_ERRORS as exc:
        connection.terminate()
        raise cannot_connect(exc) from exc
    except BaseException:
        connection.terminate()
        raise
    return connection


async def _require_own(connection: "Connection", url: str, options: Options) -> None:
    if await _is_shared(connection, url, options):
        message = "The address leads to a pooler that parts connections between transactions."
        fix = "Name the server itself, or set the pooler to pool_mode=session: we pool anyway."
        raise PoolerRefused(message, fix=fix)


async def _is_shared(connection: "Connection", url: str, options: Options) -> bool:
    try:
        # Poolers make the number up that they tell us first; servers do not.
        if await connection.fetchval(WHO) == connection.get_server_pid():
            return False
    except MIXED_UP:
        return True
    # A statement that has a name would be known to one of the server's connections alone.
    nameless = replace(options, statements=0)
    one = await connect(url, nameless)
    try:
        other = await connect(url, nameless)
        try:
            return await _share(one, other)
        finally:
            other.terminate()
    finally:
        one.terminate()


async def _share(one: "Connection", other: "Connection") -> bool:
    """Say whether transactions of two connections ever go over the same one to the server."""
    for _ in range(ROUNDS):
        here = await _ask(one)
        if here != await _ask(one) or here == await _ask(other):
            return True
    return False


async def _ask(connection: "Connection") -> int:
    """Return the number of the server's process that answers, in a transaction of its own."""
    async with connection.transaction():
        found: int = await connection.fetchval(WHO)
    return found
