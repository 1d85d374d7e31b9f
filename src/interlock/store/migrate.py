"""Bring a database to the schema this program knows, one migration after the other.

A migration is plain SQL in ``migrations/<dialect>/NNNN_verb_noun.sql``; there is no way back. Each
runs in a transaction of its own that also writes its row in ``migrations``: whoever is killed
leaves the old version or the new one. Several processes may try at once. What the tables mean
is not known here.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw

from interlock.store.errors import StoreError
from interlock.store.lexemes import statement_heads
from interlock.store.statements import Dialect, statements

if TYPE_CHECKING:
    import asyncpg

MIGRATIONS_FOLDER = Path(__file__).parent / "migrations"
# Any number that no other program uses for its own lock in the same database.
ADVISORY_KEY = int.from_bytes(b"intrlock", "big")
# A neighbour may be copying a large file before it migrates.
PATIENCE_MS = 300_000
# How far the log may grow before it is copied into the file: SQLite's own choice.
LOG_PAGES = 1_000

_FILE_NAME = re.compile(r"(\d{4})_([a-z]+(?:_[a-z0-9]+)+)")
_TRANSACTION_WORDS = frozenset({
    "ABORT", "BEGIN", "COMMIT", "RELEASE", "ROLLBACK", "SAVEPOINT", "START", "VACUUM",
})  # fmt: skip


class SchemaChanged(StoreError):
    """The database was made by other migrations than the ones this program has."""

    code = "SCHEMA_CHANGED"


class SchemaTooNew(StoreError):
    """The database is newer than this program."""

    code = "SCHEMA_TOO_NEW"


class SchemaTooOld(StoreError):
    """The database is older than this program and is not migrated without being told to."""

    code = "SCHEMA_TOO_OLD"


class BadMigration(AssertionError):
    """A migration's file is not as it should be: a bug of ours."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One change of the schema; its SHA-256 says whether the file is still what was applied."""

    number: int
    name: str
    sha256: str
    text: str


class Applied(NamedTuple):
    """What a database remembers of a migration."""

    number: int
    sha256: str


def read_migrations(dialect: Dialect, folder: Path = MIGRATIONS_FOLDER) -> tuple[Migration, ...]:
    """Return all migrations in order; raise ``BadMigration`` when a file is not in order."""
    found = []
    for number, path in enumerate(sorted((folder / dialect).glob("*.sql")), start=1):
        said = _FILE_NAME.fullmatch(path.stem)
        if said is None:
            raise BadMigration(f"{path.name} is not named like 0001_make_tables.sql")
        if int(said[1]) != number:
            raise BadMigration(f"{path.name} should have the number {number:04d}")
        text = path.read_text(encoding="utf-8")
        forbidden = _TRANSACTION_WORDS.intersection(statement_heads(text))
        if forbidden:
            raise BadMigration(f"{path.name} says {min(forbidden)}: it is one transaction already")
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        found.append(Migration(number, said[2], sha256, text))
    return tuple(found)


@cache
def own_migrations(dialect: Dialect) -> tuple[Migration, ...]:
    """Return the migrations of this program; their files are read and judged once."""
    return read_migrations(dialect)


def pending(applied: Sequence[Applied], known: Sequence[Migration]) -> tuple[Migration, ...]:
    """Return what is still to be applied, or raise when the database is none of ours."""
    if len(applied) > len(known):
        raise SchemaTooNew(
            f"The database has migration {applied[-1].number:04d}, this program knows of"
            f" {len(known):04d} at most.",
            fix="Install a newer interlock.",
        )
    for migration, was in zip(known, applied, strict=False):
        if (migration.number, migration.sha256) != was:
            raise SchemaChanged(
                f"Migration {migration.number:04d}_{migration.name} is not the one that was"
                " applied to this database.",
                fix="Install the interlock that made this database, or one released after it.",
            )
    return tuple(known[len(applied) :])


def require_current(applied: Sequence[Applied], known: Sequence[Migration]) -> None:
    """Raise unless the database has exactly the schema this program knows."""
    missing = pending(applied, known)
    if missing:
        raise SchemaTooOld(
            f"The database lacks {len(missing)} migrations, from {missing[0].number:04d} on.",
            fix="interlock db migrate",
        )


def applied_sqlite(connection: apsw.Connection) -> tuple[Applied, ...]:
    """Return what was applied to this file; nothing when it is new."""
    said = statements("sqlite")
    has_table, _ = connection.execute(said["find_migrations"].sql).get
    if not has_table:
        return ()
    return tuple(Applied(*row) for row in connection.execute(said["list_migrations"].sql))


def migrate_sqlite(
    connection: apsw.Connection, now: int, known: Sequence[Migration] | None = None
) -> tuple[int, ...]:
    """Apply what is missing and return its numbers; a file that is not new is copied before.

    Of several processes that start at once, one applies a migration and the others find it done.
    A disk that fails while the log is copied into the file raises, though the migration stands.
    """
    if known is None:
        known = own_migrations("sqlite")
    done: list[int] = []
    with _patient(connection), _log_copied(connection) as failed:
        while missing := pending(applied_sqlite(connection), known):
            with _transaction(connection):
                # Somebody may have been faster: what counts is what stands inside.
                still = pending(applied_sqlite(connection), known)
                if not still or still[0] != missing[0]:
                    continue
                if not done:
                    _back_up(connection, len(known) - len(still))
                _apply_sqlite(connection, still[0], now)
            done.append(still[0].number)
            if failed:
                raise failed[0]
    return tuple(done)


