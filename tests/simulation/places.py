"""Where a simulation happens: a SQLite file whose writer waits for its turn, or a PostgreSQL.

On SQLite everything is in one thread: the writer is ours, with its thread taken away, and the loop
says when it commits, and how much at once. It can be made to die before any of its statements, or
between a commit and its answers: what it had not committed is then lost, as in any process that is
killed. PostgreSQL is as it is: there the order of things is its own, and a death is that all
connections go away.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Final, Protocol, cast

import apsw
import asyncpg
import pytest

from interlock.store.port import Store
from interlock.store.postgres.store import PostgresStore
from interlock.store.sqlite import jobs, pace
from interlock.store.sqlite import store as sqlite_store
from interlock.store.sqlite.jobs import Job
from interlock.store.sqlite.store import SqliteStore
from interlock.store.sqlite.writer import Writer
from tests.crash.watching import is_news
from tests.ready import ready_file
from tests.simulation.faults import around
from tests.simulation.loop import DrawnLoop
from tests.simulation.mirror import Row
from tests.still import StillClock
from tests.store.postgres.made import OPTIONS

KILLED: Final = "killed before a statement"
KILLED_AFTER: Final = "killed between commit and answer"
STATEMENT: Final = "error of a statement"

NEWS: Final = """
SELECT position, tenant, unit, sequence, body, hash
FROM audit
WHERE position > ?
ORDER BY position
"""
NEWS_OF_UNITS: Final = """
SELECT tenant, unit, sequence, body, hash
FROM audit
WHERE sequence > coalesce(($1::JSONB ->> unit)::BIGINT, 0)
ORDER BY tenant, unit, sequence
"""
STANDING: Final = (
    "SELECT id, status, version, head, changed_at, due, fields FROM units ORDER BY tenant, id",
    "SELECT unit, number, status, due, fields FROM parts ORDER BY tenant, unit, number",
)
FAILURES: Final = (apsw.FullError, apsw.FullError, apsw.BusyError, apsw.BusyError, apsw.IOError)
"""What a statement may fail with: no room, locked, and a disk that cannot be trusted any more."""

OTHERS: Final = """
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
AGES: Final = ("UPDATE parts SET due = due - $1", "UPDATE units SET due = due - $1")
MOMENT_S: Final = 0.01
DELIVER: Final = jobs.deliver


class Place(Protocol):
    """A database that can be opened, killed and opened again."""

    struck: Counter[str]
    # After how many moves one looks: there it costs a trip.
    every: int
    slack_ms: int
    """By how much what a holder is told of its lease may be beside what the database says."""

    async def open(self) -> Store:
        """Open it, for the first time or again."""

    async def die(self) -> None:
        """Let the process be gone: nothing of its memory is left."""

    async def news(self) -> list[Row]:
        """Return what was added to the audit since one last asked."""

    async def standing(self) -> object:
        """Return all rows of units and parts, to be compared."""

    async def pass_ms(self, elapsed_ms: int) -> int:
        """Let time pass; return by how much entries are behind the time that actors go by."""

    def doom(self, chance: random.Random) -> None:
        """Draw where the process dies during what comes next."""

    def trip(self, chance: random.Random) -> None:
        """Draw which statement of what comes next fails."""

    async def all_or_death(self, tasks: "list[asyncio.Task[None]]") -> bool:
        """Wait until all are done, or until the process has died; say which."""

    async def close(self) -> None:
        """Let go of everything."""


