"""The library on a SQLite file: words in an FTS5 index, everything else in plain tables."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

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
    owner_word,
)
from interlock.store.script import Key, Reply
from interlock.store.sqlite.load import load_reply
from interlock.store.sqlite.session import Reading, Row, Session, Values
from interlock.store.sqlite.writer import Writer

T = TypeVar("T")


class SqliteLibrary:
    """The library of one file."""

    def __init__(self, read: Reading, writer: Writer) -> None:
        """Read through one, write through the other."""
        self._read = read
        self._writer = writer

    # -- reads ---------------------------------------------------------------------------------

    async def document(self, tenant: str, name: str) -> DocumentRow | None:
        """Read a document by its id."""
        row = await self._read(tenant, lambda s: s.row("load_document", {"id": name}))
        return None if row is None else _made(DocumentRow, row)

    async def documents(self, tenant: str, unit: str) -> tuple[DocumentRow, ...]:
        """List the documents of a unit, the oldest first."""
        return await self._list(tenant, DocumentRow, "list_documents", {"unit": unit})

    async def find_words(
        self, tenant: str, words: Sequence[str], wanted: Wanted, limit: int
    ) -> tuple[Place, ...]:
        """Find chunks that have any of the words, the best first."""
        values: Values = {**_filters(wanted), "query": match(tenant, words), "limit": limit}
        return await self._list(tenant, _place, "find_words", values) if words else ()

    async def vectors(
        self, tenant: str, model: str, wanted: Wanted, limit: int
    ) -> tuple[tuple[Place, bytes], ...]:
        """Read the vectors that a model has made, those of the newest documents first."""
        values: Values = {**_filters(wanted), "model": model, "limit": limit}
        return await self._list(tenant, _vector, "list_vectors", values)

    async def passages(self, tenant: str, places: Sequence[Place]) -> tuple[Passage, ...]:
        """Read chunks with their documents, in the order they are named."""

        def look(session: Session) -> tuple[Passage, ...]:
            rows = (
                session.row("load_passage", {"document": document, "place": place})
                for document, place in places
            )
            return tuple(_passage(*row) for row in rows if row is not None)

        return await self._read(tenant, look)

    async def due_jobs(self, limit: int) -> tuple[DueJob, ...]:
        """Find jobs of any tenant that are due."""
        values: Values = {"now": self._writer.now(), "limit": limit}
        return await self._list("", DueJob, "due_jobs", values)

    async def jobs(self, tenant: str, limit: int) -> tuple[JobRow, ...]:
        """List the jobs of a tenant, the oldest first."""
        return await self._list(tenant, JobRow, "list_jobs", {"limit": limit})

    async def recall(self, tenant: str, key: Key) -> Reply | None:
        """Read the answer that was given to a request id."""
        return await self._read(tenant, lambda s: load_reply(s, key))

    async def usage(self, tenant: str, limit: int) -> tuple[UsageRow, ...]:
        """List what was spent, the newest first."""
        return await self._list(tenant, UsageRow, "list_usage", {"limit": limit})

    async def _list(
        self, tenant: str, shape: Callable[..., T], name: str, values: Values
    ) -> tuple[T, ...]:
        return await self._read(
            tenant, lambda s: tuple(_made(shape, row) for row in s.rows(name, values))
        )

    # -- writes --------------------------------------------------------------------------------

    async def take_job(self, job: DueJob, lease_ms: int) -> TakenJob | None:
        """Take a job for a while; None where somebody else was faster."""

        def take(session: Session, now: int) -> int | None:
            values: Values = {"kind": job.kind, "about": job.about, "now": now}
            row = session.row("take_job", {**values, "due": now + lease_ms})
            return row[0] if row and isinstance(row[0], int) else None

        attempt = await self._write(job.tenant, take)
        return None if attempt is None else TakenJob(*job, attempt)

    async def finish_job(
        self, job: TakenJob, model: str, chunks: Sequence[Chunk], later: Later | None = None
    ) -> bool:
        """Write the chunks of the document and remove its job, or put it off, in one commit."""

        def finish(session: Session, now: int) -> bool:
            if later is None:
                is_mine = session.change("delete_job", _mine(job))
            else:
                is_mine = session.change("fail_job", _put_off(job, later, now))
            if not is_mine:
                return False
            for name in ("delete_words", "delete_chunks"):
                session.write(name, {"document": job.about})
            for chunk in chunks:
                _keep(session, job.about, model, chunk)
            return True

        return await self._write(job.tenant, finish)

    async def fail_job(self, job: TakenJob, later: Later) -> bool:
        """Put a job off, and keep what went wrong."""
        done = await self._write(
            job.tenant, lambda s, now: s.change("fail_job", _put_off(job, later, now))
        )
        return bool(done)

    async def queue_index(self, tenant: str, model: str) -> int:
        """Have the documents indexed anew that another model has indexed; say how many."""
        return await self._write(
            tenant, lambda s, now: s.change("queue_index", {"model": model, "now": now})
        )

    async def spend(self, tenant: str, usage: UsageRow, key: Key | None, reply: str) -> None:
        """Keep what was spent, and the answer to the request id that it was spent for."""

        def spend(session: Session, _: int) -> None:
            session.write("insert_usage", usage._asdict())
            if key is not None:
                values: Values = {**key._asdict(), "unit": "", "text": reply, "at": usage.at}
                session.write("insert_reply", values)

        await self._write(tenant, spend)

    async def _write(self, tenant: str, change: Callable[[Session, int], T]) -> T:
        def play(writer: Writer) -> T:
            writer.begin_writing(tenant)
            return change(Session(writer.connection, tenant), writer.now())

        done: Any = await self._writer.call(play)
        outcome: T = done
        return outcome


def _keep(session: Session, document: str, model: str, chunk: Chunk) -> None:
    where: Values = {"document": document, "place": chunk.place}
    session.write(
        "insert_chunk", {**where, "text": chunk.text, "model": model, "vector": chunk.vector}
    )
    words = " ".join(chunk.words)
    session.write("insert_words", {**where, "owner": owner_word(session.tenant), "words": words})


def match(tenant: str, words: Sequence[str]) -> str:
    """Return what the index is asked for: any of the words, in what belongs to the tenant."""
    asked = " OR ".join(f'"{word}"' for word in words)
    return f'owner : "{owner_word(tenant)}" AND words : ({asked})'


def _mine(job: TakenJob) -> Values:
    return {"kind": job.kind, "about": job.about, "attempt": job.attempt}


def _put_off(job: TakenJob, later: Later, now: int) -> Values:
    return {**_mine(job), "due": now + later.delay_ms, "error": later.error}


def _filters(wanted: Wanted) -> Values:
    return {**wanted._asdict(), "tags": json.dumps(wanted.tags)}


def _place(document: str, place: int) -> Place:
    return document, place


def _vector(document: str, place: int, vector: bytes) -> tuple[Place, bytes]:
    return (document, place), vector


def _passage(text: Any, place: Any, *document: Any) -> Passage:  # noqa: ANN401  as below
    return Passage(text, place, DocumentRow(*document))


def _made(shape: Callable[..., T], row: Row) -> T:
    """Make a row of the shape; a STRICT table has the types that the shape says."""
    return shape(*row)
