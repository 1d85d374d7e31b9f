"""A database in which one write fails: the one that a test names by its number.

On SQLite a write is a statement on the writer's connection, and the commit of what it wrote; on
PostgreSQL it is a row that is written, and the commit of it. What fails says that the disk is
full, as the database would say it. ``content`` reads everything that is kept, so that before and
after can be compared.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Final, Protocol

import apsw
import asyncpg

from interlock.store.sqlite.store import SqliteStore
from tests.stage import Stage

LOG: Final = "calls"
"""The log of calls is written beside the work, and may say that there was a call."""

Content = dict[str, list[str]]


class Failing(Protocol):
    """A switch that lets one write fail."""

    async def arm(self, number: int) -> None:
        """Let the write of this number fail, counted from 1 and from now."""

    async def disarm(self) -> bool:
        """Let all writes succeed again; say whether one has failed."""


# -- SQLite ------------------------------------------------------------------------------------


class FailingFile:
    """The writer's connection, with a look at every statement before it runs."""

    def __init__(self, store: SqliteStore) -> None:
        """Begin without a fault."""
        self._connection = store._writer.connection
        self._left = 0
        self._has_failed = self._is_writing = False

    async def arm(self, number: int) -> None:
        """Let a write fail."""
        self._left, self._has_failed = number, False
        self._connection.exec_trace = self._look

    async def disarm(self) -> bool:
        """Let all writes succeed."""
        self._connection.exec_trace = None
        return self._has_failed

    def _look(self, cursor: apsw.Cursor, sql: str, _: object) -> bool:
        if sql == "BEGIN IMMEDIATE":
            self._is_writing = False
            return True
        # Commands read in transactions, too: what ends one of those is no write.
        is_write = self._is_writing if sql == "COMMIT" else not cursor.is_readonly
        self._is_writing |= is_write
        if self._has_failed or not is_write:
            return True
        self._left -= 1
        if self._left:
            return True
        self._has_failed = True
        raise apsw.FullError(sql)


def content_of_file(path: Path) -> Content:
    """Return every row of every table of a file."""
    names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
    with closing(apsw.Connection(str(path))) as file:
        tables = [str(row[0]) for row in file.execute(names)]
        return {
            name: sorted(map(repr, file.execute(f'SELECT * FROM "{name}"')))  # noqa: S608  names of ours
            for name in tables
            if name != LOG
        }


# -- PostgreSQL --------------------------------------------------------------------------------

TRAP: Final = """
    CREATE SEQUENCE fault_count; CREATE SEQUENCE fault_at;
    CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
        IF nextval('public.fault_count') = (SELECT last_value FROM public.fault_at) THEN
            RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full';
        END IF;
        RETURN coalesce(NEW, OLD);
    END $$;
"""
"""Sequences stand outside of transactions, so the count goes on where a write is undone."""

TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"


class FailingServer:
    """A database with a trap on every table, before a row is written and when it is committed."""

    def __init__(self, url: str) -> None:
        """Take the address of the database."""
        self._url = url

    async def set_up(self) -> None:
        """Set the traps."""
        async with _link(self._url) as link:
            await link.execute(TRAP)
            for (name,) in await link.fetch(TABLES):
                if name == LOG:
                    continue
                await link.execute(
                    f"CREATE TRIGGER a_fault BEFORE INSERT OR UPDATE OR DELETE ON {name} "
                    "FOR EACH ROW EXECUTE FUNCTION fault();"
                    f"CREATE CONSTRAINT TRIGGER z_fault AFTER INSERT OR UPDATE OR DELETE ON {name} "
                    "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fault()"
                )

    async def arm(self, number: int) -> None:
        """Let a write fail."""
        async with _link(self._url) as link:
            await link.execute(
                f"SELECT setval('fault_count', 1, false), setval('fault_at', {number})"
            )

    async def disarm(self) -> bool:
        """Let all writes succeed."""
        async with _link(self._url) as link:
            was = await link.fetchval(
                "SELECT c.last_value >= a.last_value FROM fault_count c, fault_at a"
            )
            await link.execute(f"SELECT setval('fault_at', {NEVER})")
        return bool(was)


NEVER: Final = 1_000_000_000


@asynccontextmanager
async def _link(url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Connect to a database as its owner."""
    link = await asyncpg.connect(url)
    try:
        yield link
    finally:
        await link.close()


async def content_of_server(url: str) -> Content:
    """Return every row of every table of a database."""
    async with _link(url) as link:
        tables = [str(row[0]) for row in await link.fetch(TABLES)]
        each = (
            f"SELECT '{name}' AS name, t::text AS row FROM {name} t"  # noqa: S608  names of ours
            for name in tables
            if name != LOG
        )
        found: Content = {}
        for name, row in await link.fetch(f"{' UNION ALL '.join(each)} ORDER BY 1, 2"):
            found.setdefault(name, []).append(row)
    return found


# -- both --------------------------------------------------------------------------------------


async def content(stage: Stage) -> Content:
    """Return every row of every table, but the log of calls."""
    if isinstance(stage.where, Path):
        return content_of_file(stage.where)
    return await content_of_server(stage.where)


async def failing(stage: Stage) -> Failing:
    """Return the switch of a stage."""
    if isinstance(stage.engine.store, SqliteStore):
        return FailingFile(stage.engine.store)
    assert isinstance(stage.where, str)
    server = FailingServer(stage.where)
    await server.set_up()
    return server
