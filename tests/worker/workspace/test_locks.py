"""Locks: one at a time, gone with their holder, and no file of them is mistaken for a lock."""

import asyncio
import fcntl
import os
from pathlib import Path

import pytest

from interlock.worker.workspace.locks import alone, drop, taken
from tests.worker.workspace.ground import done


def test_one_at_a_time(tmp_path: Path) -> None:
    inside, most = 0, 0

    async def work() -> None:
        nonlocal inside, most
        async with alone(tmp_path / "lock"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1

    async def story() -> None:
        await asyncio.gather(*(work() for _ in range(5)))

    done(story())
    assert most == 1


def test_a_lock_that_somebody_has_is_not_dropped(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    held = taken(path)
    assert held is not None
    assert taken(path) is None
    assert not drop(path)
    assert path.exists()
    os.close(held)
    assert drop(path)
    assert not path.exists()


def test_a_lock_on_a_file_that_is_gone_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    real = fcntl.flock

    def removed_meanwhile(lock: int, how: int) -> None:
        path.unlink()
        real(lock, how)

    monkeypatch.setattr("interlock.worker.workspace.locks.fcntl.flock", removed_meanwhile)
    assert taken(path) is None, "whoever comes next would make another file, and lock that"
    monkeypatch.undo()
    held = taken(path)
    assert held is not None
    os.close(held)
