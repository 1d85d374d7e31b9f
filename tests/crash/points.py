"""Labelled places where a process can be made to stand still, so that it is killed exactly there.

Nothing of this is in the product: the child that is to die puts a watch on itself, says where it
stands, and waits for the kill. Which places there are is said here; how they are watched is said in
``watching`` and, for those of a worker, in ``at_work``.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import Final

WRITER: Final = "interlock-writer"
ROUNDS: Final = 6
"""So many times round, everything that an answer sets off in an event loop has been done."""

# -- a service on a SQLite file, under load ----------------------------------------------------
MIGRATE: Final = "migrate"
VERSION: Final = "migrate, before the version"
WITHIN_GROUP: Final = "within a group"
AFTER_COMMIT: Final = "after commit"
CHECKPOINT: Final = "checkpoint"
COMMANDS: Final = {
    "before begin": ("BEGIN IMMEDIATE",),
    "after begin": ("SELECT",),
    "before write": ("UPDATE units", "INSERT INTO units"),
    "before the parts": ("UPDATE parts", "INSERT INTO parts"),
    "before the artifact": ("INSERT INTO artifacts",),
    "before the audit": ("INSERT INTO audit",),
    "before the reply": ("INSERT INTO replies",),
    "before the heartbeat": ("UPDATE parts\nSET due = ",),
    "before commit": ("COMMIT",),
}
"""Before which statement of a command the writer stands still."""

ALONE: Final = {f"{name}, alone": heads for name, heads in COMMANDS.items()}
"""The same of a command that comes alone: the event loop itself carries it out, and stands still."""
AFTER_ALONE: Final = "after commit, alone"
BY_LOOP: Final = (*ALONE, AFTER_ALONE)

MIGRATING: Final = {MIGRATE: ("CREATE",), VERSION: ("INSERT INTO migrations",)}
SERVICE: Final = (
    *MIGRATING, *COMMANDS, WITHIN_GROUP, AFTER_COMMIT, CHECKPOINT, *BY_LOOP,
)  # fmt: skip

# -- what is done beside commands, on a file ---------------------------------------------------
SWEPT: Final = "sweep, after a commit"
BACKUP_PAGES: Final = "backup, between pages"
BACKUP_NAME: Final = "backup, before its name"
RESTORE_KEEPS: Final = "restore, before the old one is kept"
RESTORE_PAGES: Final = "restore, between pages"
KEY_WRITTEN: Final = "notary, before the key is written"
LINE_WRITTEN: Final = "notary, within a line"
CHORES: Final = {
    "sweep, before a commit": ("COMMIT",),
    SWEPT: (),
    "index, before the chunks": ("DELETE FROM jobs",),
    "index, between chunks": ("INSERT INTO chunks",),
    "call log, between calls": ("INSERT INTO calls",),
    BACKUP_PAGES: (),
    BACKUP_NAME: (),
    "restore, before the incarnation": ("INSERT INTO incarnations",),
    RESTORE_KEEPS: (),
    RESTORE_PAGES: (),
    "prune, between batches": ("DELETE FROM replies",),
    "erase, between tables": ("DELETE FROM",),
    "erase, before the bytes": ("VACUUM",),
    KEY_WRITTEN: (),
    LINE_WRITTEN: (),
}
"""Before which statement it stands still; none: something else is watched."""

# -- a worker ----------------------------------------------------------------------------------
CLAIMED: Final = "worker, before the intent"
INTENDED: Final = "worker, before the effect"
EFFECTED: Final = "worker, before the report"
REPORTED: Final = "worker, after the report"
ANSWERED: Final = "worker, before the answer"
RUNNING: Final = "worker, while its agent runs"
WORKER: Final = (CLAIMED, INTENDED, EFFECTED, REPORTED, ANSWERED, RUNNING)

# -- a service on PostgreSQL, under load, and a copy to it -------------------------------------
SENT: Final = "postgres, before commit"
HEARD: Final = "postgres, after commit"
POSTGRES: Final = (SENT, HEARD)
COPY_BATCH: Final = "copy, between batches"
COPY_END: Final = "copy, before it is whole"
POSTGRES_MIGRATE: Final = "postgres, migrate"
MOVES: Final = (POSTGRES_MIGRATE, COPY_BATCH, COPY_END)

POINTS: Final = (*SERVICE, *CHORES, *WORKER, *POSTGRES, *MOVES)


class Point:
    """One place to stand still at, the ``turn``-th time it is passed."""

    def __init__(self, name: str, turn: int, tell: Callable[[str], None]) -> None:
        """Take whom to tell; whoever watches calls ``passed``."""
        self.name = name
        self.loop: asyncio.AbstractEventLoop | None = None
        self._left = turn
        self._tell = tell

    def passed(self) -> None:
        """Stand still here for good, if it is the time.

        Before that the event loop comes to rest: whoever was answered has written that down.
        """
        self._left -= 1
        if self._left:
            return
        if self.loop is not None and threading.current_thread().name == WRITER:
            for _ in range(ROUNDS):
                is_round = threading.Event()
                self.loop.call_soon_threadsafe(is_round.set)
                is_round.wait()
        self._stand()

    async def reached(self) -> None:
        """Do the same where the event loop itself passes."""
        self._left -= 1
        if not self._left:
            for _ in range(ROUNDS):
                await asyncio.sleep(0)
            self._stand()

    def _stand(self) -> None:
        self._tell(self.name)
        threading.Event().wait()
