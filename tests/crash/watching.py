"""How the places of a service and of what is done beside it are watched, by the process itself.

Statements are seen by SQLite's own trace, pages by a file system of SQLite's, answers and trips to
PostgreSQL where they pass through our code.
"""

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import apsw
import asyncpg

from interlock.store import backup
from interlock.store.postgres.target import PostgresTarget
from interlock.store.postgres.trips import Row, Trips
from interlock.store.script import Committed
from interlock.store.sqlite import jobs, pace, writer
from interlock.store.sqlite.jobs import Job
from interlock.store.tables import Row as MovedRow
from interlock.store.tables import Table
from tests.crash.points import (
    AFTER_ALONE,
    AFTER_COMMIT,
    ALONE,
    BACKUP_NAME,
    BY_LOOP,
    CHECKPOINT,
    CHORES,
    COMMANDS,
    COPY_BATCH,
    COPY_END,
    HEARD,
    KEY_WRITTEN,
    LINE_WRITTEN,
    MIGRATING,
    POSTGRES_MIGRATE,
    RESTORE_KEEPS,
    SENT,
    SWEPT,
    WITHIN_GROUP,
    WRITER,
    Point,
)

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

BEGIN: Final = "BEGIN IMMEDIATE"
PAGES_BEFORE_CHECKPOINT: Final = 24
LINE_TORN: Final = 40
"""So many bytes of a line are written when it is torn."""


def watch(point: Point) -> None:
    """Put the watch up; from now on every connection that is opened has it."""
    name = point.name
    if not name:
        return
    # Else commands are carried out on the thread: the event loop is to come to rest meanwhile.
    pace.QUICK_S = float(name in BY_LOOP)  # type: ignore[misc]  # all, or none
    if name in WATCHES:
        WATCHES[name](point)
    elif name in COMMANDS:
        _watch_statements(point, COMMANDS[name], WRITER)
    elif name in ALONE:
        _watch_statements(point, ALONE[name], threading.main_thread().name)
    elif name in MIGRATING:
        _watch_statements(point, MIGRATING[name])
    elif CHORES.get(name):
        _watch_statements(point, CHORES[name])


def _watch_statements(point: Point, heads: tuple[str, ...], writer: str = "") -> None:
    """Stand still before a statement; with a ``writer``, only before one that this thread writes."""

    def look(connection: apsw.Connection) -> None:
        writes = False

        def trace(_: object, sql: str, __: object) -> bool:
            nonlocal writes
            words = sql.lstrip()
            writes = writes or words.startswith(BEGIN)
            is_here = not writer or (writes and threading.current_thread().name == writer)
            if is_here and words.startswith(heads):
                point.passed()
            return True

        connection.exec_trace = trace

    apsw.connection_hooks.append(look)


def _watch_answers(point: Point) -> None:
    """Stand still between a commit that holds something and its answers."""
    name = "settle" if point.name == AFTER_ALONE else "deliver"
    answer = getattr(jobs, name)

    def hold(group: list[Job]) -> None:
        if any(is_news(job) for job in group):
            point.passed()
        answer(group)

    setattr(jobs, name, hold)


def is_news(job: Job) -> bool:
    """Say whether a command has just been carried out, and not an earlier one answered again."""
    done = job.outcome
    return job.error is None and isinstance(done, Committed) and not done.is_replay


def _watch_group(point: Point) -> None:
    """Stand still where one command of a group was written and the next one was not begun."""
    play = writer.Writer._play_one

    def hold(self: writer.Writer, job: Job) -> None:
        if self.wrote:
            point.passed()
        play(self, job)

    writer.Writer._play_one = hold  # type: ignore[method-assign]  # watched in this process alone


