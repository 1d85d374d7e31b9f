"""A commit wakes who waits for its tenant, in this process and in others, and nobody else."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing

import asyncpg
import pytest

from interlock.store.postgres.bell import EVERY_S, Bell
from interlock.store.postgres.trips import connect
from tests.store.postgres.made import ACME, OPTIONS, OTHER, connected, database, until_it_holds
from tools.postgres.server import Server

LISTENS = (
    "SELECT EXISTS (SELECT FROM pg_stat_activity"
    " WHERE query LIKE 'LISTEN%' AND datname = current_database())"
)


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with database(postgres_server) as found:
        yield found


def bell(url: str) -> Bell:
    return Bell(lambda: connect(url, OPTIONS))


async def is_woken(watch: "asyncio.Future[None]", patience_s: float) -> bool:
    done, _ = await asyncio.wait([watch], timeout=patience_s)
    return bool(done)


def test_it_rings_at_once_for_its_own_process_and_only_for_the_tenant(url: str) -> None:
    async def main() -> None:
        one = bell(url)
        async with aclosing(one.watch(ACME)) as mine, aclosing(one.watch(OTHER)) as theirs:
            await anext(mine)
            await anext(theirs)
            woken = asyncio.ensure_future(anext(mine))
            asleep = asyncio.ensure_future(anext(theirs))
            await asyncio.sleep(0)
            one.ring(ACME)

            assert await is_woken(woken, EVERY_S / 4)
            assert not await is_woken(asleep, EVERY_S / 20)
            await one.close()
            with pytest.raises(StopAsyncIteration):
                await asleep

    asyncio.run(main())


def test_it_rings_in_other_processes_too(url: str) -> None:
    async def main() -> None:
        here, there = bell(url), bell(url)
        async with aclosing(there.watch(ACME)) as watch:
            await anext(watch)
            woken = asyncio.ensure_future(anext(watch))
            async with connected(url) as other:
                await until_it_holds(other, LISTENS)
            for _ in range(100):
                here.ring(ACME)

            assert await is_woken(woken, EVERY_S / 2)
            await here.close()
            await there.close()

    asyncio.run(main())


def test_without_a_word_who_waits_looks_for_themselves(url: str) -> None:
    async def main() -> None:
        deaf = Bell(lambda: connect("postgresql://nobody@127.0.0.1:1/x", OPTIONS))
        async with aclosing(deaf.watch(ACME)) as watch:
            await anext(watch)
            await asyncio.wait_for(anext(watch), EVERY_S * 3)
        await deaf.close()

    asyncio.run(main())


def test_whatever_the_driver_says_of_a_broken_connection_the_bell_comes_back(url: str) -> None:
    said = [asyncpg.InternalClientError("another operation is in progress"), ConnectionResetError()]

    async def fail_and_connect() -> "asyncpg.Connection[asyncpg.Record]":
        if said:
            raise said.pop()
        return await connect(url, OPTIONS)

    async def main() -> None:
        one = Bell(fail_and_connect)
        one.ring(ACME)
        async with connected(url) as other:
            await until_it_holds(other, LISTENS)
        await one.close()

    asyncio.run(main())