class Turned(Writer):
    """The writer without its thread: it commits when it is told to."""

    at_work: "Turned"
    """The one that commits now."""

    groups = 0
    """How many groups were committed, or were to be: between two of them nothing is new."""

    def __init__(self, *arguments: object) -> None:
        """Begin in good health."""
        # Before which statement from now on something happens, and what: None is death.
        self.left = 0
        self.failure: type[apsw.Error] | None = None
        self.is_after = False
        self.is_dead = False
        super().__init__(*arguments)  # type: ignore[arg-type]  # handed on as they came

    def _work(self) -> None:
        """Leave: the loop does it."""

    def turn(self, chance: random.Random) -> bool:
        """Commit some of what waits; say whether there was anything."""
        waiting = self._queue.qsize()
        if not waiting or self.is_dead:
            return False
        group: list[Job] = []
        for _ in range(chance.randint(1, waiting) if waiting > 1 else 1):
            try:
                job = self._queue.get_nowait()
            except Empty:
                break
            if isinstance(job, Job):
                group.append(job)
        if group:
            self._commit(group)
        return True

    def arm(self, left: int, failure: type[apsw.Error] | None) -> None:
        """Let something happen before a statement to come."""
        self.left, self.failure = left, failure
        self.connection.exec_trace = self._trace

    def _commit(self, group: list[Job]) -> None:
        Turned.at_work = self
        Turned.groups += 1
        super()._commit(group)

    def _trace(self, _: object, sql: str, __: object) -> bool:
        if self.is_dead:
            raise apsw.InterruptError
        self.left -= 1
        # Not the one that takes everything back; and it happens once.
        if self.left or sql == "ROLLBACK":
            return True
        if self.failure is None:
            self.is_dead = True
            raise apsw.InterruptError
        raise self.failure


def _deliver_alive(group: list[Job]) -> None:
    """Answer everyone, unless the process is dead by now: the dead answer nobody."""
    turned = Turned.at_work
    if turned.is_after and any(is_news(job) for job in group):
        turned.is_dead = True
    if not turned.is_dead:
        DELIVER(group)


class SqlitePlace:
    """A SQLite file, in one thread with all who use it."""

    every = 1
    slack_ms = 0

    def __init__(self, folder: Path, clock: StillClock) -> None:
        """Take the folder of the file and the clock of all."""
        self.path = folder / "interlock.db"
        self.clock = clock
        self.struck: Counter[str] = Counter()
        self._store: SqliteStore | None = None
        self._seen = 0
        self._groups = -1
        self._look = apsw.Connection(str(ready_file(self.path)))

    @property
    def writer(self) -> Turned:
        """The writer of the store that is open."""
        assert self._store is not None
        return cast("Turned", self._store._writer)

    async def open(self) -> Store:
        """Open the file; what is written is written when the loop says so."""
        self._store = SqliteStore(self.path, self.clock, synchronous="off")
        loop = cast("DrawnLoop", asyncio.get_running_loop())
        turned = self.writer
        loop.write = lambda: turned.turn(loop.chance)
        return around(self._store, self.struck)

    async def die(self) -> None:
        """Close what the process had open, as a system does with a process that is gone."""
        assert self._store is not None
        self._store._is_closed = True
        self.writer.connection.close(force=True)
        self._store._reader.close(force=True)
        self._store._version.close(force=True)
        self._store._readers.shutdown(wait=False)

    async def news(self) -> list[Row]:
        """Read the audit behind the engine's back, if anything was written meanwhile."""
        if self._groups == Turned.groups:
            return []
        self._groups = Turned.groups
        found = self._look.execute(NEWS, (self._seen,)).fetchall()
        rows = cast("list[tuple[int, str, str, int, str, str]]", found)
        if rows:
            self._seen = rows[-1][0]
        return [Row(*row[1:]) for row in rows]

    async def standing(self) -> object:
        """Read all units and parts behind the engine's back."""
        return [self._look.execute(one).fetchall() for one in STANDING]

    async def pass_ms(self, elapsed_ms: int) -> int:
        """Set the clock."""
        self.clock.pass_ms(elapsed_ms)
        return 0

    def doom(self, chance: random.Random) -> None:
        """Let the process die before a statement of what comes next, or after a commit."""
        if chance.random() < 0.5:
            self.writer.arm(chance.randint(1, 20), None)
        else:
            self.writer.is_after = True

    def trip(self, chance: random.Random) -> None:
        """Let a statement of what comes next fail."""
        self.writer.arm(chance.randint(1, 12), chance.choice(FAILURES))
        self.struck[STATEMENT] += 1

    async def all_or_death(self, tasks: "list[asyncio.Task[None]]") -> bool:
        """Wait until all are done, or until the writer is dead and nobody can go on."""
        turned = self.writer
        loop = cast("DrawnLoop", asyncio.get_running_loop())
        death: asyncio.Future[None] = loop.create_future()

        def write() -> bool:
            if turned.turn(loop.chance):
                return True
            if turned.is_dead and not death.done():
                death.set_result(None)
                return True
            return False

        loop.write = write
        everybody = asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.wait((everybody, death), return_when=asyncio.FIRST_COMPLETED)
        self.struck[KILLED] += turned.is_dead and not turned.is_after
        self.struck[KILLED_AFTER] += turned.is_dead and turned.is_after
        turned.connection.exec_trace = None
        turned.is_after = False
        if not turned.is_dead:
            return False
        everybody.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, everybody, return_exceptions=True)
        return True

    async def close(self) -> None:
        """Let go of the file."""
        if self._store is not None and not self._store._is_closed:
            await self._store.close()
        self._look.close()


