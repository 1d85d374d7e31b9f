"""A crew on a mission: hops follow each other, and each command is counted."""

import asyncio
from itertools import pairwise
from pathlib import Path

from tools.bench.mission import ME, Cost, Told
from tools.bench.mission_course import NUMBERS, sqlite_crew

COMMANDS_A_HOP = 7


def test_each_hop_takes_what_the_one_before_has_made(tmp_path: Path) -> None:
    async def play() -> tuple[list[Told], int]:
        crew = await sqlite_crew(tmp_path / "missions.db", "off")
        mission, given = await crew.begin(), NUMBERS
        costs: list[Cost] = []
        for _ in range(3):
            given, costs = await crew.hop(mission, given)
        told = await crew.call(ME, "mission_status", mission_id=mission)
        await crew.store.close()
        return told["hops"], len(costs)

    hops, commands = asyncio.run(play())

    assert [hop["status"] for hop in hops] == ["COMPLETED"] * 3
    assert all(list(later["inputs"]) == [one["output"]] for one, later in pairwise(hops))
    assert commands == COMMANDS_A_HOP
