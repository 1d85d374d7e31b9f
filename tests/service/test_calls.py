"""The log of calls: everything is noted, in time, and nothing that goes wrong with it is felt."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import apsw
import asyncpg
import pytest

from interlock.errors import InterlockError
from interlock.service import calls
from interlock.service.calls import CallLog, ToolCall
from interlock.store.port import CallRow
from interlock.store.sqlite.store import SqliteStore
from tests.stage import ADA, AWAY, DAY_MS, EVE, HOME, Stage, staged
from tests.still import StillClock

CALL: Final = ToolCall(
    "explain", {"id": "x"}, {"status": "ok"}, 3.6, is_error=False, principal=ADA, channel="stdio"
)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for more to come."""
    monkeypatch.setattr(calls, "LINGER_S", 0)


async def written(stage: Stage, count: int, tenant: str = HOME) -> tuple[CallRow, ...]:
    """Wait until so many calls are in the log."""
    async with asyncio.timeout(10):
        while len(rows := await stage.engine.store.calls(tenant, None, 9_999)) < count:
            continue
    return rows


def log_on(stage: Stage, room: int = 100) -> CallLog:
    return CallLog(stage.engine.store, stage.clock, room=room)


@staged
async def test_a_call_is_written_with_who_what_and_how_long(stage: Stage) -> None:
    log = log_on(stage)
    who = replace(ADA, session="s1")
    told = {"id": "x", "lease": "abc.1", "text": "y" * 600}
    log.put(CALL._replace(arguments=told, principal=who, is_error=True))
    (row,) = await written(stage, 1)
    await log.close()

    assert (row.tool, row.kind, row.principal, row.session) == ("explain", "agent", "ada", "s1")
    assert (row.channel, row.duration_ms, row.failed) == ("stdio", 4, 1)
    assert json.loads(row.request) == {"id": "x", "lease": "(hidden)", "text": "(600 characters)"}
    assert json.loads(row.response) == {"status": "ok"}
    assert row.id.startswith("call-")
    assert log.lost == 0


@staged
async def test_everyone_s_calls_are_kept_apart(stage: Stage) -> None:
    log = log_on(stage)
    for who in (ADA, EVE, ADA):
        log.put(CALL._replace(principal=who))
    await log.close()

    assert [row.principal for row in await written(stage, 2)] == ["ada", "ada"]
    assert [row.principal for row in await written(stage, 1, AWAY)] == ["eve"]


@staged
async def test_closing_writes_what_waits_and_takes_nothing_more(stage: Stage) -> None:
    log = log_on(stage, 1_000)
    for _ in range(500):
        log.put(CALL)
    await log.close()
    log.put(CALL)

    assert len(await written(stage, 500)) == 500
    assert log.lost == 1


@staged
async def test_what_cannot_be_stored_as_it_is_harms_no_other_call(stage: Stage) -> None:
    log = log_on(stage)
    odd = {"nul": "\0", "half": "\ud800", "nan": float("nan"), "big": 10**5_000}
    log.put(CALL._replace(tool="\0\ud800" * 500, arguments=odd, channel="\0"))
    log.put(CALL)
    await log.close()

    rows = await written(stage, 2)
    assert {len(row.tool) for row in rows} == {7, 200}
    assert log.lost == 0


class Unkind(Mapping[str, object]):
    """Arguments that cannot be read."""

    def __getitem__(self, _: str) -> object:
        raise ZeroDivisionError

    def __iter__(self) -> Iterator[str]:
        raise ZeroDivisionError

    def __len__(self) -> int:
        return 1


@staged
async def test_a_call_that_cannot_be_read_is_lost_and_hurts_nobody(stage: Stage) -> None:
    log = log_on(stage)
    log.put(CALL._replace(arguments=Unkind()))
    log.put(CALL)
    await log.close()

    assert len(await written(stage, 1)) == 1
    assert log.lost == 1


@staged
async def test_where_there_is_no_room_calls_are_lost_and_counted(stage: Stage) -> None:
    log = log_on(stage, room=3)
    for _ in range(10):
        log.put(CALL)
    await log.close()

    assert (len(await written(stage, 3)), log.lost) == (3, 7)


@staged
async def test_a_database_that_is_away_loses_calls_and_nothing_else(stage: Stage) -> None:
    log = log_on(stage)
    await stage.engine.store.close()
    for _ in range(3):
        log.put(CALL)
    await log.close()

    assert log.lost == 3


@staged
async def test_after_trouble_the_log_goes_on(stage: Stage) -> None:
    log = log_on(stage)
    await stage.sql("ALTER TABLE calls RENAME TO away")
    log.put(CALL)
    async with asyncio.timeout(10):
        while not log.lost:
            await stage.engine.store.tenants()
    await stage.sql("ALTER TABLE away RENAME TO calls")
    log.put(CALL)
    await log.close()

    assert (len(await written(stage, 1)), log.lost) == (1, 1)


@asynccontextmanager
async def held(stage: Stage) -> AsyncIterator[None]:
    """Keep others from writing calls, as somebody with a long transaction would."""
    if isinstance(stage.where, Path):
        with closing(apsw.Connection(str(stage.where))) as file:
            file.execute("BEGIN IMMEDIATE")
            yield
        return
    connection = await asyncpg.connect(stage.where)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE calls IN ACCESS EXCLUSIVE MODE")
            yield
    finally:
        await connection.close()


@staged
async def test_a_slow_database_holds_nobody_up(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "CLOSE_S", 0.05)
    log = log_on(stage, room=5)
    async with asyncio.timeout(60), held(stage):
        for _ in range(50):
            log.put(CALL)
            await asyncio.sleep(0)
        before = log.lost
        await log.close()

    assert before >= 40
    assert log.lost == 50


@staged
async def test_a_write_that_takes_too_long_is_given_up(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "WRITE_S", 0.01)
    log = log_on(stage)
    async with held(stage):
        log.put(CALL)
        await log.close()

    assert log.lost == 1


def test_without_an_event_loop_a_call_is_lost_and_nobody_is_told(tmp_path: Path) -> None:
    clock = StillClock()
    store = SqliteStore(tmp_path / "interlock.db", clock, synchronous="off")
    log = CallLog(store, clock)
    log.put(CALL)
    asyncio.run(store.close())

    assert log.lost == 1


@staged
async def test_old_calls_are_pruned_to_the_last_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "PRUNE_BATCH", 2)
    store = stage.engine.store
    row = CallRow(HOME, 0, "", "t", "agent", "ada", "", "", "{}", "{}", 1, 0)
    ages = (0, 5, 9, 11, 12, 13, 99)
    now = store.now()
    rows = [row._replace(at=now - age * DAY_MS, id=f"c{age}") for age in ages]
    await store.add_calls(HOME, rows)
    log = CallLog(store, stage.clock, keep_days=10)

    assert await log.prune() == 4
    assert [one.id for one in await store.calls(HOME, None, 99)] == ["c0", "c5", "c9"]


@staged
async def test_pruning_tells_whoever_asks_for_it_what_is_in_the_way(stage: Stage) -> None:
    log = log_on(stage)
    await stage.sql("ALTER TABLE calls RENAME TO away")

    with pytest.raises(InterlockError):
        await log.prune()
