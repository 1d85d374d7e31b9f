"""The readable schema is what all migrations make, and both databases have the same tables."""

import asyncio
import re

from interlock.store.dump import dump_postgres_schema
from interlock.store.migrate import MIGRATIONS_FOLDER
from tests.store.postgres.made import connected, database
from tools.postgres.server import Server

SCHEMA_FOLDER = MIGRATIONS_FOLDER.parent / "schema"
FILES = (
    "postgres.sql",
    "postgres_commands.sql",
    "postgres_deleted.sql",
    "postgres_lists.sql",
    "postgres_artifacts.sql",
    "postgres_reads.sql",
    "postgres_short.sql",
    "postgres_records.sql",
    "postgres_library.sql",
    "postgres_search.sql",
    "postgres_people.sql",
    "postgres_gates.sql",
    "postgres_cards.sql",
    "postgres_projects.sql",
    "postgres_counts.sql",
    "postgres_timers.sql",
    "postgres_hooks.sql",
    "postgres_restores.sql",
    "postgres_copies.sql",
    "postgres_tenants.sql",
    "postgres_retention.sql",
)
TABLE = re.compile(r"^CREATE TABLE (\w+) \(\n(.*?)^\)", re.MULTILINE | re.DOTALL)
COLUMN = re.compile(r"^    ([a-z]\w*) ", re.MULTILINE)


def test_the_schema_is_what_the_migrations_make(postgres_server: Server) -> None:
    async def main(migrated: str, fresh: str) -> None:
        async with connected(fresh) as connection:
            for name in FILES:
                await connection.execute((SCHEMA_FOLDER / name).read_text(encoding="utf-8"))
            told = await dump_postgres_schema(connection)
        async with connected(migrated) as connection:
            assert await dump_postgres_schema(connection) == told

    with (
        database(postgres_server) as migrated,
        database(postgres_server, is_empty=True) as fresh,
    ):
        asyncio.run(main(migrated, fresh))


def test_both_databases_have_the_same_columns_but_for_two() -> None:
    ours = columns(*FILES)
    theirs = columns(*(path.name for path in sorted(SCHEMA_FOLDER.glob("sqlite*.sql"))))
    ours["audit"] = ours["audit"] - {"xid"} | {"position"}
    # SQLite keeps the words of a chunk in an index of their own, under its number.
    ours["chunks"] = ours["chunks"] - {"words"} | {"id"}

    assert ours == theirs


def test_both_databases_count_their_migrations_alike() -> None:
    ours, theirs = (
        [path.name for path in sorted((MIGRATIONS_FOLDER / dialect).glob("*.sql"))]
        for dialect in ("postgres", "sqlite")
    )

    assert ours == theirs


def columns(*names: str) -> dict[str, set[str]]:
    text = "".join((SCHEMA_FOLDER / name).read_text(encoding="utf-8") for name in names)
    return {table: set(COLUMN.findall(body)) for table, body in TABLE.findall(text)}
