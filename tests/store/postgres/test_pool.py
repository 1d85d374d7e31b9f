"""Connections are handed out, handed back, replaced when they are lost, and never too many."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import asyncpg
import pytest

from interlock.store.errors import StoreUnavailable
from interlock.store.postgres.pool import Pool
from interlock.store.postgres.trips import DRIVER_ERRORS
from tests.store.postgres.made import connected
from tools.postgres.server import Server

Made = list["asyncpg.Connection[asyncpg.Record]"]


@pytest.fixture
def url(postgres_server: Server) -> str:
    return postgres_server.url()


def run(url: str, size: int, play: Callable[[Pool, Made], Awaitable[None]]) -> None:
    async def make() -> "asyncpg.Connection[asyncpg.Record]":
        made.append(await asyncpg.connect(url))
        return made[-1]

    async def main() -> None:
        pool = Pool(make, size)
        await play(pool, made)
        await pool.close(1)

    made: Made = []
    asyncio.run(main())

    assert all(one.is_closed() for one in made)


def test_a_connection_that_came_back_is_used_again(url: str) -> None:
    async def play(pool: Pool, made: Made) -> None:
        for _ in range(3):
            pool.give(await pool.take(1))

        assert len(made) == 1

    run(url, 4, play)


def test_whoever_finds_none_waits_and_is_served_in_turn(url: str) -> None:
    async def play(pool: Pool, made: Made) -> None:
        first = await pool.take(1)
        served: list[int] = []

        async def wait(number: int) -> None:
            connection = await pool.take(5)
            served.append(number)
            pool.give(connection)

        async with asyncio.TaskGroup() as group:
            for number in range(5):
                group.create_task(wait(number))
            await asyncio.sleep(0)
            pool.give(first)

        assert (served, len(made)) == ([0, 1, 2, 3, 4], 1)

    run(url, 1, play)


def test_patience_has_an_end_and_costs_nobody_else_a_connection(url: str) -> None:
    async def play(pool: Pool, _: Made) -> None:
        held = await pool.take(1)
        with pytest.raises(TimeoutError):
            await pool.take(0.01)
        pool.give(held)

        assert await pool.take(0.01) is held
        pool.give(held)

    run(url, 1, play)


def test_a_connection_that_the_server_ended_is_replaced(url: str) -> None:
    async def play(pool: Pool, made: Made) -> None:
        first = await pool.take(1)
        async with connected(url) as other:
            await other.execute("SELECT pg_terminate_backend($1)", first.get_server_pid())
        async with asyncio.timeout(60):
            while not first.is_closed():
                with suppress(*DRIVER_ERRORS):
                    await first.execute("SELECT 1")
        pool.give(first)
        second = await pool.take(1)

        assert (second is first, len(made)) == (False, 2)
        pool.give(second)

    run(url, 1, play)


def test_a_dropped_connection_makes_room_for_who_waits(url: str) -> None:
    async def play(pool: Pool, made: Made) -> None:
        first = await pool.take(1)
        waiter = asyncio.create_task(pool.take(5))
        await asyncio.sleep(0)
        pool.drop(first)
        pool.give(await waiter)

        assert len(made) == 2

    run(url, 1, play)


def test_who_was_cancelled_in_line_gives_the_turn_away(url: str) -> None:
    async def play(pool: Pool, _: Made) -> None:
        held = await pool.take(1)
        waiters = [asyncio.create_task(pool.take(5)) for _ in range(2)]
        await asyncio.sleep(0)
        waiters[0].cancel()
        pool.give(held)

        assert await waiters[1] is held
        pool.give(held)

    run(url, 1, play)


def test_closing_waits_for_what_is_under_way_and_takes_nothing_more(url: str) -> None:
    async def play(pool: Pool, _: Made) -> None:
        held = await pool.take(1)
        closing = asyncio.create_task(pool.close(5))
        await asyncio.sleep(0)
        with pytest.raises(StoreUnavailable):
            await pool.take(1)
        assert await held.fetchval("SELECT 7") == 7
        pool.give(held)
        await closing

    run(url, 2, play)
