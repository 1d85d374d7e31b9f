"""A backup is taken and a backup is restored: what was there stands until what comes is whole."""

import json
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from interlock import upkeep
from interlock.config import Settings
from interlock.errors import InterlockError
from interlock.store import backup
from interlock.store.backup import check, opened, read_manifest
from interlock.store.sqlite.backup import incarnation_of
from interlock.store.sums import digests
from tests.crash.chores.chore import Chore, Run, file_of
from tests.crash.points import BACKUP_NAME, BACKUP_PAGES, RESTORE_KEEPS, RESTORE_PAGES
from tests.keeping.ledger import make

PAGES: Final = 8
"""So few are copied at once that there are several moments to be killed at."""

TIMES: Final = 4
"""How often somebody is told of pages at least."""

KEPT: Final = "kept.interlock"
BEFORE: Final = "before.json"


def _state(place: Path) -> list[object]:
    """Return the name of a database, and what is in it."""
    with closing(opened(place)) as connection:
        counted = {name: [*one] for name, one in sorted(digests(connection).items())}
        return [incarnation_of(connection), counted]


def _note(folder: Path) -> None:
    (folder / BEFORE).write_text(json.dumps(_state(file_of(folder))))


def _noted(folder: Path) -> list[object]:
    told: list[object] = json.loads((folder / BEFORE).read_text())
    return told


def _silent(done: int, total: int) -> None:
    assert 0 <= done <= total


def _settings(folder: Path) -> Settings:
    return Settings(file_of(folder).parent)


# -- backup ------------------------------------------------------------------------------------


def _prepare_backup(folder: Path) -> None:
    make(file_of(folder).parent, 1)
    _note(folder)


def _back_up(run: Run) -> None:
    setattr(backup, "PAGES", PAGES)  # noqa: B010  a constant, to whoever reads the module

    def tell(*_: int) -> None:
        if run.point.name == BACKUP_PAGES:
            run.point.passed()

    upkeep.back_up(_settings(run.folder), run.folder / KEPT, tell)


def _judge_backup(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    file = folder / KEPT
    found = (
        [] if _state(file_of(folder)) == _noted(folder) else ["a backup has changed its database"]
    )
    if not is_done:
        return found + (["what is no backup yet has the name of one"] if file.exists() else [])
    try:
        with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            check(connection, read_manifest(file), _silent)
    except InterlockError as no:
        found.append(f"the backup is none: {no.message}")
    left = [one.name for one in folder.iterdir() if one.name.endswith(backup.PARTIAL)]
    return found + [f"{name} is left" for name in left]


# -- restore -----------------------------------------------------------------------------------


def _prepare_restore(folder: Path) -> None:
    other = make(folder / "other", 2).file
    upkeep.back_up(Settings(other.parent), folder / KEPT, _silent)
    make(file_of(folder).parent, 1)
    _note(folder)


def _restore(run: Run) -> None:
    setattr(backup, "PAGES", PAGES)  # noqa: B010  as above

    def tell(*_: int) -> None:
        if run.point.name == RESTORE_PAGES:
            run.point.passed()

    upkeep.restore(_settings(run.folder), run.folder / KEPT, tell, is_forced=True)


def _judge_restore(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    before, now = _noted(folder), _state(file_of(folder))
    manifest = read_manifest(folder / KEPT)
    name, counted = now
    assert isinstance(counted, dict)
    if now == before and not is_done:
        return []
    found = []
    if name in (before[0], manifest.incarnation):
        found.append("what was restored is served under a name that it had before")
    if counted["audit"] != [*manifest.tables["audit"]]:
        found.append("what was restored is not what the backup has")
    data = file_of(folder).parent
    left = [*data.glob(f"{backup.STAGING}*"), *data.glob(f"*{backup.PARTIAL}*")]
    if is_done:
        found += [f"{one.name} of a restore is left" for one in left]
    if is_done and not [one for one in _kept(folder) if _state(one) == before]:
        found.append("what was there before is kept nowhere")
    return found


def _kept(folder: Path) -> list[Path]:
    place = file_of(folder)
    return [
        one
        for one in place.parent.glob(f"{place.name}.before-*")
        if not one.name.endswith((backup.PARTIAL, "-journal", "-wal", "-shm"))
    ]


BACKING_UP: Final = Chore(
    "backup", {BACKUP_PAGES: TIMES, BACKUP_NAME: 1}, _prepare_backup, _back_up, _judge_backup
)
RESTORING: Final = Chore(
    "restore", {"restore, before the incarnation": 1, RESTORE_KEEPS: 1, RESTORE_PAGES: TIMES},
    _prepare_restore, _restore, _judge_restore,
)  # fmt: skip
