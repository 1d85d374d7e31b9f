"""How a PostgreSQL database stands is told over all its tenants, without opening a store."""

import asyncio

import pytest

from interlock.store.errors import NotADatabase
from interlock.store.postgres.status import status
from tests.stage import EVE, opened
from tests.store.postgres.made import database
from tools.postgres.server import Server


def test_all_tenants_are_counted(postgres_server: Server) -> None:
    async def main(url: str) -> None:
        async with opened(url) as stage:
            await stage.claim(await stage.plan(2))
            await stage.plan(1, EVE)

            told = await status(url)

            assert (told.counts["tenants"], told.counts["units"], told.counts["parts"]) == (2, 2, 3)
            assert (told.leases, told.pending, told.restored_at) == (1, (), 0)
            assert (told.dialect, told.durability) == ("postgres", "degraded")
            assert told.incarnation == (await stage.engine.store.health()).incarnation

    with database(postgres_server) as url:
        asyncio.run(main(url))


def test_a_database_without_our_tables_is_told(postgres_server: Server) -> None:
    with (
        database(postgres_server, is_empty=True) as url,
        pytest.raises(NotADatabase, match="no tables"),
    ):
        asyncio.run(status(url))