def _watch_pages(point: Point) -> None:
    """Stand still between two pages that a checkpoint copies into the database."""

    class File(apsw.VFSFile):
        def __init__(self, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
            super().__init__("unix", name, flags)
            self.is_main = bool(flags[0] & apsw.SQLITE_OPEN_MAIN_DB)

        def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 (SQLite's name)
            if self.is_main and threading.current_thread().name == WRITER:
                point.passed()
            super().xWrite(data, offset)

    class Files(apsw.VFS):
        def __init__(self) -> None:
            super().__init__("watched", "unix", makedefault=True)

        def xOpen(  # noqa: N802 (SQLite's name)
            self, name: str | apsw.URIFilename | None, flags: list[int]
        ) -> apsw.VFSFile:
            return File(name, flags)

    KEPT.append(Files())
    writer.CHECKPOINT_PAGES = PAGES_BEFORE_CHECKPOINT  # type: ignore[misc]  # here it is to come often


KEPT: Final[list[apsw.VFS]] = []
"""A file system lives as long as somebody has it."""


def _watch_trips(point: Point) -> None:
    """Stand still before a commit is sent to PostgreSQL, or when it was answered."""
    write = Trips.write

    async def hold(self: Trips, name: str, *told: object, turn: int | None = None) -> list[Row]:
        is_commit = name.startswith(("call_move", "call_commit"))
        if is_commit and point.name == SENT:
            await point.reached()
        rows = await write(self, name, *told, turn=turn)
        if is_commit and point.name == HEARD and rows[0][0] == "ok":
            await point.reached()
        return rows

    Trips.write = hold  # type: ignore[method-assign]  # as above


def _watch_name(point: Point) -> None:
    """Stand still where a backup, or what a restore keeps, is whole and has not got its name."""
    name = backup._name

    def hold(partial: Path, file: Path) -> None:
        point.passed()
        name(partial, file)

    setattr(backup, "_name", hold)  # noqa: B010  a function, to whoever reads the module


def _watch_key(point: Point) -> None:
    """Stand still where the key of the notary is about to be written."""
    fdopen = os.fdopen

    def hold(file: int, mode: str = "r") -> object:
        point.passed()
        return fdopen(file, mode)

    setattr(os, "fdopen", hold)  # noqa: B010  as above


def _watch_line(point: Point) -> None:
    """Stand still in the middle of a line of the notary."""
    write = os.write

    def hold(file: int, line: bytes) -> int:
        if line.startswith(b"{") and threading.current_thread() is threading.main_thread():
            setattr(os, "write", write)  # noqa: B010  whoever is told is told as ever
            write(file, line[:LINE_TORN])
            point.passed()
        return write(file, line)

    setattr(os, "write", hold)  # noqa: B010  as above


def _watch_migrations(point: Point) -> None:
    """Stand still where a migration of PostgreSQL was carried out, and its number not written."""
    execute = asyncpg.Connection.execute

    async def hold(self: "Connection", sql: str, *told: object) -> str:
        if sql.lstrip().startswith("INSERT INTO migrations"):
            await point.reached()
        return await execute(self, sql, *told)

    setattr(asyncpg.Connection, "execute", hold)  # noqa: B010  a method, to whoever reads the class


def _watch_copy(point: Point) -> None:
    """Stand still where a batch was written, or where all was and the copy is not whole yet."""
    add, finish = PostgresTarget.add, PostgresTarget.finish

    async def added(
        self: PostgresTarget, table: Table, rows: Sequence[MovedRow], place: int
    ) -> None:
        await add(self, table, rows, place)
        if point.name == COPY_BATCH:
            await point.reached()

    async def finished(
        self: PostgresTarget, source: str, now: int, new_id: Callable[[], str]
    ) -> None:
        if point.name == COPY_END:
            await point.reached()
        await finish(self, source, now, new_id)

    PostgresTarget.add = added  # type: ignore[method-assign]  # watched in this process alone
    PostgresTarget.finish = finished  # type: ignore[method-assign]  # same


WATCHES: Final[dict[str, Callable[[Point], None]]] = {
    WITHIN_GROUP: _watch_group,
    AFTER_COMMIT: _watch_answers,
    AFTER_ALONE: _watch_answers,
    SWEPT: _watch_answers,
    CHECKPOINT: _watch_pages,
    SENT: _watch_trips,
    HEARD: _watch_trips,
    BACKUP_NAME: _watch_name,
    RESTORE_KEEPS: _watch_name,
    KEY_WRITTEN: _watch_key,
    LINE_WRITTEN: _watch_line,
    POSTGRES_MIGRATE: _watch_migrations,
    COPY_BATCH: _watch_copy,
    COPY_END: _watch_copy,
}
