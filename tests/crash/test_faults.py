"""When writing fails nobody is told a lie, and nobody waits for ever.

Full and broken disks, locks that others keep, callers that go away, closing in the middle, other
event loops.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import pytest

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.run import Answer
from interlock.service.verify import verify
from interlock.store.errors import StoreBroken, StoreBusy, StoreFull, StoreUnavailable
from interlock.store.sqlite import connect
from interlock.store.sqlite.store import SqliteStore
from interlock.store.sqlite.writer import Writer
from tests.crash.child import RUNNING, Spec
from tests.crash.faults import disk
from tests.crash.intents import TENANT, Intent, perform
from tests.crash.nursery import nursery

PATIENCE_S = 60


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[tuple[Engine, SqliteStore]]:
    """Open an engine on a file; whatever waits for ever fails."""
    clock = SystemClock()
    store = SqliteStore(path, clock)
    async with asyncio.timeout(PATIENCE_S):
        await store.add_tenant(TENANT, "Acme", clock.now())
        try:
            yield Engine(store, clock, RUNNING), store
        finally:
            await store.close()


async def create(engine: Engine, number: int, parts: int = 6) -> Answer:
    """Make a unit under a request id of its own."""
    return await perform(engine, Intent(f"make{number}", "client", "create", text=str(parts)))


async def units(engine: Engine) -> int:
    """Count the units, and see that all is sound."""
    verdict = await verify(engine, TENANT)
    assert verdict.findings == []
    return verdict.units


async def outcomes(*doing: object) -> list[object]:
    """Do all at once and return what came of each: the answer, or the class of the error."""
    done = await asyncio.gather(*doing, return_exceptions=True)  # type: ignore[call-overload]  # awaitables
    return [type(one) if isinstance(one, BaseException) else one for one in done]


@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError])
@pytest.mark.parametrize("what", ["write", "sync"])
def test_when_the_disk_fails_all_who_wait_are_told_and_nothing_has_happened(
    tmp_path: Path, what: str, error: type[apsw.Error]
) -> None:
    async def story() -> None:
        path = tmp_path / "interlock.db"
        async with opened(path) as (engine, _):
            await create(engine, 0)
            switch.fail(what, error)
            failed = await outcomes(*(create(engine, number) for number in range(1, 9)))
            switch.mend()
            again = await outcomes(*(create(engine, number) for number in range(1, 9)))
            if error is apsw.FullError:
                assert set(failed) == {StoreFull}
                assert all(isinstance(one, Answer) for one in again)
            else:
                # After a failed write nothing is to be trusted: no more commands, only reads.
                assert set(failed) == set(again) == {StoreBroken}
                assert await units(engine) == 1
                assert (await engine.store.health()).durability == "broken"
        async with opened(path) as (engine, _):
            after = await outcomes(*(create(engine, number) for number in range(9)))
            assert all(isinstance(one, Answer) for one in after)
            assert await units(engine) == 9

    with disk() as switch:
        asyncio.run(story())


def test_a_command_too_large_for_the_disk_takes_nobody_with_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as (engine, store):
            await create(engine, 0)
            await store._writer.call(_leave_room)
            await outcomes(create(engine, 1), create(engine, 2, 2000), create(engine, 3))
            made = await outcomes(create(engine, 1), create(engine, 3))
            too_large = await outcomes(create(engine, 2, 2000))

            assert all(isinstance(one, Answer) for one in made)
            assert too_large == [StoreFull]
            assert await units(engine) == 3

    asyncio.run(story())


def _leave_room(writer: Writer) -> None:
    """Let the file grow by a few pages and no more."""
    pages = writer.connection.pragma("page_count")
    writer.connection.pragma("max_page_count", pages + 40)


def test_whoever_finds_the_file_locked_for_too_long_is_told_and_may_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        path = tmp_path / "interlock.db"
        async with opened(path) as (engine, _):
            monkeypatch.setattr(connect, "BUSY_MS", 20)
            neighbour = apsw.Connection(str(path))
            neighbour.execute("BEGIN IMMEDIATE")
            refused = await outcomes(create(engine, 1), create(engine, 2))
            neighbour.execute("ROLLBACK")
            neighbour.close()
            made = await outcomes(create(engine, 1), create(engine, 2))

            assert refused == [StoreBusy, StoreBusy]
            assert all(isinstance(one, Answer) for one in made)
            assert await units(engine) == 2

    asyncio.run(story())


def test_a_caller_who_goes_away_does_not_stop_the_command_nor_the_others(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as (engine, store):
            gate = threading.Event()
            held = asyncio.ensure_future(store._writer.call(lambda _: gate.wait()))
            calls = [asyncio.ensure_future(create(engine, number)) for number in range(4)]
            await asyncio.sleep(0)
            for call in calls[:2]:
                call.cancel()
            gate.set()
            assert await held
            left = await outcomes(*calls[2:])
            again = await outcomes(*(create(engine, number) for number in range(4)))

            assert left == [Answer(one.text) for one in again[2:] if isinstance(one, Answer)]
            assert all(isinstance(one, Answer) and one.is_replay for one in again)
            assert await units(engine) == 4

    asyncio.run(story())


def test_closing_finishes_what_waits_and_takes_nothing_more(tmp_path: Path) -> None:
    async def story() -> None:
        path = tmp_path / "interlock.db"
        async with opened(path) as (engine, store):
            watch = store.watch(TENANT)
            await anext(watch)
            calls = [asyncio.ensure_future(create(engine, number)) for number in range(200)]
            await asyncio.sleep(0)
            await store.close()
            made = await outcomes(*calls)
            later = await outcomes(create(engine, 200), store.units(TENANT, "", None, 1))
            ended = [_ for one in (watch, store.watch(TENANT)) async for _ in one]
            await store.close()

            assert all(isinstance(one, Answer) for one in made)
            assert later == [StoreUnavailable, StoreUnavailable]
            assert ended == []
        async with opened(path) as (engine, _):
            assert await units(engine) == 200

    asyncio.run(story())


@pytest.mark.parametrize(
    "error",
    [
        SystemExit,
        KeyboardInterrupt,
        GeneratorExit,
        StopIteration,
        asyncio.CancelledError,
        MemoryError,
    ],
)
def test_whatever_a_command_raises_its_caller_is_told_and_the_writer_lives(
    tmp_path: Path, error: type[BaseException]
) -> None:
    def breaks(_: Writer) -> None:
        raise error

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as (engine, store):
            done = await outcomes(create(engine, 1), store._writer.call(breaks), create(engine, 2))

            assert isinstance(done[0], Answer)
            assert isinstance(done[2], Answer)
            assert isinstance(done[1], type)
            assert issubclass(done[1], MemoryError | InterlockError)
            assert await units(engine) == 2

    asyncio.run(story())


def elsewhere(story: Coroutine[object, object, None]) -> threading.Thread:
    """Play a story in a thread with an event loop of its own."""
    thread = threading.Thread(target=lambda: asyncio.run(story))
    thread.start()
    return thread


def test_another_event_loop_is_answered_and_woken_by_changes_of_this_one(tmp_path: Path) -> None:
    is_watching, is_woken = threading.Event(), threading.Event()

    async def watch_and_make(engine: Engine) -> None:
        watch = engine.store.watch(TENANT)
        await anext(watch)
        is_watching.set()
        await anext(watch)
        is_woken.set()
        await watch.aclose()
        await asyncio.gather(*(create(engine, number) for number in range(20)))

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as (engine, _):
            other = elsewhere(watch_and_make(engine))
            assert await asyncio.to_thread(is_watching.wait, PATIENCE_S)
            await create(engine, 20)
            assert await asyncio.to_thread(is_woken.wait, PATIENCE_S)
            await asyncio.to_thread(other.join)

            assert await units(engine) == 21

    asyncio.run(story())


def test_an_event_loop_that_closes_too_early_harms_nobody(tmp_path: Path) -> None:
    gate = threading.Event()

    async def go_away(engine: Engine) -> None:
        leaving = asyncio.ensure_future(create(engine, 1))
        await asyncio.sleep(0)
        assert not leaving.done()

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as (engine, store):
            held = asyncio.ensure_future(store._writer.call(lambda _: gate.wait()))
            await asyncio.to_thread(elsewhere(go_away(engine)).join)
            gate.set()
            assert await held
            again = await create(engine, 1)

            assert again.is_replay
            assert await units(engine) == 1

    asyncio.run(story())


def test_many_processes_may_make_the_same_file_at_once(tmp_path: Path) -> None:
    with nursery() as children:
        for turn in range(5):
            folder = tmp_path / str(turn)
            folder.mkdir()
            started = [
                children.start(
                    Spec(
                        str(folder / "new" / "interlock.db"), str(folder / f"journal{number}"),
                        str(folder / f"told{number}"), number, (f"client{number}",), (), 0.01,
                    )
                )
                for number in range(6)
            ]  # fmt: skip
            for child in started:
                messages = [child.told() for _ in range(3)]
                assert messages[2] is not None
                assert messages[2]["done"]["failures"] == []
                assert child.end() == 0
