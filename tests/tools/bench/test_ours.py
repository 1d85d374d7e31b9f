"""The agent that is measured: it does real work, all of it, and each request once."""

from pathlib import Path

import uvloop

from interlock.clock import SystemClock
from interlock.service.read import read_unit
from interlock.store.sqlite.store import SqliteStore
from tools.bench.ours import TENANT, Agent, Held


async def _agent(folder: Path) -> Agent:
    agent = Agent(SqliteStore(folder / "ours.db", SystemClock()))
    await agent.begin()
    return agent


def test_a_plan_is_played_to_its_end_and_every_result_is_kept(tmp_path: Path) -> None:
    async def story() -> None:
        agent = await _agent(tmp_path)
        unit = await agent.make(3)
        await agent.play(unit, 3)

        read = await read_unit(agent.engine, TENANT, unit)
        kept = await agent.store.artifacts(TENANT, unit)
        await agent.store.close()

        assert read.snapshot.unit.status == "completed"
        assert [row.part for row in kept] == [1, 2, 3]
        assert len({row.digest for row in kept}) == 3

    uvloop.run(story())


def test_a_submit_that_claims_leaves_the_agent_with_the_next_step(tmp_path: Path) -> None:
    async def story() -> None:
        agent = await _agent(tmp_path)
        unit = await agent.make(2)
        first = await agent.claim(unit)
        second = await agent.submit_and_claim(unit, first)
        nothing = await agent.submit_and_claim(unit, second)
        await agent.store.close()

        assert (first.part, second.part) == (f"{unit}.1", f"{unit}.2")
        assert nothing == Held("", "")

    uvloop.run(story())


def test_many_plans_are_played_at_the_same_time(tmp_path: Path) -> None:
    async def story() -> None:
        agent, other = await _agent(tmp_path), await _agent(tmp_path / "other")
        units = [await agent.make(2) for _ in range(3)]
        await agent.play_all(units, 2)
        joined = await other.make(3)
        await other.play_joined(joined, 2)

        read = [await read_unit(agent.engine, TENANT, unit) for unit in units]
        last = await read_unit(other.engine, TENANT, joined)
        await agent.store.close()
        await other.store.close()

        assert {one.snapshot.unit.status for one in read} == {"completed"}
        assert [part.status for part in last.snapshot.parts] == ["completed"] * 2 + ["in_progress"]

    uvloop.run(story())
