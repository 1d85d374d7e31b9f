"""Upkeep of a database as a whole: how it stands, backups of it, and restores.

Beside ``app`` the only module that chooses a database. It works on databases that may be older
than this program, damaged, or not there, so it opens no store: nothing is migrated on the way.
"""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw

import interlock
from interlock.clock import SystemClock, instant
from interlock.config import Settings
from interlock.store.backup import (
    PARTIAL,
    STAGING,
    BackupDamaged,
    Manifest,
    check,
    copy_pages,
    opened,
    read_manifest,
)
from interlock.store.incarnate import incarnate
from interlock.store.postgres import backup as postgres
from interlock.store.postgres import status as postgres_status
from interlock.store.sqlite import backup as sqlite
from interlock.store.sqlite import status as sqlite_status
from interlock.store.status import Status
from interlock.store.tables import Tell

KEPT: Final = ".before-"
"""Behind the name of a database: the one that stood there before a restore, by whose name."""

LAST: Final = "last_backup.json"
CHECKPOINTS: Final = "checkpoints.jsonl"


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore came to; ``kept`` is where the old database is, if there was one."""

    manifest: Manifest
    incarnation: str
    kept: str


def status(settings: Settings) -> Status:
    """Say how the database stands that the settings name."""
    if settings.database:
        return asyncio.run(postgres_status.status(settings.database))
    now = SystemClock().now()
    return sqlite_status.status(settings.sqlite_file, settings.synchronous, now)


def last_kept(settings: Settings) -> dict[str, object]:
    """Say which backup and which checkpoint were the last that are known in this data folder."""
    backup = _told(settings.data / LAST)
    line = _told(Path(settings.checkpoint_file or settings.data / CHECKPOINTS))
    return {
        "backup": f"{backup['file']}, as of {instant(backup['taken_at'])}" if backup else "",
        "checkpoint": f"{line['checkpoint']}, as of {instant(line['at'])}" if line else "",
    }


def _told(file: Path) -> dict[str, Any]:
    """Read the document on the last line of a file; none where it cannot be read."""
    try:
        told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8").splitlines()[-1])
    except (OSError, ValueError, IndexError):
        return {}
    return told


def _note(settings: Settings, file: Path, manifest: Manifest) -> None:
    """Leave a note of a backup, for ``last_kept``; it is a help, and no more."""
    told = {"file": str(file), "taken_at": manifest.taken_at, "sha256": manifest.digest}
    with suppress(OSError):
        settings.data.mkdir(parents=True, exist_ok=True)
        (settings.data / LAST).write_text(json.dumps(told) + "\n", encoding="utf-8")


def back_up(settings: Settings, file: Path, tell: Tell) -> Manifest:
    """Write a backup of the database that the settings name."""
    clock, program = SystemClock(), interlock.__version__
    if settings.database:
        work = postgres.back_up(settings.database, file, program, clock, tell)
        manifest = asyncio.run(work)
    else:
        manifest = sqlite.back_up(settings.sqlite_file, file, program, clock, tell)
    _note(settings, file, manifest)
    return manifest


def restore(settings: Settings, file: Path, tell: Tell, *, is_forced: bool = False) -> Restored:
    """Make the database that the settings name of a backup, after having looked at all of it."""
    clock = SystemClock()
    manifest = read_manifest(file)
    with _staged(settings.data, file) as staged:
        with closing(apsw.Connection(str(staged))) as connection:
            check(connection, manifest, lambda _, __: None)
            name = incarnate(connection, manifest, clock)
        if settings.database:
            work = postgres.put(staged, settings.database, clock, is_forced=is_forced, tell=tell)
            kept = asyncio.run(work)
        else:
            old = settings.sqlite_file.with_name(f"{settings.sqlite_file.name}{KEPT}{name}")
            was = sqlite.put(staged, settings.sqlite_file, old, is_forced=is_forced, tell=tell)
            kept = str(old) if was else ""
    _clear(settings)
    return Restored(manifest, name, kept)


def _copy(file: Path, staged: Path) -> None:
    try:
        with closing(opened(file)) as source, closing(apsw.Connection(str(staged))) as target:
            copy_pages(source, target, lambda _, __: None)
    except apsw.Error as exc:
        fix = "Take another backup; this one cannot be trusted."
        raise BackupDamaged(f"{file} cannot be read: {exc}.", fix=fix) from exc


def _clear(settings: Settings) -> None:
    """Remove what others left who were killed while they restored: they have nothing to restore."""
    for left in settings.data.glob(f"{STAGING}*"):
        shutil.rmtree(left, ignore_errors=True)
    # What stood there when they were killed stood there on: half of a copy of it is for nobody.
    for half in settings.data.glob(f"{settings.sqlite_file.name}{KEPT}*{PARTIAL}*"):
        half.unlink(missing_ok=True)


@contextmanager
def _staged(data: Path, file: Path) -> Iterator[Path]:
    """Yield a copy of a backup that may be changed; it is gone at the end."""
    data.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=STAGING, dir=data))
    try:
        staged = folder / "interlock.db"
        _copy(file, staged)
        yield staged
    finally:
        shutil.rmtree(folder)
