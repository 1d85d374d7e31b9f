"""Back a PostgreSQL database up in one snapshot, and make one of the rows of a backup.

A backup reads every table as the same instant left it, tenant by tenant, for row security lets
nobody see more at once. A restore is one transaction: the old tables go under another
schema, the new ones are made and filled, or nothing has happened.
"""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import apsw
import asyncpg

from interlock.clock import Clock
from interlock.store.backup import (
    Manifest,
    PlaceInUse,
    PlaceNotEmpty,
    is_whole,
    made,
    opened,
    seal,
)
from interlock.store.erasures import Erasure
from interlock.store.errors import NotADatabase
from interlock.store.migrate import (
    ADVISORY_KEY,
    applied_postgres,
    migrate_sqlite,
    own_migrations,
    pending,
    written,
)
from interlock.store.postgres.failures import cannot_connect
from interlock.store.postgres.guard import RoleRefused
from interlock.store.postgres.pooler import connect_directly
from interlock.store.postgres.read import read_position
from interlock.store.postgres.trips import DRIVER_ERRORS, Options
from interlock.store.statements import statements
from interlock.store.sums import digests
from interlock.store.tables import (
    CHUNKS,
    Row,
    Table,
    Tell,
    add_rows,
    add_words,
    by_owner,
    count_rows,
    listed,
    read_rows,
    tables,
    words,
)

if TYPE_CHECKING:
    from interlock.store.postgres.trips import Connection

PAGE: Final = 2_000
PATIENCE_S: Final = 3_600.0
AUDIT: Final = "audit"
HOOKS: Final = "hooks"


async def back_up(url: str, file: Path, program: str, clock: Clock, tell: Tell) -> Manifest:
    """Write a backup of a database at one instant, and return what it is of."""
    async with connected(url) as connection:
        with made(file) as partial, closing(apsw.Connection(str(partial))) as target:
            taken_at = clock.now()
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                name, schema = await _copy_all(connection, target, clock, tell)
            is_whole(target)
            manifest = Manifest(program, "postgres", schema, name, taken_at, digests(target))
            seal(target, manifest)
    return manifest


async def _copy_all(
    connection: "Connection", target: apsw.Connection, clock: Clock, tell: Tell
) -> tuple[str, int]:
    """Copy every row that the transaction sees; return the incarnation and the schema."""
    said = statements("postgres")
    applied = await applied_postgres(connection)
    if not applied:
        message = "The database has no tables of Interlock."
        raise NotADatabase(message, fix="Name another database, or run `interlock db migrate`.")
    pending(applied, own_migrations("postgres"))
    # The same numbers mean the same tables in both dialects.
    migrate_sqlite(target, clock.now(), own_migrations("sqlite")[: len(applied)])
    name, created_at = await connection.fetchrow(said["read_name"].sql) or ("", 0)
    target.execute("PRAGMA foreign_keys = off")
    tenants = [str(row[0]) for row in await connection.fetch(said["list_ids_of_tenants"].sql)]
    all_tables = tables(target)
    with target:
        values = {"name": name, "at": created_at}
        target.execute(statements("sqlite")["rename_incarnation"].sql, values)
        for table in all_tables:
            if not table.owner:
                await _copy_table(connection, target, table, ())
        for place, tenant in enumerate(tenants):
            tell(place, len(tenants))
            await connection.execute(said["be_tenant"].sql, tenant)
            await _copy_tenant(connection, target, all_tables, tenant)
    return str(name), len(applied)


async def _copy_tenant(
    connection: "Connection", target: apsw.Connection, all_tables: Iterable[Table], tenant: str
) -> None:
    said = statements("postgres")
    for table in all_tables:
        if not table.owner:
            continue
        # Positions of the feed are given in the order in which it is read.
        order = ("xid", "unit", "sequence") if table.name == AUDIT else ()
        await _copy_table(connection, target, table, (tenant,), order)
        if table.name == CHUNKS:
            rows = await connection.fetch(said["list_words"].sql, tenant)
            add_words(target, ((tenant, row[0], row[1], row[2]) for row in rows if row[2]))
    ((before,),) = target.execute(
        "SELECT coalesce(min(position), 1) - 1 FROM audit WHERE tenant = ?", (tenant,)
    ).fetchall()
    asked = "SELECT id, position FROM hooks WHERE tenant = ?"
    for hook, position in target.execute(asked, (tenant,)).fetchall():
        place = read_position(str(position))
        passed = await connection.fetchval(
            said["count_entries"].sql, tenant, place.xid, place.unit, place.sequence
        )
        told = str(cast("int", before) + passed) if passed else ""
        target.execute(
            "UPDATE hooks SET position = ? WHERE tenant = ? AND id = ?", (told, tenant, hook)
        )


