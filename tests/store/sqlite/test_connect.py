"""A file is opened so that what is acknowledged is durable, or what is in the way is named."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.errors import (
    DurabilityRefused,
    NotADatabase,
    NotWritable,
    StoreBroken,
    StoreBusy,
    StoreError,
    StoreFull,
)
from interlock.store.sqlite import connect as module
from interlock.store.sqlite.connect import connect, translate, translated, wait_fairly


def _pragma(connection: apsw.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchall()[0][0]


def test_a_file_is_made_where_there_is_none_and_is_durable(tmp_path: Path) -> None:
    path = tmp_path / "some" / "folder" / "interlock.db"

    with closing(connect(path)) as connection:
        assert _pragma(connection, "journal_mode") == "wal"
        assert _pragma(connection, "synchronous") == 2
        assert _pragma(connection, "foreign_keys") == 1
        assert _pragma(connection, "busy_timeout") == module.BUSY_MS
    assert path.is_file()


@pytest.mark.parametrize(("level", "found"), module.LEVELS.items())
def test_how_carefully_it_writes_can_be_chosen(tmp_path: Path, level: str, found: int) -> None:
    with closing(connect(tmp_path / "interlock.db", level)) as connection:
        assert _pragma(connection, "synchronous") == found


def test_what_is_no_database_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "interlock.db"
    path.write_text("a shopping list, long enough to be looked at" * 20)
    before = path.read_bytes()

    with pytest.raises(NotADatabase, match=r"interlock\.db"):
        connect(path)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(NotWritable, match="cannot be made") as no:
        connect(tmp_path / "file" / "interlock.db")
    assert "INTERLOCK_DATA" in no.value.fix


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "interlock.db").mkdir()

    with pytest.raises(NotWritable, match="cannot be opened"):
        connect(tmp_path / "interlock.db")


def test_a_file_that_refuses_the_log_is_refused() -> None:
    """What lives in memory only has no write-ahead log, as a network folder has none."""
    with pytest.raises(DurabilityRefused, match="its journal is 'memory'"):
        connect(Path(":memory:"))


ERRORS: list[tuple[type[apsw.Error], type[StoreError], bool]] = [
    (apsw.BusyError, StoreBusy, True),
    (apsw.LockedError, StoreBusy, True),
    (apsw.FullError, StoreFull, True),
    (apsw.NotADBError, NotADatabase, False),
    (apsw.CorruptError, NotADatabase, False),
    (apsw.CantOpenError, NotWritable, False),
    (apsw.ReadOnlyError, NotWritable, False),
    (apsw.PermissionsError, NotWritable, False),
    (apsw.IOError, StoreBroken, True),
    (apsw.ConstraintError, StoreError, False),
]


@pytest.mark.parametrize(("theirs", "ours", "is_retryable"), ERRORS)
def test_what_sqlite_says_is_told_in_our_words(
    theirs: type[apsw.Error],
    ours: type[StoreError],
    is_retryable: bool,  # noqa: FBT001  a column of the table
) -> None:
    told = translate(theirs("something"), Path("x.db"))

    assert type(told) is ours
    assert told.retryable is is_retryable
    assert "x.db" in told.message
    assert told.fix


def test_the_cause_is_kept() -> None:
    cause = apsw.BusyError("locked")

    with pytest.raises(StoreBusy) as busy, translated(Path("x.db")):
        raise cause
    assert busy.value.__cause__ is cause


def test_who_waits_for_the_lock_gives_up_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_MS", 20)
    path = tmp_path / "interlock.db"
    with closing(connect(path)) as first, closing(connect(path)) as second:
        wait_fairly(second)
        first.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreBusy), translated(path):
            second.execute("BEGIN IMMEDIATE")
        first.execute("COMMIT")
        second.execute("BEGIN IMMEDIATE; COMMIT")
