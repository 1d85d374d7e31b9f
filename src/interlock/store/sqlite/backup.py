"""Back a SQLite file up while others write to it, and put the rows of a backup in its place.

Both go by SQLite's own means: a copy of one instant, and a transaction of the whole file. Whoever
is killed on the way leaves the old file as it was.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, cast

import apsw

from interlock.clock import Clock
from interlock.store.backup import (
    Manifest,
    PlaceInUse,
    PlaceNotEmpty,
    copy_pages,
    is_whole,
    made,
    opened,
    seal,
)
from interlock.store.errors import NotADatabase
from interlock.store.migrate import applied_sqlite, own_migrations, pending
from interlock.store.sqlite.connect import translated
from interlock.store.statements import statements
from interlock.store.sums import digests
from interlock.store.tables import Tell

WAIT_MS: Final = 2_000
"""How long a restore waits for others to let go; who serves does not let go."""

SIDES: Final = ("", "-wal", "-shm", "-journal")


def back_up(place: Path, file: Path, program: str, clock: Clock, tell: Tell) -> Manifest:
    """Write a backup of a file at one instant, and return what it is of."""
    with closing(looked_at(place)) as source, translated(place), made(file) as partial:
        source.set_busy_timeout(WAIT_MS)
        # Taken before the first row is read: what was committed until then is in it.
        taken_at = clock.now()
        with closing(apsw.Connection(str(partial))) as target:
            copy_pages(source, target, tell)
            target.execute("PRAGMA journal_mode = delete").fetchall()
            is_whole(target)
            manifest = Manifest(
                program, "sqlite", len(applied_sqlite(target)), incarnation_of(target), taken_at,
                digests(target),
            )  # fmt: skip
            seal(target, manifest)
    return manifest


def looked_at(place: Path) -> apsw.Connection:
    """Open a database of ours for reading, as it is; raises what is in the way."""
    if not place.exists():
        fix = "Name its folder with --data, or start `interlock up`."
        raise NotADatabase(f"There is no database at {place}.", fix=fix)
    with translated(place):
        connection = opened(place)
        connection.set_busy_timeout(WAIT_MS)
        try:
            _require_ours(connection, place)
        except BaseException:
            connection.close()
            raise
    return connection


def _require_ours(connection: apsw.Connection, place: Path) -> None:
    applied = applied_sqlite(connection)
    if not applied:
        fix = "Name another data folder."
        raise NotADatabase(f"{place} is no database of Interlock.", fix=fix)
    pending(applied, own_migrations("sqlite"))


def incarnation_of(connection: apsw.Connection) -> str:
    """Return the name of a file since it was made or last restored."""
    found = connection.execute(statements("sqlite")["load_incarnation"].sql).fetchall()
    return str(found[0][0]) if found else ""


def put(staged: Path, place: Path, kept: Path, *, is_forced: bool, tell: Tell) -> bool:
    """Put a database in the place of another one in one transaction; say whether there was one.

    The old one is copied to ``kept`` first; without ``is_forced`` there must be none. Raises
    ``PlaceInUse`` while anybody has it open.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    if not is_forced and place.exists():
        # Refused before anything is touched.
        with translated(place), closing(opened(place)) as connection:
            _require_empty(connection, place)
    if is_forced and _is_unreadable(place):
        _move_aside(place, kept)
        put(staged, place, kept, is_forced=False, tell=tell)
        return True
    with translated(place), _alone(place) as target:
        things = _things(target)
        if not is_forced:
            _require_empty(target, place)
        if things:
            with made(kept) as partial, closing(apsw.Connection(str(partial))) as copy:
                copy_pages(target, copy, lambda _, __: None)
        with closing(opened(staged)) as source:
            copy_pages(source, target, tell)
    return bool(things)


def _things(connection: apsw.Connection) -> int:
    ((things,),) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    return cast("int", things)


def _require_empty(connection: apsw.Connection, place: Path) -> None:
    if _things(connection):
        fix = "Name another folder, or add --force: the old database is kept beside."
        raise PlaceNotEmpty(f"There is a database at {place}.", fix=fix)


@contextmanager
def _alone(place: Path) -> Iterator[apsw.Connection]:
    """Open a file that nobody else has open, and let nobody else in."""
    with closing(apsw.Connection(str(place))) as connection:
        connection.set_busy_timeout(WAIT_MS)
        try:
            # SQLite gives a write-ahead log up only where nobody else has the file open.
            connection.execute("PRAGMA journal_mode = delete").fetchall()
            connection.execute("PRAGMA synchronous = full")
            connection.execute("PRAGMA locking_mode = exclusive").fetchall()
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
        except (apsw.BusyError, apsw.LockedError) as exc:
            message = f"{place} is in use."
            raise PlaceInUse(message, fix="Stop every server and client on it first.") from exc
        yield connection


def _is_unreadable(place: Path) -> bool:
    """Whether there is something that is no database any more."""
    if not place.exists():
        return False
    try:
        with closing(opened(place)) as connection:
            is_whole(connection)
    except (apsw.NotADBError, apsw.CorruptError):
        return True
    except Exception:  # noqa: BLE001  whatever else it is, who opens it next tells
        return False
    return False


def _move_aside(place: Path, kept: Path) -> None:
    for side in SIDES:
        old = place.with_name(place.name + side)
        if old.exists():
            old.replace(kept.with_name(kept.name + side))
