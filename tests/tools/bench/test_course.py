"""What both courses have in common: growth is measured window by window."""

import asyncio
from pathlib import Path

import uvloop

from interlock.clock import SystemClock
from interlock.store.sqlite.store import SqliteStore
from tools.bench.course import Written, growth
from tools.bench.ours import Agent
from tools.bench.scale import QUICK


def test_a_large_plan_stands_beside_small_ones(tmp_path: Path) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        agent = Agent(SqliteStore(tmp_path / "growth.db", SystemClock()))
        runner.run(agent.begin())
        found = growth("Here", QUICK, runner, agent, agent)
        runner.run(agent.store.close())

    assert found.name == "Here, plan of 8 steps beside 2"
    assert (found.rounds, found.ratio > 0) == (QUICK.windows, True)


def test_a_log_is_not_always_known() -> None:
    assert Written(10.0, 2_000.0).log == 0.0
