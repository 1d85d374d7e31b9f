"""The loop, on an engine in this process: what is claimed is run, lost, given back or left alone.

What real workers do to real servers is in ``test_processes``.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from interlock.client.caller import Caller
from interlock.client.errors import Unreachable
from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.wire.envelope import Envelope
from interlock.worker.loop import Loop
from interlock.worker.work import HandIn, Pace, Wanted, Work
from tests.stage import ADA, PAT, Stage, opened
from tests.worker.ways import Way

STEPS: Final = Wanted("plan", "step")
QUICK: Final = Pace(wait_s=0.1, heartbeat_s=0.3, grace_s=0.2, backoff_s=0.05, backoff_max_s=0.2)


async def submit(work: Work, hand_in: HandIn) -> str:
    """Do the work there is to do."""
    await hand_in("submit_work", {"answer": {"summary": work.part}})
    return "done"


async def forever(_: Work, __: HandIn) -> str:
    """Never end."""
    await asyncio.Event().wait()
    return ""


async def until(stage: Stage, plan: str, wanted: str) -> None:
    """Wait until a plan stands as wanted."""
    async with asyncio.timeout(60):
        while await stage.standing(plan) != wanted:  # noqa: ASYNC110 (it is in a database)
            await asyncio.sleep(0.02)


def test_work_is_run_and_handed_in_until_it_is_told_to_stop(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            plan = await stage.plan(3)
            loop = Loop(Way(stage), {STEPS: submit}, QUICK._replace(slots=2), SystemClock())
            running = asyncio.create_task(loop.run())
            await until(stage, plan, "completed: completed completed completed")
            loop.drain()
            await asyncio.wait_for(running, 60)

    asyncio.run(story())


def test_several_kinds_of_work_are_asked_for_in_turn(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            plan = await stage.plan(2)
            way = Way(stage)
            table = {Wanted("ticket", "assignment"): forever, STEPS: submit}
            loop = Loop(way, table, QUICK, SystemClock())
            running = asyncio.create_task(loop.run())
            await until(stage, plan, "completed: completed completed")
            loop.drain()
            await running
            kinds = [told["kind"] for name, told in way.sent if name == "get_next_work"]
            assert kinds[:4] == ["assignment", "step", "assignment", "step"]

    asyncio.run(story())


def test_work_is_asked_for_by_role_or_member_if_one_is_named(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            way = Way(stage)
            table = {STEPS._replace(role="winner"): forever, STEPS._replace(member="ada"): forever}
            loop = Loop(way, table, QUICK, SystemClock())
            way.after = lambda _: loop.drain() if len(way.sent) > 1 else None
            await asyncio.wait_for(loop.run(), 60)
            asked = [{**told} for _, told in way.sent]
            for told in asked:
                del told["request_id"], told["wait_s"]
            usual = {"workflow": "plan", "kind": "step"}
            assert asked == [{**usual, "role": "winner"}, {**usual, "member": "ada"}]

    asyncio.run(story())


def test_however_many_are_asked_for_the_server_may_wait_so_long_that_we_notice(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            way = Way(stage)
            table = {STEPS._replace(member=f"m{number}"): forever for number in range(30)}
            loop = Loop(way, table, QUICK._replace(wait_s=3), SystemClock())
            way.after = lambda _: loop.drain()
            await asyncio.wait_for(loop.run(), 60)
            assert [told["wait_s"] for _, told in way.sent] == [0.4]

    asyncio.run(story())


def test_a_claim_whose_answer_was_lost_is_not_made_twice(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            plan = await stage.plan(2)
            way = Way(stage, lost=1)
            loop = Loop(way, {STEPS: submit}, QUICK, SystemClock())
            running = asyncio.create_task(loop.run())
            await until(stage, plan, "completed: completed completed")
            loop.drain()
            await running
            first, second, *_ = way.ids("get_next_work")
            assert first == second
            claims = [one for one in await stage.audit(plan) if one["event"] == "claim"]
            assert len({one["at"] for one in claims}) <= 2

    asyncio.run(story())


def test_what_was_claimed_while_it_was_told_to_stop_is_given_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            plan = await stage.plan(1)
            way = Way(stage)
            loop = Loop(way, {STEPS: submit}, QUICK, SystemClock())
            way.after = lambda command: loop.drain() if command == "get_next_work" else None
            await asyncio.wait_for(loop.run(), 60)

            assert [name for name, _ in way.sent] == ["get_next_work", "release_work"]
            assert await stage.standing(plan) == "executing: pending"

    asyncio.run(story())


def test_what_does_not_end_in_time_is_ended_and_given_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            plan = await stage.plan(1)
            loop = Loop(Way(stage), {STEPS: forever}, QUICK, SystemClock())
            running = asyncio.create_task(loop.run())
            await until(stage, plan, "executing: in_progress")
            loop.drain()
            await asyncio.wait_for(running, 60)

            assert await stage.standing(plan) == "executing: pending"

    asyncio.run(story())


def test_what_was_taken_over_is_ended(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ended = asyncio.Event()

    async def told(work: Work, hand_in: HandIn) -> str:
        try:
            return await forever(work, hand_in)
        finally:
            ended.set()

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            plan = await stage.plan(1)
            loop = Loop(Way(stage), {STEPS: told}, QUICK, SystemClock())
            running = asyncio.create_task(loop.run())
            await until(stage, plan, "executing: in_progress")
            await stage.call("take_over_work", PAT, part_id=f"{plan}.1", reason="mine")
            await asyncio.wait_for(ended.wait(), 60)
            loop.drain()
            await running

    caplog.set_level("INFO", "interlock.worker")
    asyncio.run(story())

    assert "lost: " in caplog.text


def test_a_runner_that_fails_hands_nothing_in_and_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            first, second = await stage.plan(1), await stage.plan(1)
            loop = Loop(Way(stage), {STEPS: broken}, QUICK, SystemClock())
            running = asyncio.create_task(loop.run())
            for plan in (first, second):
                await until(stage, plan, "executing: in_progress")
            loop.drain()
            await running

    async def broken(work: Work, hand_in: HandIn) -> str:
        raise KeyError("unforeseen")

    asyncio.run(story())

    assert "unforeseen" in caplog.text


def test_who_may_not_work_is_told_so(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            reader = replace(ADA, scopes=frozenset({"read"}))
            loop = Loop(Way(stage, reader), {STEPS: submit}, QUICK, SystemClock())
            with pytest.raises(InterlockError) as no:
                await asyncio.wait_for(loop.run(), 60)
            assert no.value.code == "NOT_ALLOWED"

    asyncio.run(story())


def test_a_server_that_does_not_wait_is_not_flooded(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            way = Way(stage)
            # The clock of a stage stands still: every answer seems to have come at once.
            pace = QUICK._replace(wait_s=0, backoff_s=0.2, backoff_max_s=1)
            loop = Loop(way, {STEPS: submit}, pace, stage.clock)
            running = asyncio.create_task(loop.run())
            await asyncio.sleep(1)
            assert len(way.sent) < 30
            async with asyncio.timeout(60):
                while len(way.sent) < 2:  # noqa: ASYNC110 (told by nobody)
                    await asyncio.sleep(0.02)
            loop.drain()
            await running

    asyncio.run(story())


def test_told_to_end_at_once_nothing_is_waited_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            plan = await stage.plan(1)
            loop = Loop(Way(stage), {STEPS: forever}, QUICK._replace(grace_s=60), SystemClock())
            running = asyncio.create_task(loop.run())
            await until(stage, plan, "executing: in_progress")
            loop.drain()
            loop.stop()
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(running, 60)

    asyncio.run(story())


class CutOff(Caller):
    """Hands out one piece of work for a moment, and is never heard of again."""

    def __init__(self, lasts_ms: int) -> None:
        """Say how long its lease lasts."""
        self.lasts_ms = lasts_ms
        self.beats = 0

    async def call(self, command: str, _: Mapping[str, object]) -> Envelope:
        """Answer the first time."""
        if command != "get_next_work" or self.beats:
            self.beats += 1
            raise Unreachable("It does not answer.")
        self.beats = 1
        ends = SystemClock().now() + self.lasts_ms
        lease = {"token": "1.1", "expires_at": ends, "lasts_ms": self.lasts_ms}
        part = {"part_id": "plan-1.1", "kind": "step", "lease": lease}
        return Envelope(status="claimed", data={"unit_id": "plan-1", "part": part})


def test_what_must_have_run_out_is_ended_though_nobody_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ended = asyncio.Event()

    async def told(work: Work, hand_in: HandIn) -> str:
        try:
            return await forever(work, hand_in)
        finally:
            ended.set()

    async def story() -> None:
        server = CutOff(900)
        loop = Loop(server, {STEPS: told}, QUICK, SystemClock())
        running = asyncio.create_task(loop.run())
        await asyncio.wait_for(ended.wait(), 30)
        assert server.beats > 1, "it has tried"
        loop.drain()
        await asyncio.wait_for(running, 30)

    caplog.set_level("INFO", "interlock.worker")
    asyncio.run(story())

    assert any("before the lease ran out" in one.message for one in caplog.records)
