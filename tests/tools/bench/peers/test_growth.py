"""Growth: every size is played, and who was stopped for the time is told with how far it came."""

import asyncio
from dataclasses import replace
from pathlib import Path

import uvloop

from tools.bench.peers.arena import SqliteArena
from tools.bench.peers.growth import TIMES, _grown, growth
from tools.bench.peers.handle import Played
from tools.bench.scale import QUICK


def test_we_play_every_size_and_the_largest_once(tmp_path: Path) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        arena = SqliteArena(tmp_path, runner)
        found = list(growth(arena, (), replace(QUICK, sizes=(2, 20))))

    assert [(one.name, one.steps, one.done, one.runs) for one in found] == [
        ("Interlock", 2, 2, TIMES), ("Interlock", 20, 20, 1),
    ]  # fmt: skip
    assert found[1].bytes_per_step > 0


def test_bytes_are_told_by_the_steps_that_were_done() -> None:
    found = _grown("SQLite", "Burr, run", 5_000, [(Played(2_000, 60.0), 8_000_000)])

    assert (found.done, found.rate, found.bytes_per_step) == (2_000, 33.3, 4_000.0)
