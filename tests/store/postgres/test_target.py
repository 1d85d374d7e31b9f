"""A database that is copied to: refused where it is somebody's, and unfinished until it is whole."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from interlock.clock import SystemClock
from interlock.service.words import words
from interlock.store.moving import CopyRefused, CopyUnfinished
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.target import Place, PostgresTarget
from interlock.store.sums import Sum
from interlock.store.tables import Table
from tests.store.postgres.made import NOW, OPTIONS, connected, database, opened
from tools.postgres.server import Server

TENANTS = Table("tenants", ("id", "name", "created_at", "closed_at"), ("id",), frozenset())
ROWS = [("acme", "Acme", 1, None), ("other", "Ot\u2028her", 2, 3)]


@asynccontextmanager
async def target(url: str) -> AsyncIterator[PostgresTarget]:
    """Open a target, and let go of it."""
    one = await PostgresTarget.open(url, words, NOW)
    try:
        yield one
    finally:
        await one.close()


def test_a_copy_goes_on_where_it_was_and_is_nobodys_until_it_is_finished(
    postgres_server: Server,
) -> None:
    async def main(url: str) -> None:
        async with target(url) as one:
            assert await one.begin("old", "d", NOW) == Place("", 0)
            await one.add(TENANTS, ROWS[:1], 1)
        with pytest.raises(CopyUnfinished):
            await PostgresStore.open(url, SystemClock(), OPTIONS)
        async with target(url) as one:
            assert await one.begin("old", "d", NOW) == Place("tenants", 1)
            await one.add(TENANTS, ROWS[1:], 2)
            sums = await one.sums([TENANTS], lambda *_: None)
            assert sums == {"tenants": _sum()}
            await one.finish("old", NOW, iter("ab").__next__)
        async with await PostgresStore.open(url, SystemClock(), OPTIONS) as store:
            assert await store.tenants() == ("acme", "other")
            (act,) = await store.people.acts("acme", None, 10)
            assert act.act.act == "database_copied"
        async with target(url) as one:
            with pytest.raises(CopyRefused, match="was finished"):
                await one.begin("old", "d", NOW)

    with database(postgres_server, is_empty=True) as url:
        asyncio.run(main(url))


def _sum() -> Sum:
    told = Sum()
    for name, title, made, closed in ROWS:
        told = told.add((closed, made, name, title))  # by the names of the columns
    return told


def test_what_is_not_empty_or_half_of_another_copy_is_refused(postgres_server: Server) -> None:
    async def main(used: str, half: str, foreign: str) -> None:
        async with opened(used), target(used) as one:
            with pytest.raises(CopyRefused, match="data of its own"):
                await one.begin("old", "d", NOW)
        async with target(half) as one:
            await one.begin("old", "d", NOW)
            with pytest.raises(CopyRefused, match="another database"):
                await one.begin("older", "d", NOW)
            with pytest.raises(CopyRefused, match="was changed"):
                await one.begin("old", "e", NOW)
            with pytest.raises(CopyRefused, match="Somebody else"):
                await PostgresTarget.open(half, words, NOW)
        async with connected(foreign) as connection:
            await connection.execute("CREATE TABLE theirs (a INTEGER)")
        with pytest.raises(CopyRefused, match="theirs"):
            await PostgresTarget.open(foreign, words, NOW)

    with (
        database(postgres_server) as used,
        database(postgres_server) as half,
        database(postgres_server, is_empty=True) as foreign,
    ):
        asyncio.run(main(used, half, foreign))


def test_a_batch_that_fails_leaves_the_copy_where_it_was(postgres_server: Server) -> None:
    async def main(url: str) -> None:
        async with target(url) as one:
            await one.begin("old", "d", NOW)
            await one.add(TENANTS, ROWS[:1], 1)
            with pytest.raises(Exception, match="refused"):
                await one.add(TENANTS, [ROWS[1], ROWS[0]], 3)
            assert await one.begin("old", "d", NOW) == Place("tenants", 1)
            assert (await one.sums([TENANTS], lambda *_: None))["tenants"].rows == 1

    with database(postgres_server) as url:
        asyncio.run(main(url))


def test_an_owner_who_is_no_superuser_copies_every_tenant(postgres_server: Server) -> None:
    async def main(url: str) -> None:
        async with target(url) as one:
            await one.begin("old", "d", NOW)
            await one.add(TENANTS, ROWS, 2)
            assert (await one.sums([TENANTS], lambda *_: None))["tenants"] == _sum()
            await one.finish("old", NOW, iter("ab").__next__)

    postgres_server.sql("CREATE ROLE copying_owner LOGIN CREATEROLE")
    try:
        with database(postgres_server, is_empty=True) as url:
            name = url.partition("@/")[2].partition("?")[0]
            postgres_server.sql(f"ALTER DATABASE {name} OWNER TO copying_owner")
            postgres_server.sql("GRANT interlock_app TO copying_owner WITH ADMIN OPTION")
            asyncio.run(main(url.replace("//postgres@", "//copying_owner@")))
    finally:
        postgres_server.sql("REVOKE interlock_app FROM copying_owner CASCADE")
        postgres_server.sql("DROP ROLE copying_owner")