async def applied_postgres(
    connection: "asyncpg.Connection[asyncpg.Record]",
) -> tuple[Applied, ...]:
    """Return what was applied to this database; nothing when it is new."""
    said = statements("postgres")
    if not await connection.fetchval(said["find_migrations"].sql):
        return ()
    return tuple(Applied(*row) for row in await connection.fetch(said["list_migrations"].sql))


async def migrate_postgres(
    connection: "asyncpg.Connection[asyncpg.Record]",
    now: int,
    known: Sequence[Migration] | None = None,
) -> tuple[int, ...]:
    """Apply what is missing and return its numbers; of several callers, one at a time works."""
    if connection.is_in_transaction():
        raise BadMigration("migrate outside of a transaction: each migration is one of its own")
    if known is None:
        known = own_migrations("postgres")
    said = statements("postgres")
    done: list[int] = []
    while pending(await applied_postgres(connection), known):
        async with connection.transaction():
            await connection.execute(said["lock_migrations"].sql, ADVISORY_KEY)
            still = pending(await applied_postgres(connection), known)
            if not still:
                break
            await connection.execute(said["create_migrations"].sql)
            await connection.execute(still[0].text)
            _refuse_own_end(still[0], is_open=connection.is_in_transaction())
            insert = said["insert_migration"]
            await connection.execute(insert.sql, *insert.arguments(written(still[0], now)))
        done.append(still[0].number)
    return tuple(done)


def written(migration: Migration, now: int) -> dict[str, int | str]:
    """Return what a database remembers of a migration that was just applied."""
    return {
        "number": migration.number,
        "name": migration.name,
        "sha256": migration.sha256,
        "now": now,
    }


def _apply_sqlite(connection: apsw.Connection, migration: Migration, now: int) -> None:
    said = statements("sqlite")
    connection.execute(said["create_migrations"].sql)
    for _ in connection.execute(migration.text):
        pass  # a script goes on only while its rows are fetched
    _refuse_own_end(migration, is_open=connection.in_transaction)
    orphan = connection.execute(said["list_orphans"].sql).get
    if orphan is not None:
        raise BadMigration(f"migration {migration.number:04d} leaves rows of {orphan} unconnected")
    connection.execute(said["insert_migration"].sql, written(migration, now))


def _refuse_own_end(migration: Migration, *, is_open: bool) -> None:
    if not is_open:
        raise BadMigration(f"migration {migration.number:04d} has ended its own transaction")


@contextmanager
def _patient(connection: apsw.Connection) -> Iterator[None]:
    """Wait for neighbours, and let a migration build a table anew under its old name.

    Both settings belong to the connection and are put back. Foreign keys cannot be switched
    inside a transaction; they are checked as a whole before the commit instead.
    """
    patience_ms = connection.pragma("busy_timeout")
    has_keys = connection.pragma("foreign_keys")
    connection.set_busy_timeout(max(PATIENCE_MS, int(patience_ms)))
    connection.pragma("foreign_keys", 0)
    try:
        yield
    finally:
        connection.pragma("foreign_keys", has_keys)
        connection.set_busy_timeout(int(patience_ms))


@contextmanager
def _log_copied(connection: apsw.Connection) -> Iterator[list[apsw.Error]]:
    """Copy the log into the file once it has grown, as SQLite would; yield what has failed.

    SQLite keeps quiet about it. A disk that has lost a write is not to be trusted with the next.
    """
    failed: list[apsw.Error] = []

    def copy(_: apsw.Connection, name: str, pages: int) -> int:
        if pages >= LOG_PAGES:
            try:
                connection.wal_checkpoint(name, apsw.SQLITE_CHECKPOINT_PASSIVE)
            except apsw.BusyError:
                pass  # somebody else is at it, and tells
            except apsw.Error as exc:
                failed.append(exc)
        return apsw.SQLITE_OK

    connection.set_wal_hook(copy)
    try:
        yield failed
    finally:
        # This puts SQLite's own way back, too.
        connection.wal_autocheckpoint(LOG_PAGES)


@contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _back_up(connection: apsw.Connection, number: int) -> None:
    """Copy the file beside itself before it is changed; we hold the write lock, so it is exact.

    A copy half made by somebody who was killed has another name, and is overwritten.
    """
    _, things = connection.execute(statements("sqlite")["find_migrations"].sql).get
    if not things or not connection.filename:
        return
    path = Path(connection.filename)
    partial = path.with_name(f"{path.name}.backup.partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        reader.execute("VACUUM INTO ?", (str(partial),))
    finally:
        reader.close()
    partial.chmod(path.stat().st_mode)
    _sync(partial)
    partial.replace(backup_file(path, number))
    _sync(path.parent)


def backup_file(path: Path, number: int) -> Path:
    """Return where the copy lies that was made when the file stood at this migration."""
    return path.with_name(f"{path.name}.{number:04d}.backup")


def _sync(path: Path) -> None:
    """Have it on the disk before going on: SQLite does not do that for a copy."""
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no folders
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
