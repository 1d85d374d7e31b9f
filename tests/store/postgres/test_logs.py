"""Logs on PostgreSQL: workers of one unit that write at once do not share a number."""

import asyncio

from interlock.store.logs import Line, WhichLines
from tests.store.postgres.made import ACME, UNIT, begin, database, job, opened, saying
from tools.postgres.server import Server


def test_many_who_write_at_once_are_numbered_one_after_the_other(postgres_server: Server) -> None:
    async def run(url: str) -> None:
        async with opened(url) as store:
            await store.run(ACME, lambda: saying(begin(job(1), job(2))))
            await asyncio.gather(
                *(
                    store.logs.append(ACME, UNIT, 1, "", (Line(n, "out", str(n)),), 99)
                    for n in range(20)
                )
            )
            rows = await store.logs.read(ACME, UNIT, WhichLines(), 99)
            assert [row.number for row in rows] == list(range(1, 21))
            assert {row.text for row in rows} == {str(n) for n in range(20)}

    with database(postgres_server) as url:
        asyncio.run(run(url))
