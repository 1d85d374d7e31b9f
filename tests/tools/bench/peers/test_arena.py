"""The arena on SQLite: a new file for each, and its size with what is only in the log yet.

That of PostgreSQL is entered by the test of the whole run.
"""

import asyncio
from pathlib import Path

import pytest
import uvloop

from tools.bench.peers.arena import SqliteArena


def test_every_database_is_a_new_one(tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        arena = SqliteArena(tmp_path, runner)

        assert arena.make() != arena.make()


@pytest.mark.parametrize("steps", [30])
def test_what_is_in_the_log_counts(tmp_path: Path, steps: int) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        arena = SqliteArena(tmp_path, runner)
        with arena.ours() as (agent, url):
            before = arena.size(url)
            unit = runner.run(agent.make(steps))
            runner.run(agent.play(unit, steps))

            assert arena.size(url) - before > 1_000 * steps