@contextmanager
def in_one_thread() -> Iterator[None]:
    """Take the thread from every writer that is made meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite_store, "Writer", Turned)
        patch.setattr(jobs, "deliver", _deliver_alive)
        # The loop alone says when it commits.
        patch.setattr(pace, "QUICK_S", 0.0)
        yield


class PostgresPlace:
    """A PostgreSQL database; things happen there in the order that it likes."""

    every = 4
    slack_ms = 60_000

    def __init__(self, url: str, clock: StillClock) -> None:
        """Take the address, as its owner."""
        self.url = url
        self.clock = clock
        self.struck: Counter[str] = Counter()
        self._store: PostgresStore | None = None
        self._look: asyncpg.Connection[asyncpg.Record] | None = None
        self._seen: dict[str, int] = {}
        self._shift = 0
        self._moment: float | None = None

    async def open(self) -> Store:
        """Connect anew."""
        if self._look is None:
            self._look = await asyncpg.connect(self.url)
        self._store = await PostgresStore.open(self.url, self.clock, OPTIONS)
        return around(self._store, self.struck, MOMENT_S)

    async def die(self) -> None:
        """Let all connections go, and what they were doing come to its end or be undone."""
        assert self._store is not None
        assert self._look is not None
        await self._store.close()
        while await self._look.fetchval(OTHERS):  # noqa: ASYNC110 (the server tells nobody)
            await asyncio.sleep(MOMENT_S)

    async def news(self) -> list[Row]:
        """Read the audit as the owner of the database."""
        assert self._look is not None
        found = await self._look.fetch(NEWS_OF_UNITS, json.dumps(self._seen))
        rows = [Row(*row) for row in found]
        self._seen.update({row.unit: row.sequence for row in rows})
        return rows

    async def standing(self) -> object:
        """Read all units and parts as the owner of the database."""
        assert self._look is not None
        return [[tuple(row) for row in await self._look.fetch(one)] for one in STANDING]

    async def pass_ms(self, elapsed_ms: int) -> int:
        """Make everything older: the clock is the database's own."""
        assert self._look is not None
        for one in AGES:
            await self._look.execute(one, elapsed_ms)
        self._shift += elapsed_ms
        return self._shift

    def doom(self, chance: random.Random) -> None:
        """Let the process go soon."""
        self._moment = chance.random() * MOMENT_S

    def trip(self, chance: random.Random) -> None:
        """Leave its statements alone."""

    async def all_or_death(self, tasks: "list[asyncio.Task[None]]") -> bool:
        """Wait until all are done; where the process is doomed, not for long."""
        moment, self._moment = self._moment, None
        _, left = await asyncio.wait(tasks, timeout=moment)
        for task in left:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.struck[KILLED] += bool(left)
        return bool(left)

    async def close(self) -> None:
        """Let go of the database."""
        if self._store is not None:
            await self._store.close()
        if self._look is not None:
            await self._look.close()
