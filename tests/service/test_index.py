"""Indexing survives: a job is done once, by whoever has it, and no crash or trouble loses it."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.service.chunking import SIZE
from interlock.service.embed import LOCAL, LocalEmbedder, embedder_at
from interlock.service.index import DELAY_MS_MAX, LEASE_MS, delay_ms, index_due, reindex
from interlock.store.library import INDEX, Chunk, DueJob, Later, Wanted
from tests.service.endpoints import Fake, Said, embedded, endpoint
from tests.stage import AWAY, EVE, HOME, Stage, staged

CHILD = """
import asyncio, sys
from pathlib import Path
from interlock.clock import SystemClock
from interlock.service.embed import embedder_at
from interlock.service.engine import Engine
from interlock.service.index import index_due
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from interlock.store.sqlite.store import SqliteStore
from tests.still import StillClock

async def main(where, url):
    if where.startswith("postgresql:"):
        store = await PostgresStore.open(where, SystemClock(), Options(allow_degraded=True))
    else:
        store = SqliteStore(Path(where), StillClock(), "off")
    engine = Engine(store, StillClock(), {}, embedder=embedder_at(url, "", "slow"))
    await index_due(engine)

asyncio.run(main(*sys.argv[1:]))
"""


async def stored(stage: Stage, content: str = "Quiet lagoon", title: str = "Notes") -> str:
    unit = await stage.plan(1)
    answer = await stage.call(
        "store_research", plan_id=unit, artifact_type="notes", title=title, content=content
    )
    return str(answer.data["artifact_id"])


async def found(stage: Stage, word: str, tenant: str = HOME) -> list[str]:
    places = await stage.engine.store.library.find_words(tenant, (word,), Wanted(), 100)
    return [document for document, _ in places]


@staged
async def test_a_document_is_indexed_whole_with_its_title_and_vectors(stage: Stage) -> None:
    content = "\n\n".join(f"Paragraph {number} about herons." * 20 for number in range(20))
    name = await stored(stage, content, "Wading birds")
    stage.engine = replace(stage.engine, embedder=LocalEmbedder())
    done = await index_due(stage.engine)
    library = stage.engine.store.library
    vectors = await library.vectors(HOME, LOCAL, Wanted(), 100)
    passages = await library.passages(HOME, [place for place, _ in vectors])

    assert (done, await library.jobs(HOME, 10)) == (1, ())
    assert [place for place, _ in vectors] == [(name, place) for place in range(len(vectors))]
    assert {len(vector) for _, vector in vectors} == {1024}
    assert len(passages) > 5
    assert all(len(one.text) <= SIZE for one in passages)
    assert passages[0].text.startswith("Wading birds\n\nParagraph 0")
    assert passages[-1].text.endswith(content[-20:])
    assert await found(stage, "wading") == [name]
    assert set(await found(stage, "19")) == {name}
    assert await index_due(stage.engine) == 0


@staged
async def test_of_two_who_take_a_job_one_has_it(stage: Stage) -> None:
    await stored(stage)
    library = stage.engine.store.library
    due = (await library.due_jobs(10))[0]
    taken = await asyncio.gather(*(library.take_job(due, LEASE_MS) for _ in range(5)))

    assert [job.attempt for job in taken if job is not None] == [1]
    assert await library.due_jobs(10) == ()


@staged
async def test_who_took_too_long_cannot_finish_what_is_another_s(stage: Stage) -> None:
    name = await stored(stage)
    library = stage.engine.store.library
    first = await library.take_job(DueJob(HOME, INDEX, name), LEASE_MS)
    await stage.pass_ms(LEASE_MS + 1)
    second = await library.take_job(DueJob(HOME, INDEX, name), LEASE_MS)

    assert first is not None
    assert second is not None
    assert not await library.finish_job(first, "", [Chunk(0, "old", ("old",))])
    assert not await library.fail_job(first, Later(0, "old"))
    assert not await library.finish_job(first, "", [Chunk(0, "old", ("old",))], Later(0, "old"))
    assert await library.finish_job(second, "", [Chunk(0, "new", ("new",))])
    assert (await found(stage, "old"), await found(stage, "new")) == ([], [name])


@staged
async def test_indexing_again_leaves_nothing_of_before(stage: Stage) -> None:
    name = await stored(stage)
    await index_due(stage.engine)
    when = "INSERT INTO jobs (tenant, kind, about, due, attempts, error, at)"
    await stage.sql(f"{when} VALUES ('{HOME}', 'index', '{name}', 0, 0, '', 0)")
    library = stage.engine.store.library
    job = await library.take_job(DueJob(HOME, INDEX, name), LEASE_MS)
    assert job is not None
    await library.finish_job(job, "", [Chunk(0, "other", ("other",))])

    assert (await found(stage, "lagoon"), await found(stage, "other")) == ([], [name])


@staged
async def test_trouble_is_kept_and_the_job_tried_again_ever_later(stage: Stage) -> None:
    name = await stored(stage)
    library = stage.engine.store.library
    with endpoint(Said({}, 500), embedded([1.0, 0.0])) as fake:
        stage.engine = replace(stage.engine, embedder=embedder_at(fake.url, "", "tiny"))
        assert await index_due(stage.engine) == 0
        (job,) = await library.jobs(HOME, 10)
        assert await index_due(stage.engine) == 0
        assert len(fake.heard) == 1
        assert await found(stage, "lagoon") == [name], "its words need no endpoint"
        await stage.pass_ms(delay_ms(1) + 1_000)
        assert await index_due(stage.engine) == 1

    assert (job.about, job.attempts, job.error[:18]) == (name, 1, "MODEL_UNAVAILABLE:")
    assert await library.jobs(HOME, 10) == ()
    assert len(await library.vectors(HOME, "endpoint:tiny", Wanted(), 10)) == 1
    assert await found(stage, "lagoon") == [name]
    (spent,) = await library.usage(HOME, 10)
    assert (spent.who, spent.what, spent.model, spent.tokens_in) == (
        "clock", "embed", "endpoint:tiny", 7,
    )  # fmt: skip


def test_the_wait_grows_and_has_an_end() -> None:
    delays = [delay_ms(attempt) for attempt in range(1, 40)]

    assert delays == sorted(delays)
    assert (delays[0], delays[-1]) == (2_000, DELAY_MS_MAX)


@staged
async def test_only_a_tenant_s_own_jobs_are_done_where_one_is_named(stage: Stage) -> None:
    await stored(stage)
    unit = await stage.plan(1, EVE)
    told = {"plan_id": unit, "artifact_type": "notes", "title": "Notes", "content": "lagoon"}
    await stage.call("store_research", EVE, **told)

    assert await index_due(stage.engine, tenant=AWAY) == 1
    assert len(await stage.engine.store.library.jobs(HOME, 10)) == 1
    assert (await found(stage, "lagoon"), len(await found(stage, "lagoon", AWAY))) == ([], 1)


@staged
async def test_what_another_model_has_indexed_can_be_indexed_anew(stage: Stage) -> None:
    name = await stored(stage)
    await index_due(stage.engine)
    library = stage.engine.store.library
    assert (await reindex(stage.engine), await library.jobs(HOME, 10)) == (0, ())
    stage.engine = replace(stage.engine, embedder=LocalEmbedder())

    assert [await reindex(stage.engine), await reindex(stage.engine)] == [1, 0]
    assert await found(stage, "lagoon") == [name]
    assert await index_due(stage.engine) == 1
    assert len(await library.vectors(HOME, LOCAL, Wanted(), 10)) == 1
    assert await reindex(stage.engine) == 0


@contextmanager
def working(where: Path | str, fake: Fake) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process that indexes with an endpoint."""
    env = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", CHILD, str(where), fake.url], env=env) as child:
        try:
            yield child
        finally:
            child.kill()


