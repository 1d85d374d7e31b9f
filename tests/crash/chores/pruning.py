"""What has grown old is forgotten in batches: after a kill nothing is gone that is still needed."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any, Final

from interlock.service import retention
from interlock.service.engine import Engine
from interlock.service.retention import Keeping
from interlock.store.sqlite.store import SqliteStore
from tests.crash.chores.chore import Chore, Run, file_of
from tests.crash.chores.full import put_full
from tests.pruning.aged import Found, age, differences, kept, rows
from tests.ready import ready_flows
from tests.still import START, StillClock

SEED: Final = 1
BATCH: Final = 2
"""So few go at once that there are several batches."""

TIMES: Final = 4
DAYS: Final = Keeping(2, 2, 2, 2, 2)
SHOULD: Final = "should.json"


def _prepare(folder: Path) -> None:
    path = file_of(folder)
    put_full(path)
    age(path, random.Random(SEED), START)  # noqa: S311 (repeatable on purpose)
    (folder / SHOULD).write_text(json.dumps(_plain(kept(rows(path), DAYS, START))))


def _plain(found: Found) -> dict[str, list[dict[str, Any]]]:
    """Return rows as they can be written down."""
    return {
        name: [
            {key: one.hex() if isinstance(one, bytes) else one for key, one in row.items()}
            for row in some
        ]
        for name, some in found.items()
    }


def _do(run: Run) -> None:
    setattr(retention, "BATCH", BATCH)  # noqa: B010  a constant, to whoever reads the module

    async def work() -> None:
        run.point.loop = asyncio.get_running_loop()
        clock = StillClock()
        store = SqliteStore(run.file, clock, sees_deleted=True)
        await retention.prune(Engine(store, clock, ready_flows()), DAYS)
        await store.close()

    asyncio.run(work())


def _judge(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    should: Found = json.loads((folder / SHOULD).read_text())
    found = differences(should, _plain(rows(file_of(folder))))
    # Contents that are to be emptied are not as they should be before it is done.
    return (
        found if is_done else [one for one in found if "are gone" in one and "contents" not in one]
    )


PRUNING: Final = Chore("prune", {"prune, between batches": TIMES}, _prepare, _do, _judge)
