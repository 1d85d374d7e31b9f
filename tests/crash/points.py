"""Places where a process can be made to stand still, so that it is killed exactly there.

Nothing of this is in the product: the child that is to die puts a watch on its own connections,
says where it stands, and waits for the kill. Before it says so it lets its event loop come to
rest, so whoever was answered by then has written that down.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import Final

import apsw

from interlock.store.script import Committed
from interlock.store.sqlite import pace, writer

WRITER: Final = "interlock-writer"
ROUNDS: Final = 6
"""So many times round, everything that an answer sets off in an event loop has been done."""

PAGES_BEFORE_CHECKPOINT: Final = 24

# Before which statement the writer stands still.
STATEMENTS: Final = {
    "before begin": ("BEGIN IMMEDIATE",),
    "after begin": ("SELECT",),
    "before write": ("UPDATE units", "INSERT INTO units"),
    "before commit": ("COMMIT",),
}
MIGRATE: Final = "migrate"
AFTER_COMMIT: Final = "after commit"
CHECKPOINT: Final = "checkpoint"
POINTS: Final = (MIGRATE, *STATEMENTS, AFTER_COMMIT, CHECKPOINT)


class Point:
    """One place to stand still at, the ``turn``-th time it is passed."""

    def __init__(self, name: str, turn: int, tell: Callable[[str], None]) -> None:
        """Take whom to tell; ``arm`` makes it work."""
        self.name = name
        self.loop: asyncio.AbstractEventLoop | None = None
        self._left = turn
        self._tell = tell

    def arm(self) -> None:
        """Put the watch up; from now on every connection that is opened has it."""
        # On the thread, so that the event loop can come to rest meanwhile.
        pace.QUICK_S = 0.0  # type: ignore[misc]  # nothing is
        if self.name == AFTER_COMMIT:
            self._watch_answers()
        elif self.name == CHECKPOINT:
            self._watch_pages()
        elif self.name:
            apsw.connection_hooks.append(self._watch_statements)

    def passed(self) -> None:
        """Stand still here for good, if it is the time."""
        self._left -= 1
        if self._left:
            return
        if self.loop is not None and threading.current_thread().name == WRITER:
            for _ in range(ROUNDS):
                is_round = threading.Event()
                self.loop.call_soon_threadsafe(is_round.set)
                is_round.wait()
        self._tell(self.name)
        threading.Event().wait()

    def _watch_statements(self, connection: apsw.Connection) -> None:
        heads = STATEMENTS.get(self.name, ())

        def trace(_: object, sql: str, __: object) -> bool:
            is_writer = threading.current_thread().name == WRITER
            if self.name == MIGRATE:
                if sql.lstrip().startswith(("CREATE", "INSERT INTO migrations")):
                    self.passed()
            elif is_writer and sql.lstrip().startswith(heads):
                self.passed()
            return True

        connection.exec_trace = trace

    def _watch_answers(self) -> None:
        """Stand still between a commit that holds something and its answers."""
        deliver = writer._deliver

        def hold(group: list[writer.Job]) -> None:
            if any(_is_news(job) for job in group):
                self.passed()
            deliver(group)

        writer._deliver = hold

    def _watch_pages(self) -> None:
        """Stand still between two pages that a checkpoint copies into the database."""
        passed = self.passed

        class File(apsw.VFSFile):
            def __init__(self, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
                super().__init__("unix", name, flags)
                self.is_main = bool(flags[0] & apsw.SQLITE_OPEN_MAIN_DB)

            def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 (SQLite's name)
                if self.is_main and threading.current_thread().name == WRITER:
                    passed()
                super().xWrite(data, offset)

        class Files(apsw.VFS):
            def __init__(self) -> None:
                super().__init__("watched", "unix", makedefault=True)

            def xOpen(  # noqa: N802 (SQLite's name)
                self, name: str | apsw.URIFilename | None, flags: list[int]
            ) -> apsw.VFSFile:
                return File(name, flags)

        self._files = Files()
        writer.CHECKPOINT_PAGES = PAGES_BEFORE_CHECKPOINT  # type: ignore[misc]  # here it is to come often


def _is_news(job: writer.Job) -> bool:
    """Say whether a command has just been carried out, and not an earlier one answered again."""
    done = job.outcome
    return job.error is None and isinstance(done, Committed) and not done.is_replay