async def _copy_table(
    connection: "Connection",
    target: apsw.Connection,
    table: Table,
    tenant: tuple[str, ...],
    order: tuple[str, ...] = (),
) -> None:
    which = f'WHERE "{table.owner}" = $1' if tenant else ""
    keys = listed(order or table.known_by)
    asked = f'SELECT {listed(table.shared)} FROM "{table.name}" {which} ORDER BY {keys}'  # noqa: S608 (names of ours)
    page: list[Row] = []
    async for row in connection.cursor(asked, *tenant, prefetch=PAGE):
        page.append(tuple(row))
        if len(page) == PAGE:
            add_rows(target, table, page)
            page = []
    add_rows(target, table, page)


async def erasures(url: str) -> tuple[Erasure, ...]:
    """Return the erasures that a database knows of itself; none where there is none of ours."""
    said = statements("postgres")
    async with connected(url) as connection:
        try:
            names = tuple(str(row[0]) for row in await connection.fetch(said["list_lineage"].sql))
            rows = await connection.fetch(said["list_erased"].sql)
        except (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError):
            return ()
    return tuple(Erasure(str(row[0]), int(row[1]), names) for row in rows)


async def put(staged: Path, url: str, clock: Clock, *, is_forced: bool, tell: Tell) -> str:
    """Make the tables of a database and fill them with those of a file, in one transaction.

    With ``is_forced`` there may be tables already: they are kept under the schema that is returned.
    """
    async with connected(url) as connection:
        with closing(opened(staged)) as source:
            async with connection.transaction():
                kept = await _make_way(connection, source, is_forced=is_forced)
                await _make_tables(connection, clock.now())
                await _fill(connection, source, tell)
    return kept


async def _make_way(connection: "Connection", source: apsw.Connection, *, is_forced: bool) -> str:
    said = statements("postgres")
    await connection.execute(said["lock_migrations"].sql, ADVISORY_KEY)
    if not await connection.fetchval(said["find_tables"].sql):
        return ""
    if not is_forced:
        fix = "Name another database, or add --force: the old tables are kept under another schema."
        raise PlaceNotEmpty("There are tables in this database.", fix=fix)
    others = await connection.fetchval(said["count_others"].sql)
    if others:
        message = f"{others} others are connected to this database."
        raise PlaceInUse(message, fix="Stop every server on it first.")
    name = _incarnation(source)[0]
    kept = f"interlock_before_{name}"
    await connection.execute(f'ALTER SCHEMA public RENAME TO "{kept}"')
    await connection.execute("CREATE SCHEMA public")
    return kept


async def _make_tables(connection: "Connection", now: int) -> None:
    """Make the schema of today inside the transaction of the caller."""
    said = statements("postgres")
    await connection.execute(said["create_migrations"].sql)
    insert = said["insert_migration"]
    for migration in own_migrations("postgres"):
        await connection.execute(migration.text)
        await connection.execute(insert.sql, *insert.arguments(written(migration, now)))


async def _fill(connection: "Connection", source: apsw.Connection, tell: Tell) -> None:
    said = statements("postgres")
    await connection.execute(said["write_name"].sql, *_incarnation(source))
    numbers = _Numbers(
        int(await connection.fetchval(said["read_transaction"].sql)) - 1, _entries(source)
    )
    all_tables = tables(source)
    total = sum(count_rows(source, table) for table in all_tables)
    done = 0
    for table in all_tables:
        rows = _rows_of(source, table, numbers)
        asked = _insert(table)
        owner = table.shared.index(table.owner) if table.owner else None
        tenant = ""
        while page := list(islice(rows, PAGE)):
            for whose, some in by_owner(page, owner):
                if whose != tenant:
                    await connection.execute(said["be_tenant"].sql, whose)
                    tenant = whose
                await connection.executemany(asked, some, timeout=PATIENCE_S)
            done += len(page)
            tell(done, total)


