"""The loop that a seed decides: nobody waits for anything real, and waiting for nothing is found."""

import asyncio
from functools import partial

import pytest

from tests.simulation.loop import DrawnLoop, Wedged
from tests.still import START, StillClock


def _run(clock: StillClock, seed: int) -> list[str]:
    told: list[str] = []

    async def one(name: str, rest_s: float) -> None:
        await asyncio.sleep(rest_s)
        for _ in range(3):
            told.append(name)
            await asyncio.sleep(0)

    async def all_of_them() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, DrawnLoop)
        loop.chance.seed(seed)
        await asyncio.gather(one("a", 3600), one("b", 3600), one("c", 7200))

    with asyncio.Runner(loop_factory=partial(DrawnLoop, clock)) as runner:
        runner.run(all_of_them())
    return told


def test_hours_pass_at_once_and_in_their_order() -> None:
    clock = StillClock()
    told = _run(clock, 1)

    assert clock.now() - START == 7_200_000
    assert told[-3:] == ["c", "c", "c"]


def test_who_goes_first_is_drawn_and_can_be_repeated() -> None:
    drawn = [_run(StillClock(), seed) for seed in range(20)]

    assert [_run(StillClock(), seed) for seed in range(20)] == drawn
    assert len({tuple(one) for one in drawn}) > 1


def test_who_waits_for_what_never_comes_is_found_out() -> None:
    async def wait() -> None:
        await asyncio.get_running_loop().create_future()

    with (
        asyncio.Runner(loop_factory=partial(DrawnLoop, StillClock())) as runner,
        pytest.raises(Wedged),
    ):
        runner.run(wait())


def test_what_a_thread_would_do_is_done_here() -> None:
    async def ask() -> int:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: 7)

    with asyncio.Runner(loop_factory=partial(DrawnLoop, StillClock())) as runner:
        assert runner.run(ask()) == 7
