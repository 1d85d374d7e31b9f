"""Who is killed while a backup or a restore is under way leaves the old place as it was."""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from interlock import upkeep
from interlock.config import Settings
from interlock.store import backup
from interlock.store.backup import opened
from interlock.store.sqlite.backup import incarnation_of
from interlock.store.sums import Counted, digests
from interlock.store.tables import Tell
from tests.keeping.ledger import make

PAGES = 8
"""So few are copied at once that there are many moments to be killed at."""


def silent(done: int, total: int) -> None:
    assert 0 <= done <= total


def state(place: Path) -> tuple[str, dict[str, Counted]]:
    """Return everything that is in a file, and its name."""
    with closing(opened(place)) as connection:
        return incarnation_of(connection), digests(connection)


def killed(work: Callable[[Tell], object], moment: int) -> bool:
    """Do some work in a process that is killed when it is told of progress so often; else it ends."""
    pid = os.fork()
    if not pid:
        told = 0

        def tell(done: int, total: int) -> None:
            nonlocal told
            silent(done, total)
            told += 1
            if told == moment:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            work(tell)
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) == -signal.SIGKILL


def test_a_backup_that_is_killed_is_none_and_takes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "PAGES", PAGES)
    place = make(tmp_path / "data", 1).file
    settings, file = Settings(place.parent), tmp_path / "b.interlock"
    before, kills = state(place), 0
    for moment in (1, 3, 6):
        kills += killed(lambda tell: upkeep.back_up(settings, file, tell), moment)
        assert not file.exists()
        assert state(place) == before

    assert kills == 3
    upkeep.back_up(settings, file, silent)
    assert file.exists()
    assert [path.name for path in tmp_path.iterdir() if "partial" in path.name] == []


@pytest.mark.parametrize("is_there", [True, False])
def test_a_restore_that_is_killed_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    monkeypatch.setattr(backup, "PAGES", PAGES)
    other, file = make(tmp_path / "other", 2).file, tmp_path / "b.interlock"
    upkeep.back_up(Settings(other.parent), file, silent)
    place = tmp_path / "data" / "interlock.db"
    settings = Settings(place.parent)
    before = state(make(place.parent, 1).file) if is_there else None
    kills = 0
    for moment in (1, 4, 8):
        kills += killed(
            lambda tell: upkeep.restore(settings, file, tell, is_forced=is_there), moment
        )
        assert before is None or state(place) == before

    assert kills == 3
    done = upkeep.restore(settings, file, silent, is_forced=is_there)
    name, found = state(place)
    assert [path.name for path in place.parent.glob(".restoring*")] == []
    assert name == done.incarnation
    assert found["audit"] == done.manifest.tables["audit"]
