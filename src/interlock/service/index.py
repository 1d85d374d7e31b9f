"""Indexing as work that survives: jobs are taken for a while, done, and removed in one commit.

Safe to run in every process: of two that take a job one has it, and whoever took too long cannot
finish what is somebody else's by now. Who is killed leaves a job that is due again later.
"""

import asyncio
from typing import Final

from interlock.errors import InterlockError
from interlock.service.chunking import cut
from interlock.service.engine import Engine, clockwork
from interlock.service.words import words
from interlock.store.errors import ArtifactPruned
from interlock.store.library import INDEX, Chunk, DueJob, Later, TakenJob, UsageRow

BATCH: Final = 20
LEASE_MS: Final = 120_000
"""How long a process has for one document before another one tries."""

FIRST_DELAY_MS: Final = 1_000
DELAY_MS_MAX: Final = 600_000
ERROR_MAX: Final = 500


async def index_due(engine: Engine, limit: int = BATCH, *, tenant: str = "") -> int:
    """Do the jobs that are due, all or those of one tenant; say how many were done."""
    done = 0
    for job in await engine.store.library.due_jobs(limit):
        if job.kind == INDEX and tenant in ("", job.tenant):
            done += await _do(engine, job)
    return done


async def reindex(engine: Engine) -> int:
    """Have everything indexed as it would be today, in every tenant; say how much that is.

    What was indexed before vectors could be made, or by another model, is found by its words only.
    """
    model = "" if engine.embedder is None else engine.embedder.name
    queued = 0
    for tenant in await engine.store.tenants():
        queued += await engine.store.library.queue_index(tenant, model)
    return queued


async def _do(engine: Engine, due: DueJob) -> bool:
    library = engine.store.library
    job = await library.take_job(due, LEASE_MS)
    if job is None:
        return False
    try:
        chunks = await _chunks(engine, job)
    except Exception as failed:  # noqa: BLE001  whatever it is, it is kept, and tried again later
        await library.fail_job(job, _later(job, failed))
        return False
    try:
        model, chunks = await _with_vectors(engine, job, chunks)
    except Exception as failed:  # noqa: BLE001  as above; its words can be found meanwhile
        await library.finish_job(job, "", chunks, _later(job, failed))
        return False
    return await library.finish_job(job, model, chunks)


def _later(job: TakenJob, failed: Exception) -> Later:
    told = failed.code if isinstance(failed, InterlockError) else type(failed).__name__
    return Later(delay_ms(job.attempt), f"{told}: {failed}"[:ERROR_MAX])


async def _chunks(engine: Engine, job: TakenJob) -> list[Chunk]:
    """Cut a document into chunks."""
    store = engine.store
    document = await store.library.document(job.tenant, job.about)
    try:
        content = None if document is None else await store.content(job.tenant, document.digest)
    except ArtifactPruned:
        content = b""  # it is still found by its title
    if document is None or content is None:
        return []
    # The title is looked for, too; it stands before the text like a first line.
    text = f"{document.title}\n\n{content.decode('utf-8', 'replace')}"
    return await asyncio.to_thread(_cut, text)


async def _with_vectors(
    engine: Engine, job: TakenJob, chunks: list[Chunk]
) -> tuple[str, list[Chunk]]:
    """Return the chunks with what they mean, where somebody can say it, and who that is."""
    embedder = engine.embedder
    if embedder is None:
        return "", chunks
    made = await embedder.embed([chunk.text for chunk in chunks])
    if made.tokens:
        usage = UsageRow(
            engine.clock.new_id("usage"), clockwork(job.tenant).id, "embed", embedder.name,
            made.tokens, 0, engine.store.now(),
        )  # fmt: skip
        await engine.store.library.spend(job.tenant, usage, None, "")
    pairs = zip(chunks, made.vectors, strict=True)
    return embedder.name, [one._replace(vector=vector) for one, vector in pairs]


def _cut(text: str) -> list[Chunk]:
    return [Chunk(place, one.text, words(one.text)) for place, one in enumerate(cut(text))]


def delay_ms(attempt: int) -> int:
    """Return how long a job waits after an attempt that failed: ever longer, but not for ever."""
    return min(FIRST_DELAY_MS << min(attempt, 20), DELAY_MS_MAX)
