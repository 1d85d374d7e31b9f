"""The writer: one thread, one connection, and commands committed in groups.

Load, decide and write of a command run in one transaction. Commands that wait while a commit is
under way share the next one: none is answered before the commit that holds it is durable, and if
that fails none of them has happened. Where one of them fails while it writes, the group is undone
and each gets a transaction of its own. Whatever goes wrong, the thread goes on and every caller
is told: nobody waits for ever.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, cast

import apsw

from interlock.kernel.entries import make
from interlock.store.errors import StoreBroken, StoreError, StoreUnavailable
from interlock.store.memory import Memory, Remembered
from interlock.store.script import (
    Change,
    Committed,
    Found,
    Load,
    Loaded,
    Nothing,
    Outcome,
    Script,
    Touch,
)
from interlock.store.sqlite.connect import translate, wait_fairly
from interlock.store.sqlite.load import answer, find_head, load_reply
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.write import Known, touch, write

GROUP_MAX: Final = 64
"""How many commands share a commit at most; more would only make the first one wait."""

CHECKPOINT_PAGES: Final = 1_000
"""When the log has so many pages it is copied into the database, as SQLite does by itself."""


@dataclass(slots=True)
class Job:
    """A command that waits for its turn. ``play`` runs inside the transaction."""

    play: "Callable[[Writer], object]"
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[object]"
    outcome: object = None
    error: Exception | None = None


class HalfWritten(Exception):
    """A command failed while it wrote: what it has written must not be committed."""


class Writer:
    """The one thread of this process that writes to the file."""

    def __init__(
        self, connection: apsw.Connection, path: Path, now: Callable[[], int], incarnation: str
    ) -> None:
        """Start the thread; from now on only it may use the connection."""
        self.connection = connection
        wait_fairly(connection)
        connection.set_wal_hook(self._checkpoint)
        self.now = now
        self.memory = Memory(incarnation)
        # Called after each commit with the tenants it has changed.
        self.ring: Callable[[set[str]], None] = lambda _: None
        self.wrote: set[str] = set()
        self._path = path
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        # What made the disk untrustworthy; after it nothing is written any more.
        self._broken: apsw.Error | None = None
        self._door = threading.Lock()
        self._is_closed = False
        self._is_writing = False
        self._seen = -1
        self._thread = threading.Thread(target=self._work, name="interlock-writer", daemon=True)
        self._thread.start()

    async def run(self, tenant: str, make: Callable[[], Script]) -> Committed:
        """Carry a script out in its turn; returns when what it wrote is durable."""
        return cast("Committed", await self.call(lambda writer: writer.play(tenant, make())))

    def call(self, play: "Callable[[Writer], object]") -> "asyncio.Future[object]":
        """Run something inside a transaction in its turn; what it returns is to be awaited."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()
        with self._door:
            if self._is_closed:
                raise StoreUnavailable("The store is closed.", fix="Send it again later.")
            self._queue.put(Job(play, loop, future))
        return future

    @property
    def is_broken(self) -> bool:
        """Whether writing has failed in a way after which nothing is written any more."""
        return self._broken is not None

    def close(self) -> None:
        """Finish what is queued, then end the thread and close the file; take nothing more."""
        with self._door:
            self._is_closed = True
            self._queue.put(None)
        self._thread.join()
        self.connection.close()

    # -- on the thread -------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            first = self._queue.get()
            if first is None:
                return
            group, is_last = [first], False
            while len(group) < GROUP_MAX:
                try:
                    job = self._queue.get_nowait()
                except Empty:
                    break
                if job is None:
                    is_last = True
                    break
                group.append(job)
            self._commit(group)
            if is_last:
                return

    def _commit(self, group: list[Job]) -> None:
        self.wrote = set()
        try:
            self._begin()
            for job in group:
                self._play_one(job)
            self.connection.execute("COMMIT")
            self._seen = self.connection.data_version()
        except HalfWritten as half:
            self._undo()
            if len(group) > 1 or isinstance(half.__cause__, Known):
                # Nobody has been answered, so all of them may be carried out again.
                for job in group:
                    job.error = None
                    self._commit([job])
                return
        except BaseException as exc:  # noqa: BLE001  whatever it is, the thread must go on
            self._fail(group, exc)
        _deliver(group)
        if self.wrote:
            self.ring(self.wrote)

    def _checkpoint(self, connection: apsw.Connection, name: str, pages: int) -> int:
        """Copy the log into the database once it has grown; runs after the commit.

        SQLite does it just so by itself, and keeps quiet when it fails. What is committed stands
        all the same, but a disk that has lost a write is not to be trusted with the next.
        """
        if pages >= CHECKPOINT_PAGES:
            try:
                connection.wal_checkpoint(name, apsw.SQLITE_CHECKPOINT_PASSIVE)
            except apsw.Error as exc:
                self._told(exc)
        return apsw.SQLITE_OK

    def _begin(self) -> None:
        """Begin, and forget what we remember if another process has written since."""
        if self._broken is not None:
            raise self._broken.with_traceback(None)
        self.connection.execute("BEGIN IMMEDIATE")
        # Unlike the pragma of this name it counts our own commits, too, and costs next to nothing.
        if self.connection.data_version() != self._seen:
            self.memory.clear()

    def _play_one(self, job: Job) -> None:
        self._is_writing = False
        try:
            job.outcome = job.play(self)
        except BaseException as exc:
            job.error = self._told(exc)
            # SQLite ends a transaction by itself when it cannot write: then nobody's stands.
            if self._broken is not None or not self.connection.in_transaction:
                raise
            if self._is_writing:
                raise HalfWritten from exc

    def begin_writing(self, tenant: str) -> None:
        """Say that the command at hand writes from now on, and for whom."""
        self.wrote.add(tenant)
        self._is_writing = True

    def _undo(self) -> None:
        """Roll back, and forget what was remembered on the way: it has never happened."""
        self.memory.clear()
        self.wrote = set()
        try:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
        except apsw.Error as worse:
            self._broken = worse

    def _fail(self, group: list[Job], exc: BaseException) -> None:
        """Tell everyone that nothing has happened; go no further if the disk is not to trust."""
        self._undo()
        for job in group:
            job.error = self._told(exc)

    def _told(self, exc: BaseException) -> Exception:
        """Return what a caller is told: an error of its own, which its event loop can raise."""
        if isinstance(exc, apsw.Error):
            error = translate(exc, self._path)
            error.__cause__ = exc
            if isinstance(error, StoreBroken):
                self._broken = exc
            return error
        if isinstance(exc, Exception) and not isinstance(exc, StopIteration):
            return exc
        return StoreError(f"The command broke off: {exc!r}.", fix="Report it.")

    def play(self, tenant: str, script: Script) -> Committed:
        """Drive a script to its end and write what it returns; inside the transaction."""
        session = Session(self.connection, tenant)
        outcome = self._drive(session, script)
        if isinstance(outcome, Nothing):
            return Committed(outcome.reply, bool(outcome.asked), outcome.asked)
        if isinstance(outcome, Change) and not outcome.before and outcome.key is not None:
            # Nothing was loaded for a new unit, so its key has not been looked up yet.
            known = load_reply(session, outcome.key)
            if known is not None:
                return Committed(known.text, is_replay=True, asked=known.asked)
        self.begin_writing(tenant)
        if isinstance(outcome, Touch):
            touch(session, outcome, self.now())
        else:
            for change in (outcome, outcome.beside):
                if change is not None:
                    write(session, change, self.now())
                    self.memory.committed(change)
        return Committed(outcome.reply)

    def _drive(self, session: Session, script: Script) -> Outcome:
        try:
            ask = next(script)
            while True:
                known = self._remembered(session, ask) if isinstance(ask, Load) else None
                ask = script.send(known or answer(session, ask, self.memory.incarnation))
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome

    def _remembered(self, session: Session, ask: Load) -> Loaded | None:
        """Answer from memory: nobody else has written, so what we remember is what stands.

        Heads of queues are remembered until something stirs them. Replies are not looked up: that
        a request was answered before is noticed when a refusal is decided anew, or when the
        reply is written.
        """
        known = self.memory.find(session.tenant, ask)
        self.memory.count(is_hit=known is not None)
        if known is None:
            return None
        part = None if ask.part is None else known.parts[ask.part]
        heads = self._heads(session, ask, known)
        return make(Loaded, (known.row, part, heads, None, self.memory.incarnation, True))

    def _heads(self, session: Session, ask: Load, known: Remembered) -> Found:
        """Return the heads of queues, and remember those that had to be looked for."""
        found, new = {}, {}
        for kind, statuses in ask.kinds:
            heads = []
            for status in statuses:
                if (kind, status) in known.heads:
                    heads.append(known.head(kind, status))
                else:
                    new[kind, status] = find_head(session, ask.unit, kind, status)
                    heads.append(new[kind, status])
            found[kind] = tuple([head for head in heads if head is not None])
        # Only now: to remember one may be to forget another.
        if new:
            self.memory.learn(known, new)
        return found


def _deliver(group: list[Job]) -> None:
    """Answer everyone, each in their own event loop, with one call for each loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Job]] = {}
    for job in group:
        by_loop.setdefault(job.loop, []).append(job)
    for loop, jobs in by_loop.items():
        with suppress(RuntimeError):  # the loop has closed, and with it everyone who waited in it
            loop.call_soon_threadsafe(_settle, jobs)


def _settle(jobs: list[Job]) -> None:
    for job in jobs:
        if job.future.done():
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.outcome)
