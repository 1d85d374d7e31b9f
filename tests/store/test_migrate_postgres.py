"""PostgreSQL is migrated like SQLite: whole or not at all, by one at a time."""

import asyncio
from collections.abc import Iterator

import asyncpg
import pytest

from interlock.store.dump import dump_postgres_schema
from interlock.store.migrate import (
    BadMigration,
    Migration,
    SchemaTooNew,
    applied_postgres,
    migrate_postgres,
)
from tests.store.made import NOW
from tools.postgres.server import Server

MAKE = Migration(
    1,
    "make_tables",
    "aa",
    """
    CREATE TABLE units (id TEXT PRIMARY KEY, at BIGINT NOT NULL); -- COMMIT;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'units stay; COMMIT;';
    END;
    $$;
    CREATE TRIGGER units_stay BEFORE DELETE ON units FOR EACH ROW EXECUTE FUNCTION refuse();
    INSERT INTO units VALUES ('u', 1);
    """,
)
ADD = Migration(2, "add_status", "bb", "ALTER TABLE units ADD status TEXT NOT NULL DEFAULT 'open';")
KNOWN = (MAKE, ADD)


@pytest.fixture
def database(postgres_server: Server) -> Iterator[str]:
    """The address of an empty database."""
    postgres_server.create_database("migrated")
    yield postgres_server.url("migrated")
    postgres_server.drop_database("migrated")


async def migrate(url: str, known: tuple[Migration, ...]) -> tuple[int, ...]:
    connection = await asyncpg.connect(url)
    try:
        return await migrate_postgres(connection, NOW, known)
    finally:
        await connection.close()


async def look(url: str) -> tuple[list[int], str]:
    connection = await asyncpg.connect(url)
    try:
        numbers = [one.number for one in await applied_postgres(connection)]
        return numbers, await dump_postgres_schema(connection)
    finally:
        await connection.close()


async def rows(url: str, sql: str) -> list[tuple[object, ...]]:
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(sql)]
    finally:
        await connection.close()


def test_an_empty_database_gets_all_migrations_and_remembers_them(database: str) -> None:
    assert asyncio.run(migrate(database, KNOWN)) == (1, 2)
    assert asyncio.run(migrate(database, KNOWN)) == ()
    assert asyncio.run(rows(database, "SELECT number, name, sha256, at FROM migrations")) == [
        (one.number, one.name, one.sha256, NOW) for one in KNOWN
    ]
    assert asyncio.run(rows(database, "SELECT id, status FROM units")) == [("u", "open")]


def test_an_older_database_gets_what_it_lacks(database: str) -> None:
    asyncio.run(migrate(database, KNOWN[:1]))

    assert asyncio.run(migrate(database, KNOWN)) == (2,)


def test_of_many_who_start_at_once_each_migration_is_applied_by_one(database: str) -> None:
    async def crowd() -> list[tuple[int, ...]]:
        return await asyncio.gather(*(migrate(database, KNOWN) for _ in range(6)))

    done = asyncio.run(crowd())

    assert sorted(number for numbers in done for number in numbers) == [1, 2]


def test_a_migration_that_fails_changes_nothing(database: str) -> None:
    asyncio.run(migrate(database, KNOWN[:1]))
    before = asyncio.run(look(database))
    broken = Migration(2, "break_it", "cc", "DROP TABLE units; SELECT 1/0;")

    with pytest.raises(asyncpg.DivisionByZeroError):
        asyncio.run(migrate(database, (MAKE, broken)))
    assert asyncio.run(look(database)) == before


def test_a_migrator_that_is_cut_off_leaves_the_old_version(database: str) -> None:
    asyncio.run(migrate(database, KNOWN[:1]))
    before = asyncio.run(look(database))
    text = "DROP TABLE units; SELECT pg_terminate_backend(pg_backend_pid());"

    with pytest.raises((asyncpg.AdminShutdownError, asyncpg.InterfaceError)):
        asyncio.run(migrate(database, (MAKE, Migration(2, "cut_off", "cc", text))))
    assert asyncio.run(look(database)) == before
    assert asyncio.run(migrate(database, KNOWN)) == (2,)


def test_a_migration_that_ends_its_own_transaction_is_noticed(database: str) -> None:
    with pytest.raises(BadMigration, match="ended its own transaction"):
        asyncio.run(migrate(database, (Migration(1, "end_early", "cc", "SELECT 1; END;"),)))


def test_a_database_newer_than_the_program_is_refused(database: str) -> None:
    asyncio.run(migrate(database, KNOWN))

    with pytest.raises(SchemaTooNew):
        asyncio.run(migrate(database, KNOWN[:1]))


def test_a_migrator_inside_a_transaction_is_refused(database: str) -> None:
    async def inside() -> None:
        connection = await asyncpg.connect(database)
        try:
            async with connection.transaction():
                await migrate_postgres(connection, NOW, KNOWN)
        finally:
            await connection.close()

    with pytest.raises(BadMigration, match="outside of a transaction"):
        asyncio.run(inside())
