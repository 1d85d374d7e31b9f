"""Documents are indexed, whole or not at all; who is killed leaves a job that is due again."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from interlock.service.engine import Engine
from interlock.service.index import LEASE_MS, index_due
from interlock.service.search import search
from interlock.store.library import Wanted
from interlock.store.sqlite.store import SqliteStore
from tests.crash.chores.chore import Chore, Run, file_of
from tests.ready import ready_flows
from tests.stage import HOME, opened
from tests.still import START, StillClock

DOCUMENTS: Final = 3
WORDS: Final = 600
CHUNKS_AT_LEAST: Final = 2
COUNTED: Final = {
    "jobs": "SELECT count(*) FROM jobs",
    "documents without chunks": (
        "SELECT count(*) FROM documents AS d"
        " WHERE NOT EXISTS (SELECT 1 FROM chunks AS c WHERE c.document = d.id)"
        " AND NOT EXISTS (SELECT 1 FROM jobs AS j WHERE j.about = d.id)"
    ),
    "chunks without words": (
        "SELECT count(*) FROM chunks WHERE id NOT IN (SELECT rowid FROM chunk_words)"
    ),
    "chunks of one place": (
        "SELECT count(*) FROM (SELECT 1 FROM chunks GROUP BY document, place HAVING count(*) > 1)"
    ),
}


def _prepare(folder: Path) -> None:
    async def work() -> None:
        async with opened(file_of(folder)) as stage:
            plan = await stage.plan()
            for number in range(DOCUMENTS):
                text = f"apple{number} is red. " * WORDS
                told = {"plan_id": plan, "artifact_type": "notes", "content": text}
                await stage.call("store_research", title=f"of apple{number}", **told)

    asyncio.run(work())


def _clock(number: int) -> StillClock:
    # Whoever comes after a kill comes when what it had taken is due again.
    return StillClock(START + 1_000 + (number - 1) * 2 * LEASE_MS)


def _do(run: Run) -> None:
    async def work() -> None:
        run.point.loop = asyncio.get_running_loop()
        store = SqliteStore(run.file, _clock(run.number))
        await index_due(Engine(store, _clock(run.number), ready_flows()))
        await store.close()

    asyncio.run(work())


def _judge(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    with closing(apsw.Connection(str(file_of(folder)))) as file:
        counts = {
            what: int(str(file.execute(sql).fetchall()[0][0])) for what, sql in COUNTED.items()
        }
    if not is_done:
        counts.pop("jobs")
    found = [f"{count} {what}" for what, count in counts.items() if count]
    return found + (asyncio.run(_unfound(folder)) if is_done else [])


async def _unfound(folder: Path) -> list[str]:
    clock = StillClock()
    store = SqliteStore(file_of(folder), clock, "off")
    try:
        engine = Engine(store, clock, ready_flows())
        found = []
        for number in range(DOCUMENTS):
            hits = (await search(engine, HOME, f"apple{number}", Wanted())).hits
            if len({hit.passage.document.id for hit in hits}) != 1:
                found.append(
                    f"apple{number} is in {len(hits)} documents that are found, not in one"
                )
        return found
    finally:
        await store.close()


INDEXING: Final = Chore(
    "index", {"index, before the chunks": DOCUMENTS, "index, between chunks": 2 * DOCUMENTS},
    _prepare, _do, _judge,
)  # fmt: skip
