"""A backup as a file: one SQLite file with all rows of one instant, and a manifest that proves it.

The file has the tables of a SQLite database whichever database it was taken of, so a backup needs
no other program and can be restored to either. Nothing here knows where the rows come from or go
to: see ``backup`` of the two stores, and ``incarnate`` for what becomes of them.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import apsw

from interlock.store.errors import StoreError
from interlock.store.sums import Counted, digests
from interlock.store.tables import Tell

FORMAT: Final = 1
PAGES: Final = 512
"""How many pages are copied before somebody is told how far it is."""

PARTIAL: Final = ".partial"
STAGING: Final = ".restoring-"
"""How a folder begins in which a backup is made ready for its place."""

NAME: Final = "manifest"


class NotABackup(StoreError):
    """The file is no backup of ours."""

    code = "NOT_A_BACKUP"


class BackupDamaged(StoreError):
    """The backup is not what it was when it was made."""

    code = "BACKUP_DAMAGED"


class BackupExists(StoreError):
    """There is a file already where the backup should be written."""

    code = "BACKUP_EXISTS"


class PlaceInUse(StoreError):
    """Somebody uses the database that something is to be restored to."""

    code = "PLACE_IN_USE"
    retryable = True


class PlaceNotEmpty(StoreError):
    """There is a database already where a backup should be restored to."""

    code = "PLACE_NOT_EMPTY"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup is of: which incarnation at which instant, with every table counted."""

    program: str
    dialect: str
    schema: int
    incarnation: str
    taken_at: int
    tables: Mapping[str, Counted]
    format: int = FORMAT

    @property
    def text(self) -> str:
        """The manifest as it is kept."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def digest(self) -> str:
        """What stands for the backup: whoever has it can tell whether a file is this backup."""
        return sha256(self.text.encode()).hexdigest()

    @property
    def rows(self) -> int:
        """How many rows there are in all."""
        return sum(one.rows for name, one in self.tables.items() if name != "words")


@contextmanager
def made(file: Path) -> Iterator[Path]:
    """Yield where to write a new file; it gets its name when it is whole and on the disk."""
    if file.exists():
        raise _taken(file)
    partial = file.with_name(file.name + PARTIAL)
    with _writable(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600)
    try:
        yield partial
        with _writable(file):
            sync(partial)
            _name(partial, file)
            sync(file.parent)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _name(partial: Path, file: Path) -> None:
    """Give a file its name, but not over one that has come in between."""
    try:
        os.link(partial, file)
    except OSError as exc:
        if file.exists():
            raise _taken(file) from exc
        # Not every disk knows a second name for a file.
        partial.rename(file)


def _taken(file: Path) -> BackupExists:
    fix = "Name another file; a backup is never overwritten."
    return BackupExists(f"There is a file {file} already.", fix=fix)


@contextmanager
def _writable(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        message = f"{file} cannot be written: {exc.strerror}."
        raise StoreError(message, fix="Name a file in a folder where you may write.") from exc


def sync(path: Path) -> None:
    """Have a file or a folder on the disk before going on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def copy_pages(source: apsw.Connection, target: apsw.Connection, tell: Tell) -> None:
    """Copy a file page by page, as it is at one instant."""
    source.execute("BEGIN")
    try:
        # What is read now is what is read until the end, whatever others write meanwhile.
        source.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        with target.backup("main", source, "main") as copying:
            while not copying.done:
                copying.step(PAGES)
                tell(copying.page_count - copying.remaining, copying.page_count)
    finally:
        source.execute("ROLLBACK")


def seal(connection: apsw.Connection, manifest: Manifest) -> None:
    """Write the manifest into a file that has all of its rows."""
    connection.execute(
        f"CREATE TABLE {NAME} (id INTEGER PRIMARY KEY, body TEXT NOT NULL, sha256 TEXT NOT NULL)"
    )
    said = f"INSERT INTO {NAME} (id, body, sha256) VALUES (1, ?, ?)"  # noqa: S608 (a name of ours)
    connection.execute(said, (manifest.text, manifest.digest))


def read_manifest(file: Path) -> Manifest:
    """Read what a backup says of itself; raises ``NotABackup`` or ``BackupDamaged``."""
    fix = "Name a file that `interlock db backup` has written."
    if not file.is_file():
        raise NotABackup(f"There is no file {file}.", fix=fix)
    try:
        with closing(opened(file)) as connection:
            found = connection.execute(f"SELECT body, sha256 FROM {NAME}").fetchall()  # noqa: S608 (ours)
    except apsw.Error as exc:
        raise NotABackup(f"{file} is no backup: {exc}.", fix=fix) from exc
    (body, digest) = found[0] if len(found) == 1 else ("", "")
    if sha256(str(body).encode()).hexdigest() != digest:
        raise BackupDamaged(f"The manifest of {file} was changed.", fix="Take another backup.")
    told = json.loads(str(body))
    if told.get("format") != FORMAT:
        message = f"{file} has the format {told.get('format')}, this program knows {FORMAT}."
        raise NotABackup(message, fix="Install a newer interlock.")
    told["tables"] = {name: Counted(*one) for name, one in told["tables"].items()}
    return Manifest(**told)


def opened(file: Path) -> apsw.Connection:
    """Open a file of SQLite for reading alone."""
    return apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)


def check(connection: apsw.Connection, manifest: Manifest, tell: Tell) -> None:
    """Raise ``BackupDamaged`` unless the rows are those that the manifest has counted."""
    fix = "Take another backup; this one cannot be trusted."
    try:
        is_whole(connection)
        found = digests(connection, tell)
    except apsw.Error as exc:
        raise BackupDamaged(f"The backup cannot be read: {exc}.", fix=fix) from exc
    for name, counted in manifest.tables.items():
        if found.get(name) != counted:
            raise BackupDamaged(f"The rows of {name} are not those of the backup.", fix=fix)


def is_whole(connection: apsw.Connection) -> None:
    """Raise ``BackupDamaged`` where SQLite finds the file wrong."""
    wrong = [str(told) for (told,) in connection.execute("PRAGMA integrity_check(3)")]
    if wrong != ["ok"]:
        message = f"SQLite finds the file damaged: {'; '.join(wrong)}."
        raise BackupDamaged(message, fix="Take another backup; this one cannot be trusted.")
