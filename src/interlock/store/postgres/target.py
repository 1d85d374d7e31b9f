"""A PostgreSQL database that everything is copied to, by its owner, batch by batch.

Each batch is one transaction that also says how far the copy is: whoever is killed goes on with the
row after the last one that is here. Until the copy is finished the database says so, and no store
opens it. A database with rows of anybody else is refused.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Self, cast

import asyncpg

from interlock.store.migrate import applied_postgres, migrate_postgres
from interlock.store.moving import CopyRefused
from interlock.store.postgres.failures import cannot_connect, translate
from interlock.store.postgres.guard import RoleRefused
from interlock.store.postgres.library import vector_of
from interlock.store.postgres.pooler import connect_directly
from interlock.store.postgres.trips import DRIVER_ERRORS, Options
from interlock.store.statements import statements
from interlock.store.sums import Sum, Sums
from interlock.store.tables import OWN, Row, Table, by_owner, listed

if TYPE_CHECKING:
    from interlock.store.postgres.trips import Connection

COPY_KEY: Final = int.from_bytes(b"intrcopy", "big")
PAGE: Final = 500
EMPTY: Final = "Name an empty database."
# How the words of a chunk are written: as they are when it is indexed.
WORDS: Final = """"words"::TSVECTOR || array_to_tsvector(ARRAY['@' || "tenant"])"""


class Place(NamedTuple):
    """How far a copy is: which table is under way, and how many of its rows are here."""

    relation: str
    rows: int


class PostgresTarget:
    """One database on its way to be a copy; ``await PostgresTarget.open(...)`` makes one."""

    def __init__(self, connection: "Connection", words: Callable[[str], Sequence[str]]) -> None:
        """Use a connection of the owner's; ``words`` cuts a text into what it is found by."""
        self.incarnation = ""
        self.tables: tuple[Table, ...] = ()
        self._connection = connection
        self._words = words
        self._types: Mapping[str, Mapping[str, str]] = MappingProxyType({})
        self._sql = {name: one.sql for name, one in statements("postgres").items()}

    @classmethod
    async def open(cls, url: str, words: Callable[[str], Sequence[str]], now: int) -> Self:
        """Make the tables where there are none; raises what is in the way of a copy."""
        target = cls(await connect_directly(url, Options()), words)
        try:
            await target._prepare(now)
        except asyncpg.InsufficientPrivilegeError as exc:
            await target.close()
            message = f"This role may not make or fill the tables: {exc}."
            raise RoleRefused(message, fix="Log in as who is to own the database.") from exc
        except DRIVER_ERRORS as exc:
            await target.close()
            raise cannot_connect(exc) from exc
        except BaseException:
            await target.close()
            raise
        return target

    async def close(self) -> None:
        """Let go of the database."""
        await self._connection.close()

    async def _prepare(self, now: int) -> None:
        one = self._connection
        if not await one.fetchval(self._sql["lock_copy"], COPY_KEY):
            raise CopyRefused("Somebody else copies into this database now.", fix="Let them.")
        if not await applied_postgres(one):
            found = [row[0] for row in await one.fetch(self._sql["list_foreign_tables"])]
            if found:
                message = f"The target has tables of somebody else: {', '.join(found)}."
                raise CopyRefused(message, fix=EMPTY)
        await migrate_postgres(one, now)
        row = await one.fetchrow(self._sql["read_incarnation"])
        self.incarnation = "" if row is None else str(row[0])
        rows = [
            row for row in await one.fetch(self._sql["list_table_columns"]) if row[0] not in OWN
        ]
        self.tables = tuple(
            Table(name, tuple(columns), (), frozenset(needs)) for name, columns, _, needs in rows
        )
        self._types = {row[0]: dict(zip(row[1], row[2], strict=True)) for row in rows}

    async def begin(self, source: str, digest: str, now: int) -> Place:
        """Begin a copy, or find out how far this one is; raises where it is another's."""
        row = await self._connection.fetchrow(self._sql["read_copy"])
        if row is None:
            if await self._connection.fetchval(self._sql["has_tenants"]):
                raise CopyRefused("The target has data of its own.", fix=EMPTY)
            await self._connection.execute(self._sql["begin_copy"], source, digest, now)
            return Place("", 0)
        if row["finished_at"] is not None:
            message = "The target is a copy that was finished."
            fix = f"Work with it: set INTERLOCK_DATABASE to it. To copy again: {EMPTY}"
            raise CopyRefused(message, fix=fix)
        if row["source"] != source:
            raise CopyRefused("The target is half a copy of another database.", fix=EMPTY)
        if row["digest"] != digest:
            message = "The source was changed since the copy into this target was begun."
            raise CopyRefused(message, fix=EMPTY)
        return Place(row["relation"], row["place"])

    async def add(self, table: Table, rows: Sequence[Row], place: int) -> None:
        """Write a batch, and that so many rows of its table are here now."""
        owner = table.columns.index(table.owner) if table.owner else None
        try:
            async with self._connection.transaction():
                for tenant, some in by_owner(rows, owner):
                    await self._connection.execute(self._sql["act_as"], tenant)
                    await self._insert(table, some)
                advance = self._sql["advance_copy"]
                await self._connection.execute(advance, table.name, place)
        except DRIVER_ERRORS as exc:
            raise translate(exc, is_write=False) from exc

    async def _insert(self, table: Table, rows: Sequence[Row]) -> None:
        types = self._types[table.name]
        found = {
            name: [row[at] for row in rows]
            for at, name in enumerate(table.columns)
            if name in types
        }
        if table.name == "chunks":
            found["words"] = [vector_of(self._words(str(text))) for text in found["text"]]
        names = listed(found)
        # An array of text vectors cannot be sent; a text can.
        kinds = ["text" if name == "words" else types[name] for name in found]
        given = ", ".join(f"${at}::{kind}[]" for at, kind in enumerate(kinds, 1))
        said = ", ".join(WORDS if name == "words" else f'"{name}"' for name in found)
        # All names are the database's own; what there is to be written cannot be said before.
        sql = f'INSERT INTO "{table.name}" ({names}) SELECT {said} FROM unnest({given}) AS r ({names})'  # noqa: S608, E501  same
        await self._connection.execute(sql, *found.values())

    async def position(self, tenant: str, entry: tuple[str, int] | None) -> str:
        """Return the place in the feed after everything that was copied with an entry."""
        xid = -1
        if entry is not None:
            async with self._connection.transaction():
                await self._connection.execute(self._sql["act_as"], tenant)
                found = await self._connection.fetchval(self._sql["entry_xid"], tenant, *entry)
            xid = int(found)
        return f"{self.incarnation}:{xid + 1}::0"

    async def sums(self, tables: Iterable[Table], tell: Callable[[str, int], None]) -> Sums:
        """Return what every table comes to; ``tell`` is told of each that is done."""
        tenants = [str(row[0]) for row in await self._connection.fetch(self._sql["own_tenants"])]
        found = {}
        for table in tables:
            told = Sum()
            for tenant in tenants if table.owner else [""]:
                told = await self._sum(table, tenant, told)
            found[table.name] = told
            tell(table.name, told.rows)
        return found

    async def _sum(self, table: Table, tenant: str, told: Sum) -> Sum:
        whose = f'WHERE "{table.owner}" = $1' if table.owner else "WHERE $1 = ''"
        sql = f'SELECT {listed(table.compared)} FROM "{table.name}" {whose}'  # noqa: S608  as above
        async with self._connection.transaction():
            await self._connection.execute(self._sql["act_as"], tenant)
            async for row in self._connection.cursor(sql, tenant, prefetch=PAGE):
                told = told.add(cast("Row", tuple(row)))
        return told

    async def finish(self, source: str, now: int, new_id: Callable[[], str]) -> None:
        """Say that the copy is whole, here and to every tenant."""
        told = json.dumps({"from": source, "to": self.incarnation})
        async with self._connection.transaction():
            for (tenant,) in await self._connection.fetch(self._sql["own_tenants"]):
                await self._connection.execute(self._sql["act_as"], tenant)
                note = self._sql["note_copy"]
                await self._connection.execute(note, tenant, now, new_id(), told)
            await self._connection.execute(self._sql["record_copy"], now)
            await self._connection.execute(self._sql["finish_copy"], now)
