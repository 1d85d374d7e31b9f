"""The writer: one connection, one at a time who uses it, and commands committed in groups.

Load, decide and write of a command run in one transaction. Commands that wait while a commit is
under way share the next one: none is answered before the commit that holds it is durable, and if
that fails none of them has happened. Where one of them fails while it writes, the group is undone
and each gets a transaction of its own. Whatever goes wrong, the thread goes on and every caller
is told: nobody waits for ever.

All this happens on a thread, so that nobody's event loop waits for a disk. Only a command that
comes alone, while nothing is under way and commands are quick, is carried out where it is asked
for: there two hand-overs between threads would take longer than the commit.
"""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from time import perf_counter
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
from interlock.store.sqlite import jobs
from interlock.store.sqlite.connect import translate, wait_fairly
from interlock.store.sqlite.jobs import Job, Sign
from interlock.store.sqlite.load import answer, find_head, load_reply
from interlock.store.sqlite.pace import Pace
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.write import Known, touch, write

GROUP_MAX: Final = 64
"""How many commands share a commit at most; more would only make the first one wait."""

CHECKPOINT_PAGES: Final = 1_000
"""When the log has so many pages it is copied into the database, as SQLite does by itself."""


class HalfWritten(Exception):
    """A command failed while it wrote: what it has written must not be committed."""


