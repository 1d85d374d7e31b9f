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
from interlock.clock import Clock, SystemClock, instant
from interlock.config import Settings
from interlock.service.notary import LAST_CHECKPOINT
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
from interlock.store.erasures import FILE as ERASURES
from interlock.store.erasures import Erasure, of_backup, read
from interlock.store.incarnate import incarnate
from interlock.store.people import Act
from interlock.store.postgres import backup as postgres
from interlock.store.postgres import status as postgres_status
from interlock.store.sqlite import backup as sqlite
from interlock.store.sqlite import erase as sqlite_erase
from interlock.store.sqlite import status as sqlite_status
from interlock.store.status import Status
from interlock.store.tables import Tell

OPERATOR: Final = ("system", "operator", "", "cli")
KEPT: Final = ".before-"
"""Behind the name of a database: the one that stood there before a restore, by whose name."""

LAST: Final = "last_backup.json"
CHECKPOINTS: Final = "checkpoints.jsonl"
MINUTE_MS: Final = 60_000
DAY_MINUTES: Final = 24 * 60
LATE: Final = 2
TAKE_ONE: Final = "Take one: interlock audit checkpoint"


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore came to; ``kept`` is where the old database is, if there was one."""

    manifest: Manifest
    incarnation: str
    kept: str
    # Tenants that the backup had, and that were erased since: they were erased again.
    erased: tuple[str, ...] = ()


def status(settings: Settings) -> Status:
    """Say how the database stands that the settings name."""
    if settings.database:
        return asyncio.run(postgres_status.status(settings.database))
    now = SystemClock().now()
    return sqlite_status.status(settings.sqlite_file, settings.synchronous, now)


def last_kept(settings: Settings) -> dict[str, object]:
    """Say which backup and which checkpoint were the last that are known in this data folder."""
    backup, line = _told(settings.data / LAST), _last_checkpoint(settings)
    said = ""
    if line:
        said = (
            f"{line['checkpoint']}, as of {instant(line['at'])}: heads of {line['units']:,} units"
        )
        said += f", in {line['file']}"
    return {
        "backup": f"{backup['file']}, as of {instant(backup['taken_at'])}" if backup else "",
        "checkpoint": said,
    }


def warnings(settings: Settings, incarnation: str, now: int) -> tuple[str, ...]:
    """Say what the last checkpoint does not stand for any more; nothing where there is none."""
    line = _last_checkpoint(settings)
    if not line:
        return ()
    found = []
    # Where a server appends them, one that is late is a sign that it cannot.
    late = settings.checkpoint_minutes * LATE if settings.checkpoint_file else DAY_MINUTES
    minutes = (now - line["at"]) // MINUTE_MS
    if minutes > late:
        found.append(f"The last checkpoint is old: {minutes // 60:,} hours. {TAKE_ONE}")
    if line["incarnation"] != incarnation:
        found.append(
            f"The last checkpoint is of {line['incarnation']}, before a restore. {TAKE_ONE}"
        )
    if not Path(line["file"]).exists():
        found.append(f"The file of the last checkpoint is not there: {line['file']}.")
    return tuple(found)


def _last_checkpoint(settings: Settings) -> dict[str, Any]:
    """Return the youngest checkpoint that is known: where the settings say, or by the note."""
    file = Path(settings.checkpoint_file or settings.data / CHECKPOINTS)
    line = _told(file)
    known = [line | {"file": str(file)} if line else {}, _told(settings.data / LAST_CHECKPOINT)]
    return max(known, key=lambda one: int(one.get("at", 0)))


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


def restore(
    settings: Settings,
    file: Path,
    tell: Tell,
    *,
    is_forced: bool = False,
    erasures: Path | None = None,
) -> Restored:
    """Make the database that the settings name of a backup, after having looked at all of it.

    What is known to have been erased is erased again: by the data folder, by ``erasures``, and by
    the database that is replaced.
    """
    clock = SystemClock()
    manifest = read_manifest(file)
    known = of_backup(_erasures(settings, erasures, is_forced=is_forced), manifest.incarnation)
    with _staged(settings.data, file) as staged:
        with closing(apsw.Connection(str(staged))) as connection:
            check(connection, manifest, lambda _, __: None)
            name = incarnate(connection, manifest, clock)
            erased = _erased_again(connection, known, name, clock)
        if settings.database:
            work = postgres.put(staged, settings.database, clock, is_forced=is_forced, tell=tell)
            kept = asyncio.run(work)
        else:
            old = settings.sqlite_file.with_name(f"{settings.sqlite_file.name}{KEPT}{name}")
            was = sqlite.put(staged, settings.sqlite_file, old, is_forced=is_forced, tell=tell)
            kept = str(old) if was else ""
    _clear(settings)
    return Restored(manifest, name, kept, erased)


def _erasures(settings: Settings, named: Path | None, *, is_forced: bool) -> Iterator[Erasure]:
    """Yield what is known to have been erased; a file that is named must be there."""
    own = settings.data / ERASURES
    for file in (named, own if own.exists() else None):
        if file is not None:
            yield from read(file)
    if not is_forced:
        return
    if settings.database:
        yield from asyncio.run(postgres.erasures(settings.database))
    elif settings.sqlite_file.exists():
        # One that cannot be read knows nothing; that is why the file is beside it.
        with suppress(apsw.Error), closing(opened(settings.sqlite_file)) as connection:
            yield from sqlite_erase.erasures(connection)


def _erased_again(
    connection: apsw.Connection, known: dict[str, int], name: str, clock: Clock
) -> tuple[str, ...]:
    """Erase what was erased since the backup; return whom."""
    gone = []
    for tenant, at in sorted(known.items()):
        told = json.dumps({"again": name})
        act = Act(clock.new_id("act"), *OPERATOR, "tenant_erased", tenant, told)
        if sqlite_erase.erase_again(connection, tenant, at, act):
            gone.append(tenant)
    return tuple(gone)


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
