"""Erase a tenant from a PostgreSQL database, as its owner.

The rows go in one transaction. After that every table is written anew, so that its files have no
byte of them; the server waits for that with each table. What the server itself has kept of the past
(its write-ahead log, archives and backups of it) is beyond us, and is told in the documentation.
"""

from typing import TYPE_CHECKING, Final

from interlock.store.erasing import ERASES, Erased
from interlock.store.people import Act
from interlock.store.postgres.failures import cannot_connect
from interlock.store.postgres.guard import RoleRefused
from interlock.store.postgres.pooler import connect_directly
from interlock.store.postgres.trips import DRIVER_ERRORS, Options
from interlock.store.statements import statements

if TYPE_CHECKING:
    from interlock.store.postgres.trips import Connection

PATIENT: Final = Options(command_s=3600.0)
"""A large table is written anew for longer than a command lasts."""


async def erase(url: str, tenant: str, at: int, act: Act) -> Erased:
    """Erase a tenant, or once more what is left in the files of one that was erased."""
    connection = await connect_directly(url, PATIENT)
    try:
        await _require_owner(connection)
        told = await _erase_rows(connection, tenant, at, act)
        for row in await connection.fetch(statements("postgres")["list_table_columns"].sql):
            await connection.execute(f'VACUUM (FULL, ANALYZE) "{row[0]}"')
    except DRIVER_ERRORS as exc:
        raise cannot_connect(exc) from exc
    finally:
        await connection.close()
    return told


async def _require_owner(connection: "Connection") -> None:
    if not await connection.fetchval(statements("postgres")["is_owner"].sql):
        message = "Only who owns the database can erase a tenant from it."
        fix = "Name the login that ran `interlock db migrate` in INTERLOCK_DATABASE."
        raise RoleRefused(message, fix=fix)


async def _erase_rows(connection: "Connection", tenant: str, at: int, act: Act) -> Erased:
    said = statements("postgres")
    values = {"tenant": tenant, "at": at, **act._asdict()}
    rows = entries = 0
    async with connection.transaction():
        await connection.execute(said["act_as"].sql, tenant)
        close = said["close_tenant"]
        if _count(await connection.execute(close.sql, *close.arguments(values))):
            for name in ERASES:
                one = said[name]
                gone = _count(await connection.execute(one.sql, *one.arguments(values)))
                entries = gone if name == "erase_audit" else entries
                rows += gone
            note = said["erase_note"]
            await connection.execute(note.sql, *note.arguments(values))
    return Erased(at, rows, entries)


def _count(told: str) -> int:
    """Return how many rows a statement has changed, as the server tells it."""
    return int(told.rpartition(" ")[2])
