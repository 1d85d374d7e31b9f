"""Locks between workers on one folder: held by a process, gone with it, never left behind."""

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

TRIED_AGAIN_S: Final = 0.05


@asynccontextmanager
async def alone(path: Path) -> AsyncIterator[int]:
    """Wait until nobody else has the lock; yield it as an open file, for who runs meanwhile."""
    lock = taken(path)
    while lock is None:
        # Another process has it, and tells nobody.
        await asyncio.sleep(TRIED_AGAIN_S)
        lock = taken(path)
    try:
        yield lock
    finally:
        os.close(lock)


def drop(path: Path, lock: int | None = None) -> bool:
    """Remove the file of a lock that we have, or that nobody has; say whether it is gone."""
    lock = taken(path) if lock is None else lock
    if lock is None:
        return False
    with suppress(FileNotFoundError):
        path.unlink()
    os.close(lock)
    return True


def taken(path: Path) -> int | None:
    """Return the lock, or None where another one has it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Whoever had it before may have removed the file: then ours is no lock any more.
        if os.path.samestat(os.fstat(lock), path.lstat()):
            return lock
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(lock)
    return None
