"""Open a SQLite file so that what is acknowledged is durable, or say what is in the way.

Every connection of ours is made here: write-ahead log, full synchronisation, a busy timeout, and
foreign keys. What SQLite says when something goes wrong is translated here too.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from interlock.store.errors import (
    DurabilityRefused,
    NotADatabase,
    NotWritable,
    StoreBroken,
    StoreBusy,
    StoreError,
    StoreFull,
    TenantErased,
)

BUSY_MS: Final = 20_000
"""How long a process waits for others on the same file before a caller hears of it."""

LOOK_S: Final = 0.002
ERASED: Final = "this tenant is erased"
"""How our triggers say it."""

PAGES_CACHED_KIB: Final = 16 * 1024
LEVELS: Final = {"off": 0, "normal": 1, "full": 2, "extra": 3}


def connect(path: Path, synchronous: str = "full") -> apsw.Connection:
    """Open a file for reading and writing, making it where there is none."""
    with translated(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            message = f"The folder {path.parent} cannot be made: {exc.strerror}."
            raise NotWritable(message, fix="Set INTERLOCK_DATA to a folder you may write.") from exc
        if synchronous != "off" and not path.exists():
            _keep_folders(path)
        connection = apsw.Connection(str(path), statementcachesize=128)
        connection.set_busy_timeout(BUSY_MS)
        mode = connection.execute("PRAGMA journal_mode = wal").fetchall()[0][0]
        if mode != "wal":
            message = f"{path} cannot use a write-ahead log: its journal is {mode!r}."
            fix = "Put the data folder on a local disk; network folders cannot hold it."
            raise DurabilityRefused(message, fix=fix)
        connection.execute(f"PRAGMA synchronous = {LEVELS[synchronous]}")
        connection.execute("PRAGMA foreign_keys = on")
        # Else a statement is prepared anew for every value that might suggest another index.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        connection.execute(f"PRAGMA cache_size = -{PAGES_CACHED_KIB}")
        return connection


def _keep_folders(path: Path) -> None:
    """Have the names of the folders that a new file lies in on the disk, where that can be asked.

    SQLite sees to the names in the folder itself. Without its own name a folder that was just made
    is gone after a power cut, with everything acknowledged in it.
    """
    for folder in path.absolute().parent.parents:
        with suppress(OSError):
            file = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(file)
            finally:
                os.close(file)


def wait_fairly(connection: apsw.Connection, may_wait: Callable[[], bool] = lambda: True) -> None:
    """Let a connection that writes look for the lock every few milliseconds, while it may wait.

    SQLite's own timeout looks ever less often, down to ten times a second: of four busy processes
    on a file some then waited for seconds.
    """
    until = 0.0

    def look_again(looks: int) -> bool:
        nonlocal until
        if not may_wait():
            return False
        if not looks:
            until = time.monotonic() + BUSY_MS / 1000
        time.sleep(LOOK_S)
        return time.monotonic() < until

    connection.set_busy_handler(look_again)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Say in our words what SQLite says in its own."""
    try:
        yield
    except apsw.Error as exc:
        raise translate(exc, path) from exc


def translate(exc: apsw.Error, path: Path) -> StoreError:
    """Return the error of ours that an error of SQLite's means."""
    return TenantErased() if ERASED in str(exc) else _meaning(exc, path)


def _meaning(exc: apsw.Error, path: Path) -> StoreError:
    again = "Nothing was applied; send the same command again."
    match exc:
        case apsw.BusyError() | apsw.LockedError():
            return StoreBusy(f"Others keep {path} locked.", fix=again)
        case apsw.FullError():
            return StoreFull(f"There is no room for {path}.", fix=f"Make room. {again}")
        case apsw.NotADBError() | apsw.CorruptError():
            message = f"{path} is no database of Interlock, or is damaged: {exc}."
            return NotADatabase(message, fix="Name another data folder, or restore a backup.")
        case apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.PermissionsError():
            message = f"{path} cannot be opened or written: {exc}."
            return NotWritable(message, fix="Set INTERLOCK_DATA to a folder you may write.")
        case apsw.IOError():
            message = f"Reading or writing {path} failed: {exc}."
            fix = "Check the disk, start again, then send the same command under its request id."
            return StoreBroken(message, fix=fix)
        case _:
            return StoreError(f"{path}: {exc}.", fix="Run `interlock doctor`.")