class _Numbers(NamedTuple):
    """Numbers of transactions for entries that come from elsewhere: old ones, in their order.

    A feed reads what is below the oldest open transaction, so they must be below our own.
    """

    last: int
    entries: int

    def of(self, place: int) -> str:
        """Return the number for the entry that is at a place in the order of the feed."""
        return str(max(1, place * self.last // max(self.entries, 1)))


def _entries(source: apsw.Connection) -> int:
    ((count,),) = source.execute("SELECT count(*) FROM audit").fetchall()
    return cast("int", count)


def _incarnation(source: apsw.Connection) -> tuple[str, int]:
    ((name, at),) = source.execute("SELECT name, created_at FROM incarnations").fetchall()
    return str(name), cast("int", at)


def _rows_of(source: apsw.Connection, table: Table, numbers: _Numbers) -> Iterator[Row]:
    """Yield the rows of a table, with what PostgreSQL has beside them at their end."""
    if table.name == AUDIT:
        rows = read_rows(source, table, order=table.key)
        return ((*row, numbers.of(place)) for place, row in enumerate(rows, 1))
    if table.name == CHUNKS:
        said = words(source)
        ids = [cast("int", row[0]) for row in source.execute("SELECT id FROM chunks ORDER BY id")]
        rows = read_rows(source, table, order=table.key)
        return ((*row, _vector(said.get(n, ""))) for n, row in zip(ids, rows, strict=True))
    if table.name == HOOKS:
        return _hooks(source, table, numbers)
    return read_rows(source, table)


def _hooks(source: apsw.Connection, table: Table, numbers: _Numbers) -> Iterator[Row]:
    """Yield the rows of hooks with their positions as PostgreSQL says them."""
    name, _ = _incarnation(source)
    at, tenant = table.shared.index("position"), table.shared.index("tenant")
    for row in read_rows(source, table):
        found = source.execute(
            "SELECT (SELECT count(*) FROM audit AS b WHERE b.position <= a.position),"
            " unit, sequence FROM audit AS a WHERE tenant = ? AND position <= ?"
            " ORDER BY position DESC LIMIT 1",
            (row[tenant], int(str(row[at]) or 0)),
        ).fetchall()
        told = ""
        for place, unit, sequence in found:
            told = f"{name}:{numbers.of(cast('int', place))}:{unit}:{sequence}"
        yield (*row[:at], told, *row[at + 1 :])


def _vector(said: str) -> str:
    return " ".join(f"'{word}':{place}" for place, word in enumerate(said.split(), 1))


def _insert(table: Table) -> str:
    columns = [f'"{name}"' for name in table.shared]
    places = [f"${number}" for number in range(1, len(columns) + 1)]
    if table.name == AUDIT:
        columns.append("xid")
        places.append(f"CAST(${len(columns)}::TEXT AS XID8)")
    if table.name == CHUNKS:
        columns.append("words")
        whose = places[table.shared.index("tenant")]
        places.append(
            f"CAST(${len(columns)}::TEXT AS TSVECTOR)"
            f" || array_to_tsvector(ARRAY['@' || {whose}::TEXT])"
        )
    return f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({', '.join(places)})"  # noqa: S608 (names of ours)


@asynccontextmanager
async def connected(url: str) -> "AsyncIterator[Connection]":
    """Connect as whoever logs in, who must own the database; say in our words what goes wrong."""
    connection = await connect_directly(url, Options(command_s=PATIENCE_S))
    try:
        yield connection
    except asyncpg.InsufficientPrivilegeError as exc:
        message = f"This role may not do that: {exc}."
        raise RoleRefused(message, fix="Use the owner of the database.") from exc
    except DRIVER_ERRORS as exc:
        raise cannot_connect(exc) from exc
    finally:
        await connection.close()
