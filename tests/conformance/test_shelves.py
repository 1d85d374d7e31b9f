"""The same for a workflow of no use but to this test: boxes with items in them, and a current box.

Parents, children and the current part are walked, filled, emptied and lost in ways in which none
of the built-in workflows does it.
"""

import asyncio
from dataclasses import replace
from pathlib import Path

from interlock.kernel.check.scope import Scope
from interlock.kernel.snapshot import begin, new_part
from interlock.service.engine import Engine, running
from tests.conformance.stores import sqlite
from tests.conformance.trial import Count, Trial
from tests.conformance.tries import explored_in
from tests.kernel.boxes import SHELVES
from tests.still import StillClock

BOXES = tuple(new_part(SHELVES, "box") for _ in range(2))
ITEMS = tuple(new_part(SHELVES, "item", parent=box) for box in range(2))
SCOPE = Scope(SHELVES, (replace(begin(SHELVES), parts=(*BOXES, *ITEMS)),), {}, most={"item": 4})


def test_every_command_in_every_state_of_a_shelf_does_what_the_kernel_says(tmp_path: Path) -> None:
    found = explored_in(SCOPE)

    async def run() -> Count:
        clock = StillClock()
        async with sqlite(tmp_path / "interlock.db")(clock) as store:
            trial = Trial(Engine(store, clock, running({"shelves": SHELVES})))
            await trial.all_of(found, range(len(found.states)))
            return trial.count

    count = asyncio.run(run())
    print(f"shelves: {count}")  # noqa: T201  what was covered is half of the verdict

    assert min(count.states, count.accepted, count.refused) > 0
    assert not count.wrong, "\n".join(count.wrong[:10])
