"""Erasing from PostgreSQL takes all of a tenant, leaves no byte in its tables, and harms nobody."""

import asyncio
import random
from pathlib import Path

import asyncpg
import pytest

from interlock.clock import SystemClock
from interlock.store.postgres.erase import erase
from interlock.store.postgres.guard import RoleRefused
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from tests.copying.filled import fill
from tests.erasing import judge
from tests.erasing.torture import DONE
from tests.stage import AWAY, HOME, opened
from tests.store.postgres.made import connected, database
from tools.postgres.server import Server

WORD = "qvzkxjwbtmfhgdlspr"


def test_no_row_and_no_byte_is_left_and_others_are_as_they_were() -> None:

    async def main(url: str, data: Path) -> None:
        chance = random.Random(6)  # noqa: S311 (repeatable on purpose)
        async with opened(url) as stage:
            await fill(stage, chance, 0, WORD)
        async with connected(url) as owner:
            await owner.execute("CHECKPOINT")
        word = f"{WORD}{HOME}"
        assert [*judge.bytes_left(data / "base", word)]
        before = await judge.postgres_rows(url, HOME)
        erased = await erase(url, HOME, 7, DONE)
        assert erased.rows > erased.entries > 100
        after = await judge.postgres_rows(url, HOME)
        async with connected(url) as owner:
            await owner.execute("CHECKPOINT")
        assert [*judge.left(after[0])] == []
        assert [*judge.harmed(before[1], after[1])] == []
        assert [*judge.bytes_left(data / "base", word)] == []
        options = Options(allow_degraded=True, sees_deleted=True)
        async with await PostgresStore.open(url, SystemClock(), options) as store:
            wrong = await judge.wrong_answers(store, HOME, AWAY)
        # What was said here is found by another word.
        assert [one for one in wrong if "search" not in one] == []
        assert (await erase(url, HOME, 8, DONE)).rows == 0

    with Server(durable=False) as server, database(server) as url:
        asyncio.run(main(url, server.data))


def test_only_who_owns_the_database_erases(postgres_server: Server) -> None:
    async def main(url: str) -> None:
        async with opened(url) as stage:
            await stage.plan(1)
        with pytest.raises(RoleRefused, match="owns"):
            await erase(url.replace("//postgres@", "//no_owner@"), HOME, 7, DONE)
        async with connected(url, "interlock_app") as app:
            for statement in ("UPDATE audit SET body = ''", "UPDATE tenants SET closed_at = 1"):
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await app.execute(statement)

    postgres_server.sql("CREATE ROLE no_owner LOGIN")
    try:
        with database(postgres_server) as url:
            asyncio.run(main(url))
    finally:
        postgres_server.sql("DROP ROLE no_owner")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET body = ''",
        "DELETE FROM acts",
        "DELETE FROM feedback",
        "DELETE FROM gates",
    ],
)
def test_nothing_of_it_may_be_done_to_a_tenant_that_is_there(
    postgres_server: Server, statement: str
) -> None:
    async def main(url: str) -> None:
        async with opened(url) as stage:
            await fill(stage, random.Random(6), 0)  # noqa: S311 (same)
        async with connected(url) as owner:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await owner.execute(statement)

    with database(postgres_server) as url:
        asyncio.run(main(url))
