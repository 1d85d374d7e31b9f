"""A crowd: every unit is touched once, and few stand beside many."""

import asyncio
from pathlib import Path

import uvloop

from tools.bench.clones import clone_name
from tools.bench.crowd import STRIDE, VERBS, crowd_figures, sqlite_crowd
from tools.bench.scale import FULL, QUICK


def test_few_units_stand_beside_many(tmp_path: Path) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = crowd_figures("Here", QUICK, runner, sqlite_crowd(tmp_path, runner))

    assert [one.name for one in found] == [
        f"Here, {verb} among 20 units beside 10" for verb in VERBS
    ]
    assert min(one.value for one in found) > 0


def test_no_unit_comes_twice() -> None:
    for count in (FULL.few, FULL.crowd, QUICK.few, QUICK.crowd):
        assert len({clone_name(place * STRIDE % count) for place in range(count)}) == count
