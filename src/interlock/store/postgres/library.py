"""The library on PostgreSQL: one trip for each verb, words in a GIN index."""

from collections.abc import Callable, Sequence

from interlock.store.library import (
    Chunk,
    DocumentRow,
    DueJob,
    JobRow,
    Later,
    Passage,
    Place,
    TakenJob,
    UsageRow,
    Wanted,
)
from interlock.store.postgres.trips import Trips
from interlock.store.script import Key, Reply

NO_KEY = (None, None, None)
NOT_LATER = (None, "")


class PostgresLibrary:
    """The library of one database; ``ring`` is called with the tenant of every change."""

    def __init__(self, trips: Trips, ring: Callable[[str], None]) -> None:
        """Go by the trips of a store."""
        self._trips = trips
        self._ring = ring

    async def document(self, tenant: str, name: str) -> DocumentRow | None:
        """Read a document by its id."""
        rows = await self._trips.read("call_document", tenant, name)
        return DocumentRow(*rows[0]) if rows else None

    async def documents(self, tenant: str, unit: str) -> tuple[DocumentRow, ...]:
        """List the documents of a unit, the oldest first."""
        rows = await self._trips.read("call_documents", tenant, unit)
        return tuple(DocumentRow(*row) for row in rows)

    async def find_words(
        self, tenant: str, words: Sequence[str], wanted: Wanted, limit: int
    ) -> tuple[Place, ...]:
        """Find chunks that have any of the words, the best first."""
        if not words:
            return ()
        query = " | ".join(f"'{word}'" for word in words)
        rows = await self._trips.read("call_find_words", tenant, query, *wanted, limit)
        return tuple((document, place) for document, place in rows)

    async def vectors(
        self, tenant: str, model: str, wanted: Wanted, limit: int
    ) -> tuple[tuple[Place, bytes], ...]:
        """Read the vectors that a model has made, those of the newest documents first."""
        rows = await self._trips.read("call_vectors", tenant, model, *wanted, limit)
        return tuple(((document, place), vector) for document, place, vector in rows)

    async def passages(self, tenant: str, places: Sequence[Place]) -> tuple[Passage, ...]:
        """Read chunks with their documents, in the order they are named."""
        documents, numbers = [name for name, _ in places], [place for _, place in places]
        rows = await self._trips.read("call_passages", tenant, documents, numbers)
        return tuple(Passage(row[0], row[1], DocumentRow(*row[2:])) for row in rows)

    async def due_jobs(self, limit: int) -> tuple[DueJob, ...]:
        """Find jobs of any tenant that are due by the database's clock."""
        return tuple(DueJob(*row) for row in await self._trips.read("call_due_jobs", limit))

    async def take_job(self, job: DueJob, lease_ms: int) -> TakenJob | None:
        """Take a job for a while; None where somebody else was faster."""
        ((attempt,),) = await self._trips.write("call_take_job", *job, lease_ms)
        return None if attempt is None else TakenJob(*job, attempt)

    async def finish_job(
        self, job: TakenJob, model: str, chunks: Sequence[Chunk], later: Later | None = None
    ) -> bool:
        """Write the chunks of the document and remove its job, or put it off, in one commit."""
        rows = [(one.place, one.text, vector_of(one.words), one.vector) for one in chunks]
        columns = zip(*rows, strict=True) if rows else ([],) * 4
        ((is_done,),) = await self._trips.write(
            "call_finish_job", *job, model, *(later or NOT_LATER), *columns
        )
        self._ring(job.tenant)
        return bool(is_done)

    async def fail_job(self, job: TakenJob, later: Later) -> bool:
        """Put a job off, and keep what went wrong."""
        ((is_done,),) = await self._trips.write("call_fail_job", *job, *later)
        return bool(is_done)

    async def queue_index(self, tenant: str, model: str) -> int:
        """Have the documents indexed anew that another model has indexed; say how many."""
        ((queued,),) = await self._trips.write("call_queue_index", tenant, model)
        return int(queued)

    async def jobs(self, tenant: str, limit: int) -> tuple[JobRow, ...]:
        """List the jobs of a tenant, the oldest first."""
        return tuple(JobRow(*row) for row in await self._trips.read("call_jobs", tenant, limit))

    async def spend(self, tenant: str, usage: UsageRow, key: Key | None, reply: str) -> None:
        """Keep what was spent, and the answer to the request id that it was spent for."""
        await self._trips.write("call_spend", tenant, *usage, *(key or NO_KEY), reply)

    async def recall(self, tenant: str, key: Key) -> Reply | None:
        """Read the answer that was given to a request id."""
        rows = await self._trips.read("call_recall", tenant, key.principal, key.request)
        return Reply(*rows[0]) if rows else None

    async def usage(self, tenant: str, limit: int) -> tuple[UsageRow, ...]:
        """List what was spent, the newest first."""
        return tuple(UsageRow(*row) for row in await self._trips.read("call_usage", tenant, limit))


def vector_of(words: Sequence[str]) -> str:
    """Write words with their places as a text vector; they have no character that means more."""
    return " ".join(f"'{word}':{place}" for place, word in enumerate(words, 1))
