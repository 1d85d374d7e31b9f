"""People on a SQLite file: what two processes share of it."""

import asyncio
from pathlib import Path

from interlock.store.people import Act, LoginRow, UserRow
from interlock.store.sqlite.store import SqliteStore
from tests.still import START, StillClock

OWNER = UserRow("home", "u1", "u1@example.org", "One", "owner", None, START, None)
ACT = Act("a1", "user", "u1", "", "", "x", "y", "{}")


def test_a_link_is_used_once_by_all_processes_together(tmp_path: Path) -> None:
    async def main() -> None:
        stores = [SqliteStore(tmp_path / "i.db", StillClock(), "off") for _ in range(2)]
        one, two = stores
        await one.add_tenant("home", "Home", START)
        await one.people.add_first(OWNER)
        await two.people.add_first(OWNER._replace(id="u2", email="u2@example.org"))
        assert await two.people.users("home") == (OWNER,)
        await one.people.add_login(LoginRow("home", "l1", "u1", START, START + 9), "h", ACT)
        used = await asyncio.gather(
            *(store.people.use_login("h", START) for store in stores for _ in range(4))
        )
        assert [row for row in used if row is not None] == [OWNER]
        for store in stores:
            await store.close()

    asyncio.run(main())