class Writer:
    """The one way of this process to write to the file."""

    def __init__(
        self, connection: apsw.Connection, path: Path, now: Callable[[], int], incarnation: str
    ) -> None:
        """Start the thread; from now on only who holds the pen may use the connection."""
        self.connection = connection
        self._cursor = connection.cursor()
        self._session = Session(connection, "", self._cursor)
        wait_fairly(connection, lambda: not self._is_here)
        connection.set_wal_hook(self._note_pages)
        self.now = now
        self.memory = Memory(incarnation)
        # Called after each commit with the tenants it has changed.
        self.ring: Callable[[set[str]], None] = lambda _: None
        self.wrote: set[str] = set()
        self.pace = Pace()
        self._path = path
        self._queue: SimpleQueue[Job | Sign] = SimpleQueue()
        # What was asked for in this round of the event loop, and may be carried out there.
        self._soon: list[Job] = []
        self._pen = threading.Lock()
        self._is_here = False
        self._pages = 0
        self._chores = 0
        # What made the disk untrustworthy; after it nothing is written any more.
        self._broken: apsw.Error | None = None
        self._door = threading.Lock()
        self._is_closed = False
        self._is_writing, self._seen = False, -1
        self._thread = threading.Thread(target=self._work, name="interlock-writer", daemon=True)
        self._thread.start()

    async def run(self, tenant: str, make: Callable[[], Script]) -> Committed:
        """Carry a script out in its turn; returns when what it wrote is durable."""
        job = self._job(lambda writer: writer.play(tenant, make()), is_command=True)
        if self.pace.is_quick:
            self._ask_here(job)
        else:
            self._ask_thread(job)
        return cast("Committed", await job.future)

    def call(self, play: "Callable[[Writer], object]") -> "asyncio.Future[object]":
        """Run something inside a transaction in its turn; what it returns is to be awaited.

        It may take long: that is always left to the thread.
        """
        job = self._job(play)
        self._ask_thread(job)
        return job.future

    def _job(self, play: "Callable[[Writer], object]", *, is_command: bool = False) -> Job:
        loop = asyncio.get_running_loop()
        return Job(play, loop, loop.create_future(), is_command)

    def since(self) -> tuple[int, int] | None:
        """Say since when only commands of ours have written; None where it cannot be told now."""
        if not self._pen.acquire(blocking=False):
            return None
        self._is_here = True
        try:
            ((version,),) = self.connection.execute("PRAGMA data_version")
            return int(str(version)), self._chores
        except apsw.Error:
            return None
        finally:
            self._is_here = False
            self._pen.release()

    def _ask_thread(self, job: Job) -> None:
        with self._door:
            self._require_open()
            self._queue.put(job)

    def _ask_here(self, job: Job) -> None:
        """Let a command wait for the end of this round: who else asks by then shares its commit."""
        with self._door:
            self._require_open()
            if self._soon and self._soon[0].loop is not job.loop:
                self._queue.put(job)
                return
            self._soon.append(job)
            if len(self._soon) == 1:
                job.loop.call_soon(self._write_here)

    def _require_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("The store is closed.", fix="Send it again later.")

    @property
    def is_broken(self) -> bool:
        """Whether writing has failed in a way after which nothing is written any more."""
        return self._broken is not None

    def close(self) -> None:
        """Finish what is queued, then end the thread and close the file; take nothing more."""
        with self._door:
            self._is_closed = True
            for job in self._soon:
                self._queue.put(job)
            self._soon = []
        with self._pen:  # whoever has it may still leave something to the thread
            self._queue.put(Sign.END)
        self._thread.join()
        self.connection.close()

    # -- on an event loop ----------------------------------------------------------------------

    def _write_here(self) -> None:
        """Carry out what was asked for in this round, if it is one command and nothing else is."""
        with self._door:
            group, self._soon = self._soon, []
            is_alone = len(group) == 1 and self._queue.empty() and self._pen.acquire(blocking=False)
            if not is_alone:
                for job in group:
                    self._queue.put(job)
                return
        self._is_here = True
        try:
            if self._may_begin():
                self._commit(group)
            else:
                self._queue.put(group[0])
        finally:
            self._is_here = False
            self._pen.release()
        if self._pages >= CHECKPOINT_PAGES:
            self._queue.put(Sign.LOG)

    def _may_begin(self) -> bool:
        """Begin, unless another process is writing: no event loop waits for it."""
        try:
            self._cursor.execute("BEGIN IMMEDIATE")
        except apsw.Error as exc:
            # Anything else fails once more, and is told then.
            return not isinstance(exc, apsw.BusyError)
        return True

    # -- on the thread -------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            group, sign = self._next()
            with self._pen:
                if group:
                    self._commit(group)
                else:
                    self._checkpoint()
            if sign is Sign.END:
                return

    def _next(self) -> tuple[list[Job], Sign | None]:
        """Wait for what comes next: jobs that share a commit, up to a sign."""
        group: list[Job] = []
        one = self._queue.get()
        while isinstance(one, Job):
            group.append(one)
            if len(group) == GROUP_MAX:
                return group, None
            try:
                one = self._queue.get_nowait()
            except Empty:
                return group, None
        return group, one

    # -- with the pen --------------------------------------------------------------------------

    def _commit(self, group: list[Job]) -> None:
        self.wrote = set()
        begun = perf_counter()
        try:
            self._begin()
            for job in group:
                self._play_one(job)
            self._cursor.execute("COMMIT")
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
        # Chores of the house may take their time: they say nothing about commands.
        if [job for job in group if not job.is_command]:
            self._chores += 1
        else:
            self.pace.took(perf_counter() - begun, len(group))
        self._answer(group)

    def _answer(self, group: list[Job]) -> None:
        """Tell everyone what has become of it; only then look after the log."""
        if self._is_here:
            jobs.settle(group)
        else:
            jobs.deliver(group)
        if self.wrote:
            self.ring(self.wrote)
        if not self._is_here:
            self._checkpoint()

    def _note_pages(self, _: apsw.Connection, __: str, pages: int) -> int:
        """Take note of how long the log is; called by SQLite within a commit."""
        self._pages = pages
        return apsw.SQLITE_OK

    def _checkpoint(self) -> None:
        """Copy the log into the database once it has grown.

        SQLite does it just so by itself, and keeps quiet when it fails. What is committed stands
        all the same, but a disk that has lost a write is not to be trusted with the next.
        """
        if self._pages >= CHECKPOINT_PAGES:
            self._pages = 0
            try:
                self.connection.wal_checkpoint("main", apsw.SQLITE_CHECKPOINT_PASSIVE)
            except apsw.Error as exc:
                self._told(exc)

    def _begin(self) -> None:
        """Begin, and forget what we remember if another process has written since."""
        if self._broken is not None:
            raise self._broken.with_traceback(None)
        if not self.connection.in_transaction:
            self._cursor.execute("BEGIN IMMEDIATE")
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
                self._cursor.execute("ROLLBACK")
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
        if self._session.tenant != tenant:  # the next command is mostly the same tenant's
            self._session = Session(self.connection, tenant, self._cursor)
        return self._played(self._session, script)

    def _played(self, session: Session, script: Script) -> Committed:
        outcome = self._drive(session, script)
        if isinstance(outcome, Nothing):
            return Committed(outcome.reply, bool(outcome.asked), outcome.asked)
        if isinstance(outcome, Change) and not outcome.before and outcome.key is not None:
            # Nothing was loaded for a new unit, so its key has not been looked up yet.
            known = load_reply(session, outcome.key)
            if known is not None:
                return Committed(known.text, is_replay=True, asked=known.asked)
        self.begin_writing(session.tenant)
        if isinstance(outcome, Touch):
            touch(session, outcome, self.now())
        else:
            for change in (outcome, outcome.beside):
                if change is not None:
                    write(session, change, self.now())
                    self.memory.committed(change)
        return make(Committed, (outcome.reply, False, ""))

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
        return Loaded(known.row, part, heads, None, self.memory.incarnation, is_cached=True)

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
