"""Checkpoints are signed into a file: a line is there whole, and whoever is killed is no trouble."""

import asyncio
from pathlib import Path
from typing import Final

from interlock.service.checkpoint import read_lines
from interlock.service.engine import Engine
from interlock.service.notary import Notary
from interlock.service.witness import compare
from interlock.store.sqlite.store import SqliteStore
from tests.crash.chores.chore import Chore, Run, file_of
from tests.crash.points import KEY_WRITTEN, LINE_WRITTEN
from tests.ready import ready_flows
from tests.stage import opened
from tests.still import StillClock


def _prepare(folder: Path) -> None:
    async def work() -> None:
        async with opened(file_of(folder)) as stage:
            await stage.plan()

    asyncio.run(work())


def _notary(folder: Path) -> Notary:
    return Notary(folder / "checkpoints.jsonl", folder / "checkpoint.key")


def _do(run: Run) -> None:
    async def work() -> None:
        clock = StillClock()
        store = SqliteStore(run.file, clock)
        await _notary(run.folder).take(Engine(store, clock, ready_flows()))
        await store.close()

    asyncio.run(work())


def _judge(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    notary = _notary(folder)
    lines = notary.lines() if notary.file.exists() else ()
    if not is_done:
        return ["a line that was not ended counts"] if lines else []

    async def work() -> list[str]:
        clock = StillClock()
        store = SqliteStore(file_of(folder), clock, "off")
        try:
            known, wrong = read_lines(lines, notary.public())
            seen = await compare(Engine(store, clock, ready_flows()), known, wrong)
            return [str(one) for one in seen.findings]
        finally:
            await store.close()

    return asyncio.run(work()) if lines else ["there is no checkpoint"]


NOTARIZING: Final = Chore("checkpoint", {KEY_WRITTEN: 1, LINE_WRITTEN: 1}, _prepare, _do, _judge)
