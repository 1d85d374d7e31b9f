"""Hooks on PostgreSQL: a new one stands at the end of the feed, also while others commit."""

import asyncio

from interlock.store.people import Act
from tests.store.postgres.made import ACME, NOW, begin, database, opened, saying
from tests.store.test_hooks import ROW
from tools.postgres.server import Server

ACT = Act("act-1", "user", "pat", "", "", "webhook_made", "hook-1", "{}")


def test_a_new_hook_is_told_what_commits_later_and_nothing_else(postgres_server: Server) -> None:
    async def main(url: str) -> None:
        async with opened(url) as store:
            await store.run(ACME, lambda: saying(begin(unit="work-1")))
            await store.hooks.add(ACME, ROW._replace(created_at=NOW), "s", ACT)
            found = await store.hooks.find(ACME, ROW.id)
            assert found is not None
            assert await store.feed(ACME, found.position, 99) == ()
            await store.run(ACME, lambda: saying(begin(unit="work-2")))
            rows = await store.feed(ACME, found.position, 99)
            assert [row.unit for row in rows] == ["work-2"]

    with database(postgres_server) as url:
        asyncio.run(main(url))
