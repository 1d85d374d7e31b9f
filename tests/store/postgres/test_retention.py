"""On PostgreSQL the app forgets by functions of the owner's alone; by itself it may not."""

import asyncio

import asyncpg
import pytest

from interlock.store.postgres.retention import CALLS
from interlock.store.retention import KINDS
from tests.store.postgres.made import connected, database
from tools.postgres.server import Server

TABLES = ("replies", "sessions", "logins", "invitations", "contents")


def test_each_kind_has_its_function() -> None:
    assert set(CALLS) == set(KINDS)


def test_the_app_takes_nothing_away_by_itself(postgres_server: Server) -> None:
    async def main(url: str) -> None:
        async with connected(url, "interlock_app") as app:
            for table in TABLES:
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await app.execute(f"DELETE FROM {table}")  # noqa: S608 (our own)

    with database(postgres_server) as url:
        asyncio.run(main(url))
