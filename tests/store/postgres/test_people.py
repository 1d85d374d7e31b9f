"""People on PostgreSQL: what many sessions at once cannot get past."""

import asyncio
from collections.abc import Iterator

import pytest

from interlock.store.people import Act, UserRow
from tests.store.postgres.made import ACME, NOW, connected, database, opened
from tools.postgres.server import Server


@pytest.fixture
def url(each_postgres_server: Server) -> Iterator[str]:
    """A database of our own."""
    with database(each_postgres_server) as found:
        yield found


def test_owners_who_demote_each_other_at_once_leave_one(url: str) -> None:
    async def main() -> None:
        async with opened(url) as store, connected(url) as owner:
            names = [f"u{n}" for n in range(6)]
            for name in names:
                await owner.execute(
                    "INSERT INTO users (tenant, id, email, name, role, created_at)"
                    " VALUES ($1, $2, $2, $2, 'owner', 1)",
                    ACME, name,
                )  # fmt: skip
            rows = [UserRow(ACME, name, name, name, "owner", None, 1, None) for name in names]
            told = await asyncio.gather(
                *(
                    store.people.change_user(
                        row, "member", None, NOW, Act(row.id, "user", "x", "", "", "x", "y", "{}")
                    )
                    for row in rows
                )
            )
            assert sorted(told) == ["done"] * 5 + ["last"]
            assert len(await store.people.acts(ACME, None, 99)) == 5

    asyncio.run(main())


def test_the_app_cannot_read_how_often_somebody_tried(url: str) -> None:
    async def main() -> None:
        async with connected(url, "interlock_app") as app:
            assert await app.fetchval("SELECT interlock_count_try('k', 1)") == 1
            with pytest.raises(Exception, match="permission denied"):
                await app.fetch("SELECT * FROM tries")

    asyncio.run(main())