@staged
async def test_who_is_killed_in_the_middle_leaves_a_job_that_is_done_later(stage: Stage) -> None:
    name = await stored(stage)
    library = stage.engine.store.library
    with endpoint(Said(embedded([1.0]), after_s=2.0)) as fake:
        with working(stage.where, fake) as child:
            async with asyncio.timeout(60):
                while not fake.heard:
                    assert child.poll() is None, "the process has ended by itself"
                    await asyncio.sleep(0.01)
            child.send_signal(signal.SIGKILL)
            assert await asyncio.to_thread(child.wait) == -signal.SIGKILL
        (job,) = await library.jobs(HOME, 10)
        assert (job.about, job.attempts, await found(stage, "lagoon")) == (name, 1, [])
        assert await index_due(stage.engine) == 0
    await stage.pass_ms(LEASE_MS + 1)

    assert await index_due(stage.engine) == 1
    assert await found(stage, "lagoon") == [name]
    assert await library.jobs(HOME, 10) == ()


@staged
@pytest.mark.parametrize(
    "content",
    ["\u200b", "' \\ \" \x01 \x1f", "🙂" * 5_000, "x" * 300_000],
    ids=["blank", "signs", "emoji", "long"],
)
async def test_any_text_can_be_indexed(stage: Stage, content: str) -> None:
    name = await stored(stage, content)

    assert await index_due(stage.engine) == 1
    assert set(await found(stage, "notes")) == {name}
