"""The feed for many readers: woken together, read once, and nobody holds anybody up."""

import asyncio

import pytest

from interlock.service.feed import SHARED_MAX, Feed, Follower, Page
from interlock.store.errors import StoreError
from tests.stage import AWAY, EVE, HOME, Stage, staged


async def next_page(follower: Follower, after: str) -> list[tuple[str, int]]:
    """Read until there is something."""
    async with asyncio.timeout(20):
        while True:
            follower.wake.clear()
            rows = await follower.read(after)
            if rows:
                return [(row.unit, row.link.sequence) for row in rows]
            await follower.wake.wait()


@staged
async def test_who_follows_is_woken_and_reads_what_is_new(stage: Stage) -> None:
    feed = Feed(stage.engine.store)
    async with feed.follow(HOME) as mine, feed.follow(AWAY) as theirs:
        reading = asyncio.create_task(next_page(mine, ""))
        foreign = await stage.plan(1, EVE)
        assert (await next_page(theirs, ""))[0] == (foreign, 1)
        plan = await stage.plan(1)

        assert await reading == [(plan, 1), (plan, 2)]


@staged
async def test_those_at_the_same_place_share_a_page_until_something_changes(stage: Stage) -> None:
    await stage.plan(1)
    feed = Feed(stage.engine.store)
    async with feed.follow(HOME) as one, feed.follow(HOME) as two:
        await one.wake.wait()
        first, second = await asyncio.gather(one.read(""), two.read(""))
        assert first is second
        one.wake.clear()
        await stage.plan(1)
        async with asyncio.timeout(20):
            await one.wake.wait()
        third = await two.read("")

    assert (len(first), len(third)) == (2, 4)


@staged
async def test_few_pages_are_kept_however_much_is_read(stage: Stage) -> None:
    await stage.plan(SHARED_MAX * 2)
    rows = await stage.engine.store.feed(HOME, "", 100)
    feed = Feed(stage.engine.store)
    async with feed.follow(HOME) as follower:
        await follower.wake.wait()
        for row in rows:
            await follower.read(row.position)
        assert len(follower._room.pages) <= SHARED_MAX


@staged
async def test_who_goes_away_takes_no_page_from_the_others(stage: Stage) -> None:
    plan = await stage.plan(1)
    feed = Feed(stage.engine.store)
    async with feed.follow(HOME) as one, feed.follow(HOME) as two:
        leaving = asyncio.create_task(one.read(""))
        staying = asyncio.create_task(two.read(""))
        await asyncio.sleep(0)
        leaving.cancel()

        assert [row.unit for row in await staying] == [plan, plan]


@staged
async def test_when_it_is_over_everybody_is_woken(stage: Stage) -> None:
    feed = Feed(stage.engine.store)
    async with feed.follow(HOME) as follower:
        follower.wake.clear()
        feed.close()
        async with asyncio.timeout(20):
            await follower.wake.wait()
        assert follower.is_over
    async with feed.follow(HOME) as late:
        assert late.is_over


@staged
async def test_a_store_that_closes_ends_it(stage: Stage) -> None:
    feed = Feed(stage.engine.store)
    async with feed.follow(HOME) as follower:
        await follower.wake.wait()
        await stage.engine.store.close()
        async with asyncio.timeout(20):
            while not follower.is_over:
                follower.wake.clear()
                await follower.wake.wait()


@staged
async def test_a_read_that_failed_is_tried_again(stage: Stage) -> None:
    class Broken(StoreError):
        """Only for this test."""

    async def fail() -> Page:
        raise Broken("away")

    plan = await stage.plan(1)
    feed = Feed(stage.engine.store)
    async with feed.follow(HOME) as follower:
        await follower.wake.wait()
        follower._room.pages[""] = asyncio.create_task(fail())
        with pytest.raises(Broken):
            await follower.read("")
        assert (await follower.read(""))[0].unit == plan


@staged
async def test_who_comes_back_after_trouble_is_served_anew(stage: Stage) -> None:
    feed = Feed(stage.engine.store)
    async with feed.follow(HOME) as before:
        before._room.is_over = True
        async with feed.follow(HOME) as after:
            assert not after.is_over
            plan = await stage.plan(1)
            assert (await next_page(after, ""))[0] == (plan, 1)
    assert feed._rooms == {}
