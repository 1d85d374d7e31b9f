"""Leases that have run out are ended, each once, whoever is killed on the way."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Final

from interlock.service.engine import Engine
from interlock.service.sweep import sweep
from interlock.service.verify import verify
from interlock.store.sqlite.store import SqliteStore
from tests.crash.chores.chore import Chore, Run, file_of
from tests.crash.points import SWEPT
from tests.ready import ready_flows
from tests.stage import HOME, opened
from tests.still import START, StillClock

HELD: Final = 6
LATER: Final = START + 86_400_000


def _prepare(folder: Path) -> None:
    async def work() -> None:
        async with opened(file_of(folder)) as stage:
            plan = await stage.plan(HELD)
            for _ in range(HELD):
                await stage.claim(plan)

    asyncio.run(work())


def _do(run: Run) -> None:
    async def work() -> None:
        run.point.loop = asyncio.get_running_loop()
        store = SqliteStore(run.file, StillClock(LATER))
        await sweep(Engine(store, StillClock(LATER), ready_flows()))
        await store.close()

    asyncio.run(work())


def _judge(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    async def work() -> list[str]:
        clock = StillClock(LATER)
        store = SqliteStore(file_of(folder), clock, "off")
        try:
            engine = Engine(store, clock, ready_flows())
            found = [str(one) for one in (await verify(engine, HOME)).findings]
            (unit,) = await store.units(HOME, "", None, 2)
            rows = await store.audit(HOME, unit.row.id, 0, 1_000)
            found += _wrong([json.loads(row.link.body) for row in rows], is_done=is_done)
            if is_done and await store.due(1):
                found.append("a lease that has run out is still held")
            return found
        finally:
            await store.close()

    return asyncio.run(work())


def _wrong(bodies: list[dict[str, object]], *, is_done: bool) -> list[str]:
    ended = Counter(
        str(one["ids"])
        for one in bodies
        if one["event"] == "lapse" and "lapsed" in str(one.get("set"))
    )
    found = [
        f"the lease of {part} ended {often} times" for part, often in ended.items() if often > 1
    ]
    if is_done and len(ended) != HELD:
        found.append(f"{len(ended)} of {HELD} leases have ended")
    return found


SWEEPING: Final = Chore(
    "sweep", {"sweep, before a commit": HELD, SWEPT: HELD}, _prepare, _do, _judge
)
