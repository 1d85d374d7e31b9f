"""Calls are repeated until they are answered, with one effect."""

import asyncio
import time
from pathlib import Path

import pytest

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.worker.patience import Patience
from interlock.worker.work import Pace
from tests.stage import new_plan, opened
from tests.worker.ways import Way

QUICK = Pace(backoff_s=0.01, backoff_max_s=0.05)
NOWHERE = {"part_id": "plan-000000000000.1"}


def test_an_answer_that_was_lost_is_asked_for_again_under_the_same_id(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            way = Way(stage, lost=3)
            patience = Patience(way, QUICK, SystemClock())
            answer = await patience.call("create_research_plan", new_plan())
            listed = await stage.call("list_units")

            assert answer is not None
            assert len(way.sent) == 4
            assert len(set(way.ids("create_research_plan"))) == 1
            assert len(listed.data["units"]) == 1  # type: ignore[arg-type]  # a list on the wire

            await patience.call("create_research_plan", new_plan())
            assert len(set(way.ids("create_research_plan"))) == 2

    asyncio.run(story())


def test_a_no_is_an_answer(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            way = Way(stage)
            with pytest.raises(InterlockError) as no:
                await Patience(way, QUICK, SystemClock()).call("submit_work", NOWHERE)
            assert (no.value.code, len(way.sent)) == ("NOT_FOUND", 1)

    asyncio.run(story())


def test_who_is_leaving_does_not_wait_for_a_server_that_is_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            until = asyncio.Event()
            patience = Patience(
                Way(stage, lost=1_000), Pace(backoff_s=60, backoff_max_s=60), SystemClock()
            )
            asyncio.get_running_loop().call_later(0.2, until.set)
            begun = time.monotonic()
            assert await patience.call("get_next_work", {}, until) is None
            assert time.monotonic() - begun < 10

    asyncio.run(story())


def test_pauses_grow_to_a_limit(tmp_path: Path) -> None:
    class Longest(SystemClock):
        def jitter(self, limit_s: float) -> float:
            drawn.append(limit_s)
            return 0.0

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            pace = Pace(backoff_s=0.5, backoff_max_s=3)
            await Patience(Way(stage, lost=5), pace, Longest()).call("get_next_work", {})

    drawn: list[float] = []
    asyncio.run(story())

    assert drawn == [0.5, 1, 2, 3, 3]
