"""Every write of everything that changes a mission is made to fail: nothing may be half done.

Whatever the write was, everything that is kept is as it was before, the caller is told that it may
try again, and the same request then has its one effect.
"""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from interlock.commands.mission.rows import COMMANDS
from interlock.errors import InterlockError
from interlock.service.verify import verify
from interlock.store.script import Change
from interlock.store.sqlite import write
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.store import SqliteStore
from interlock.workflows.mission.workflow import WORKFLOW
from tests.crash.failing_writes import Failing, content, failing
from tests.crash.mission_writes import WRITES, Do, prepared
from tests.stage import HOME, Stage, _place, opened

Told = dict[str, Any]
ENOUGH = 200
"""No command of these stories writes as often."""

SHORT = ("reset a mission that went far", "a late result")
"""What is tried every day where trying takes long; a long run tries everything."""

QUIET = frozenset({"heartbeat_work of a hop", "heartbeat_work of a tool_step"})
"""What may be done again with effect, for it says nothing but that somebody lives."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try some of it where trying takes long, or with --long everything."""
    if "often" in metafunc.fixturenames:
        is_long = metafunc.config.getoption("--long", default=False)
        metafunc.parametrize("often", WRITES if is_long else SHORT)


async def fails_whole(stage: Stage, switch: Failing, do: Do, number: int) -> bool:
    """Let one write fail; say whether there was such a one. Nothing may have changed."""
    before = await content(stage)
    await switch.arm(number)
    error: InterlockError | None = None
    try:
        await do(stage)
    except InterlockError as exc:
        error = exc
    if not await switch.disarm():
        assert error is None
        return False
    assert error is not None, f"write {number} failed, and nobody was told"
    assert (error.code, error.retryable) == ("STORE_FULL", True)
    assert error.fix
    assert await content(stage) == before, f"write {number} failed, and something has changed"
    return True


async def succeeds_once(stage: Stage, do: Do, name: str) -> None:
    """Send it again where nothing fails: it has its effect, and that only once."""
    before = await content(stage)
    first = await do(stage)
    after = await content(stage)
    assert after != before
    if name not in QUIET and first is not None:
        assert await do(stage) == first
        assert await content(stage) == after
    assert (await verify(stage.engine, HOME)).findings == []


async def fails_at_each(stage: Stage, name: str) -> None:
    """Let each write of something fail in turn, then let it succeed."""
    do = await prepared(stage, name)
    switch, number = await failing(stage), 1
    while number < ENOUGH and await fails_whole(stage, switch, do, number):
        number += 1
    # At least one row, and the commit; whatever was tried last has succeeded.
    assert 2 < number < ENOUGH


@pytest.mark.parametrize("name", WRITES)
def test_on_sqlite_whichever_write_fails_nothing_has_happened(tmp_path: Path, name: str) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            await fails_at_each(stage, name)

    asyncio.run(story())


def test_on_postgres_whichever_row_fails_nothing_has_happened(
    request: pytest.FixtureRequest, often: str
) -> None:
    async def story(where: Path | str) -> None:
        async with opened(where) as stage:
            await fails_at_each(stage, often)

    with _place(request, "postgres") as where:
        asyncio.run(story(where))


def test_after_each_single_fault_the_same_request_has_its_one_effect(
    tmp_path: Path, often: str
) -> None:
    async def story() -> None:
        async with opened(tmp_path / "first.db") as stage:
            do = await prepared(stage, often)
        stands = (tmp_path / "first.db").read_bytes()
        for number in range(1, ENOUGH):
            path = tmp_path / f"{number}.db"
            path.write_bytes(stands)
            store = SqliteStore(path, stage.clock, synchronous="off")
            there = Stage(replace(stage.engine, store=store), stage.clock, path)
            has_failed = await fails_whole(there, await failing(there), do, number)
            if has_failed:
                await succeeds_once(there, do, often)
            await store.close()
            if not has_failed:
                return

    asyncio.run(story())


# -- is it everything? ---------------------------------------------------------------------------


def test_every_command_event_and_consequence_is_among_them(tmp_path: Path) -> None:
    """What is added to the workflow and written nowhere here makes this fail."""
    events: set[str] = set()
    causes: set[str] = set()

    async def play(name: str) -> None:
        async with opened(tmp_path / name.replace(" ", "_") / "i.db") as stage:
            do = await prepared(stage, name)
            await do(stage)
            for one in await stage.engine.store.units(HOME, "mission", None, 10):
                for body in await stage.audit(one.row.id):
                    events.add(str(body["event"]))
                    causes.add(str(cast("Told", body.get("cause", {})).get("name")))

    for name in WRITES:
        asyncio.run(play(name))

    assert {row.name for row in COMMANDS if not row.is_read} <= set(WRITES)
    assert {rule.event for rule in WORKFLOW.rules} - events == set()
    followed = {one.name for one in WORKFLOW.cascades if one.fire}
    assert followed | {one.name for one in WORKFLOW.lifts} <= causes


# -- can it fail? --------------------------------------------------------------------------------


def test_a_second_commit_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bug: what a board and the gates say is written in a transaction of its own."""
    gates = write._gates

    def apart(session: Session, change: Change) -> None:
        session._connection.execute("COMMIT; BEGIN IMMEDIATE")
        gates(session, change)

    monkeypatch.setattr(write, "_gates", apart)

    async def story() -> int:
        for number in range(1, ENOUGH):
            async with opened(tmp_path / f"{number}.db") as stage:
                with monkeypatch.context() as sound:
                    sound.setattr(write, "_gates", gates)
                    do = await prepared(stage, "cancel with a running step")
                if not await fails_whole(stage, await failing(stage), do, number):
                    break
        return number

    with pytest.raises(AssertionError, match="something has changed"):
        asyncio.run(story())
