"""Clones: units that can be worked on like the one they were made from."""

import asyncio
from pathlib import Path

import uvloop

from interlock.service.read import read_unit
from tools.bench.clones import TABLES, clone_name, clone_postgres, clone_sqlite
from tools.bench.crowd import sqlite_crowd
from tools.bench.ours import TENANT


def test_a_clone_can_be_claimed_and_submitted(tmp_path: Path) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        agent = sqlite_crowd(tmp_path, runner)(3)

        async def story() -> None:
            unit = clone_name(2)
            await agent.play(unit, 2)
            read = await read_unit(agent.engine, TENANT, unit)
            await agent.store.close()

            assert [part.status for part in read.snapshot.parts] == ["completed"] * 2 + ["pending"]
            assert read.whole.row.id == "plan-000000000002"

        runner.run(story())


def test_there_is_a_statement_for_every_table() -> None:
    assert len(list(clone_sqlite("plan-x", 0, 2))) == len(TABLES)
    assert len(list(clone_postgres("plan-x", 0, 2))) == len(TABLES) + 1
