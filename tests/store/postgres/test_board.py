"""Boards on PostgreSQL: how tiles are sorted and planned is said with their function."""

import asyncio

from tests.store.postgres.made import connected, database
from tools.postgres.server import Server


def test_the_tiles_are_thought_about_each_time(postgres_server: Server) -> None:
    async def main(url: str) -> list[str]:
        async with connected(url) as connection:
            found = await connection.fetchval(
                "SELECT proconfig FROM pg_proc WHERE proname = 'interlock_tiles'"
            )
            return sorted(found)

    with database(postgres_server) as url:
        assert asyncio.run(main(url)) == ["enable_sort=on", "plan_cache_mode=force_custom_plan"]
