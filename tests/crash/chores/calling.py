"""The log of calls: what was written is there once, and a batch is there whole or not at all."""

import asyncio
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from interlock.service.calls import CallLog, ToolCall
from interlock.store.sqlite.store import SqliteStore
from tests.crash.chores.chore import Chore, Run, file_of
from tests.ready import ready_file
from tests.stage import ADA, HOME
from tests.still import START, StillClock

CALLS: Final = 4


def _prepare(folder: Path) -> None:
    async def work() -> None:
        clock = StillClock()
        store = SqliteStore(ready_file(file_of(folder)), clock, "off")
        await store.add_tenant(HOME, HOME, START)
        await _write(store, clock, "first")
        await store.close()

    asyncio.run(work())


async def _write(store: SqliteStore, clock: StillClock, tool: str) -> None:
    log = CallLog(store, clock)
    for number in range(CALLS):
        log.put(
            ToolCall(tool, {"number": number}, {"status": "ok"}, 1.0, is_error=False, principal=ADA)
        )
    await log.close()


def _do(run: Run) -> None:
    async def work() -> None:
        run.point.loop = asyncio.get_running_loop()
        clock = StillClock(START + run.number, seed=run.number)
        store = SqliteStore(run.file, clock)
        await _write(store, clock, f"run {run.number}")
        await store.close()

    asyncio.run(work())


def _judge(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    with closing(apsw.Connection(str(file_of(folder)))) as file:
        found = Counter(str(tool) for (tool,) in file.execute("SELECT tool FROM calls"))
    # The call log may lose what was not written yet: half of a batch, never.
    should = {"first": CALLS} | ({"run 2": CALLS} if is_done else {})
    wrong = {tool: often for tool, often in found.items() if often != CALLS}
    lost = should.keys() - found.keys()
    told = [f"{often} calls of {tool} are kept of {CALLS}" for tool, often in wrong.items()]
    return told + [f"the calls of {tool} are lost" for tool in sorted(lost)]


CALLING: Final = Chore("call log", {"call log, between calls": CALLS}, _prepare, _do, _judge)
