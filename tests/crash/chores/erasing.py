"""A tenant is erased: its rows go together, and whoever runs it again sees to the bytes."""

import asyncio
import json
import random
from pathlib import Path
from typing import Final

from interlock.store.sqlite import erase as module
from interlock.store.sqlite.store import SqliteStore
from tests.crash.chores.chore import Chore, Run, file_of
from tests.crash.chores.full import put_full
from tests.erasing import judge
from tests.erasing.stuffed import new_canary, stuff
from tests.erasing.torture import DONE
from tests.stage import AWAY, HOME
from tests.still import START, StillClock

SEED: Final = 1
TABLES: Final = 20
BEFORE: Final = "before.json"


def _canary() -> str:
    return new_canary(random.Random(SEED))  # noqa: S311 (repeatable on purpose)


def _rows(folder: Path) -> list[dict[str, list[str]]]:
    """Return the rows of the tenant and those of the others, as they can be written down."""
    parts = judge.sqlite_rows(file_of(folder), HOME)
    return [
        {name: sorted(map(str, some.elements())) for name, some in one.items()} for one in parts
    ]


def _prepare(folder: Path) -> None:
    path = file_of(folder)
    put_full(path)
    stuff(path, HOME, _canary())
    (folder / BEFORE).write_text(json.dumps(_rows(folder)))


def _do(run: Run) -> None:
    module.erase(run.file, HOME, START + run.number, DONE)


def _judge(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    before, now = json.loads((folder / BEFORE).read_text()), _rows(folder)
    found = [] if now[1] == before[1] else ["what belongs to others is not as it was"]
    if not is_done and now[0] == before[0]:
        return found
    found += judge.left(judge.sqlite_rows(file_of(folder), HOME)[0])
    if not is_done:
        return found
    found += judge.bytes_left(file_of(folder).parent, _canary())
    return found + asyncio.run(_asked(folder))


async def _asked(folder: Path) -> list[str]:
    store = SqliteStore(file_of(folder), StillClock(), "off", sees_deleted=True)
    try:
        return await judge.wrong_answers(store, HOME, AWAY)
    finally:
        await store.close()


ERASING: Final = Chore(
    "erase", {"erase, between tables": TABLES, "erase, before the bytes": 1}, _prepare, _do, _judge
)
