"""The library's part of the port: documents, their chunks, jobs, and what models have cost.

A store has one as ``store.library``. Documents are written by commands like everything else (see
``script``); here they are read, indexed and found. How text is cut into chunks and words, and how
hits are ranked against each other, is the service's affair.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from interlock.store.script import Key, Reply

INDEX: Final = "index"
"""The kind of the jobs that index a document."""


def owner_word(tenant: str) -> str:
    """Return the word that stands for a tenant: no name can be written so that it is another's."""
    return "t" + sha256(tenant.encode()).hexdigest()


class DocumentRow(NamedTuple):
    """A document without its content. Part 0 is the whole unit; ``urls`` is a list in JSON."""

    id: str
    unit: str
    part: int
    kind: str
    type: str
    title: str
    urls: str
    name: str
    version: int
    digest: str
    media_type: str
    author: str
    at: int


class Chunk(NamedTuple):
    """A piece of a document: its text, its words in order, and what a model makes of it."""

    place: int
    text: str
    words: tuple[str, ...]
    vector: bytes | None = None


class Passage(NamedTuple):
    """A piece that was found, with the document it is of."""

    text: str
    place: int
    document: DocumentRow


class Wanted(NamedTuple):
    """What documents a search is about; empty or None means any."""

    unit: str = ""
    kind: str = ""
    type: str = ""
    author: str = ""
    since: int | None = None
    until: int | None = None
    tags: tuple[str, ...] = ()


Place = tuple[str, int]
"""A document's id and the place of a chunk in it."""


class DueJob(NamedTuple):
    """A job that is due, wherever it is."""

    tenant: str
    kind: str
    about: str


class TakenJob(NamedTuple):
    """A job that is the caller's to do; a later attempt makes this one void."""

    tenant: str
    kind: str
    about: str
    attempt: int


class Later(NamedTuple):
    """That a job is to be done again after a while, and why."""

    delay_ms: int
    error: str


class JobRow(NamedTuple):
    """A job that waits or is being done; ``error`` says why the last attempt failed."""

    kind: str
    about: str
    due: int
    attempts: int
    error: str
    at: int


class UsageRow(NamedTuple):
    """What a model was asked for, by whom, and what it counted."""

    id: str
    who: str
    what: str
    model: str
    tokens_in: int
    tokens_out: int
    at: int


class Library(Protocol):
    """Documents and all that makes them findable. Only ``due_jobs`` crosses tenants."""

    async def document(self, tenant: str, name: str) -> DocumentRow | None:
        """Read a document by its id."""

    async def documents(self, tenant: str, unit: str) -> tuple[DocumentRow, ...]:
        """List the documents of a unit, the oldest first."""

    async def find_words(
        self, tenant: str, words: Sequence[str], wanted: Wanted, limit: int
    ) -> tuple[Place, ...]:
        """Find chunks that have any of the words, the best first."""

    async def vectors(
        self, tenant: str, model: str, wanted: Wanted, limit: int
    ) -> tuple[tuple[Place, bytes], ...]:
        """Read the vectors that a model has made, those of the newest documents first."""

    async def passages(self, tenant: str, places: Sequence[Place]) -> tuple[Passage, ...]:
        """Read chunks with their documents, in the order they are named."""

    async def due_jobs(self, limit: int) -> tuple[DueJob, ...]:
        """Find jobs of any tenant that are due."""

    async def take_job(self, job: DueJob, lease_ms: int) -> TakenJob | None:
        """Take a job for a while; None where somebody else was faster."""

    async def finish_job(
        self, job: TakenJob, model: str, chunks: Sequence[Chunk], later: Later | None = None
    ) -> bool:
        """Write the chunks of the document and remove its job, or put it off, in one commit.

        Says whether that was done: an attempt that took too long is not the caller's any more.
        """

    async def fail_job(self, job: TakenJob, later: Later) -> bool:
        """Put a job off, and keep what went wrong."""

    async def queue_index(self, tenant: str, model: str) -> int:
        """Have the documents indexed anew that another model has indexed; say how many."""

    async def jobs(self, tenant: str, limit: int) -> tuple[JobRow, ...]:
        """List the jobs of a tenant, the oldest first."""

    async def spend(self, tenant: str, usage: UsageRow, key: Key | None, reply: str) -> None:
        """Keep what was spent, and the answer to the request id that it was spent for."""

    async def recall(self, tenant: str, key: Key) -> Reply | None:
        """Read the answer that was given to a request id."""

    async def usage(self, tenant: str, limit: int) -> tuple[UsageRow, ...]:
        """List what was spent, the newest first."""
