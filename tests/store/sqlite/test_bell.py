"""Who waits is woken: by a ring for their tenant, by another process's commit, or by closing."""

import asyncio
import threading
from collections.abc import AsyncGenerator

from interlock.store.sqlite.bell import EVERY_S, Bell

LONG_S = 20 * EVERY_S
"""Nothing that should happen takes as long."""


async def _soon(watch: AsyncGenerator[None, None]) -> bool:
    """Say whether somebody was woken before long."""
    try:
        await asyncio.wait_for(anext(watch), LONG_S)
    except (TimeoutError, StopAsyncIteration):
        return False
    return True


async def _not_yet(watch: AsyncGenerator[None, None]) -> bool:
    """Say whether nobody is woken for a few looks."""
    try:
        await asyncio.wait_for(anext(watch), 3 * EVERY_S)
    except TimeoutError:
        return True
    return False


def test_who_begins_to_wait_looks_at_once() -> None:
    async def story() -> bool:
        return await _soon(Bell(lambda: 0).watch("a"))

    assert asyncio.run(story())


def test_a_ring_wakes_who_waits_for_that_tenant_from_any_thread() -> None:
    async def story() -> tuple[bool, bool]:
        bell = Bell(lambda: 0)
        here, there = bell.watch("a"), bell.watch("b")
        await anext(here)
        await anext(there)
        ringer = threading.Thread(target=bell.ring, args=({"a"},))
        ringer.start()
        woken = await _soon(here)
        ringer.join()
        return woken, await _not_yet(there)

    assert asyncio.run(story()) == (True, True)


def test_a_ring_between_two_looks_is_not_lost() -> None:
    async def story() -> bool:
        bell = Bell(lambda: 0)
        watch = bell.watch("a")
        await anext(watch)
        bell.ring({"a"})
        return await _soon(watch)

    assert asyncio.run(story())


def test_what_another_process_wrote_wakes_everyone_once() -> None:
    async def story() -> tuple[bool, bool]:
        version = 1
        bell = Bell(lambda: version)
        watch = bell.watch("a")
        await anext(watch)
        version = 2
        return await _soon(watch), await _not_yet(watch)

    assert asyncio.run(story()) == (True, True)


def test_closing_lets_everyone_go() -> None:
    async def story() -> list[None]:
        bell = Bell(lambda: 0)
        watch = bell.watch("a")
        await anext(watch)
        bell.close()
        return [found async for found in watch]

    assert asyncio.run(asyncio.wait_for(story(), LONG_S)) == []


def test_who_has_gone_is_forgotten() -> None:
    async def story() -> int:
        bell = Bell(lambda: 0)
        watch = bell.watch("a")
        await anext(watch)
        await watch.aclose()
        bell.ring({"a"})
        return len(bell._waiting)

    assert asyncio.run(story()) == 0


def test_a_loop_that_has_closed_does_not_stop_the_ringer() -> None:
    bell = Bell(lambda: 0)

    async def leave() -> AsyncGenerator[None, None]:
        watch = bell.watch("a")
        await anext(watch)
        return watch

    loop = asyncio.new_event_loop()
    watch = loop.run_until_complete(leave())
    loop.close()
    bell.ring({"a"})

    assert watch is not None
