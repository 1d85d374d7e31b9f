"""How a PostgreSQL database stands, read in one snapshot and without changing it."""

from typing import TYPE_CHECKING, cast

import asyncpg

from interlock.store.errors import NotADatabase
from interlock.store.migrate import Applied, applied_postgres, own_migrations, pending
from interlock.store.postgres.backup import connected
from interlock.store.statements import statements
from interlock.store.status import COUNTED, Status

if TYPE_CHECKING:
    from interlock.store.postgres.trips import Connection

RESTORES_SINCE = 26
"""The migration that has made the table of restores."""


async def status(url: str) -> Status:
    """Say how a database stands."""
    async with (
        connected(url) as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        applied = await applied_postgres(connection)
        if not applied:
            fix = "Name another database, or run `interlock db migrate`."
            raise NotADatabase("The database has no tables of Interlock.", fix=fix)
        return await _status(connection, applied)


async def _status(connection: "Connection", applied: tuple[Applied, ...]) -> Status:
    said = statements("postgres")
    missing = pending(applied, own_migrations("postgres"))
    sizes = cast("asyncpg.Record", await connection.fetchrow(said["read_sizes"].sql))
    name = await connection.fetchval(said["read_name"].sql)
    counts, leases = await _counted(connection)
    restored = []
    if len(applied) >= RESTORES_SINCE:
        restored = await connection.fetch(said["list_restores"].sql)
    last = restored[-1] if restored else None
    return Status(
        "postgres", sizes["version"], len(applied), tuple(one.number for one in missing), name,
        "degraded" if sizes["lossy"] else "full", sizes["size"], counts, leases,
        {
            "database": sizes["database"], "off": sizes["lossy"] or "nothing",
            "is_standby": sizes["is_standby"],
        },
        0 if last is None else last["restored_at"], 0 if last is None else last["taken_at"],
    )  # fmt: skip


async def _counted(connection: "Connection") -> tuple[dict[str, int], int]:
    """Count over all tenants, one after the other: row security lets nobody see more at once."""
    said = statements("postgres")
    counts, leases = dict.fromkeys(COUNTED, 0), 0
    for row in await connection.fetch(said["list_ids_of_tenants"].sql):
        await connection.execute(said["be_tenant"].sql, row[0])
        leases += cast("int", await connection.fetchval(said["count_held"].sql, row[0]))
        for table in COUNTED:
            column = "id" if table == "tenants" else "tenant"
            asked = f"SELECT count(*) FROM {table} WHERE {column} = $1"  # noqa: S608 (names of ours)
            counts[table] += cast("int", await connection.fetchval(asked, row[0]))
    return counts, leases
