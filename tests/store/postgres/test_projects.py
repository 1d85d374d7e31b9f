"""Projects on PostgreSQL: a change and its act are one trip, both or neither."""

import asyncio

import pytest

from interlock.store.errors import StoreError
from tests.store.postgres.made import ACME, database, opened
from tests.store.test_projects import CHANGED, MADE, SHOP
from tools.postgres.server import Server


def test_a_change_whose_act_cannot_be_kept_is_not_made(postgres_server: Server) -> None:
    async def run(url: str) -> None:
        async with opened(url) as store:
            await store.projects.add(ACME, SHOP, MADE)
            after = SHOP._replace(name="Market", version=2)
            with pytest.raises(StoreError):
                await store.projects.change(ACME, after, 1, CHANGED._replace(id=MADE.id))

            assert await store.projects.find(ACME, SHOP.id) == SHOP

    with database(postgres_server) as url:
        asyncio.run(run(url))
