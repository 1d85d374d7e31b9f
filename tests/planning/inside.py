"""The planning run inside of this process: an engine, a worker's loop and a person."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from interlock.clock import SystemClock
from interlock.commands.verbs import LocalVerbs
from interlock.worker.agents.scripted import Scripted
from interlock.worker.assignments import Assignments
from interlock.worker.execution.hands import Hands, by_task
from interlock.worker.loop import Loop
from interlock.worker.tools import Retries
from interlock.worker.work import Pace, Wanted
from interlock.worker.workspace.room import Site
from tests.planning.person import Person, is_planned
from tests.planning.script import NAMES, script
from tests.stage import PAT, Stage
from tests.tickets import project
from tests.worker.ways import Way

PACE: Final = Pace(slots=3, wait_s=0.3, heartbeat_s=5, grace_s=1, backoff_s=0.02, backoff_max_s=0.1)
PATIENCE_S: Final = 60


async def planned(stage: Stage, folder: Path, seed: str, members: Mapping[str, Any]) -> str:
    """Plan a ticket from its start to its approved blueprint; return its id."""
    place = await project(stage, NAMES, repository=str(folder / "shop"))
    told = {"project_id": place, "title": "Sell apples", "seed": seed}
    name = str((await stage.call("create_ticket", PAT, **told)).data["ticket_id"])
    await stage.call("start", PAT, ticket_id=name)
    clock, way = SystemClock(), Way(stage)
    crew = {"scripted": Scripted(script(members))}
    asking = Assignments(crew, way.call, clock, Retries())
    site = await Site.open(folder / "worker", clock)
    hands = Hands(site, site.intents(f"of-{name}"), crew, way.call, clock, Retries())
    runner = by_task(asking.run, hands.run)
    loop = Loop(way, {Wanted("ticket", "assignment", site=site.id): runner}, PACE, clock)
    running = asyncio.create_task(loop.run())
    try:
        async with asyncio.timeout(PATIENCE_S):
            stands = await Person(LocalVerbs(stage.engine, PAT).call, name).decide()
    finally:
        loop.drain()
        await running
    assert is_planned(stands), json.dumps(stands.get("error"))
    return name
