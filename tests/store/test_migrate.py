"""A database is brought up to date whole or not at all, and what is none of ours is refused.

The migrations here are made up in the test's own folder; our own are only asked whether they are
in order and say the same as the schema. Killing and crowding have a file of their own.
"""

import stat
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.dump import dump_sqlite_schema
from interlock.store.migrate import (
    Applied,
    BadMigration,
    Migration,
    SchemaChanged,
    SchemaTooNew,
    SchemaTooOld,
    backup_file,
    migrate_sqlite,
    pending,
    read_migrations,
    require_current,
)
from interlock.store.sqlite.connect import connect
from tests.crash.faults import disk
from tests.store.made import INDEX, MAKE, NOW, REBUILD, look, migrate, write

SCHEMA = Path("src/interlock/store/schema")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three migrations for SQLite."""
    return write(tmp_path / "made", make_tables=MAKE, add_index=INDEX, rebuild_units=REBUILD)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "interlock.db"


def test_a_new_file_gets_all_migrations_and_remembers_them(path: Path, folder: Path) -> None:
    known = read_migrations("sqlite", folder)

    assert migrate(path, known) == (1, 2, 3)
    assert migrate(path, known) == ()
    with closing(apsw.Connection(str(path))) as connection:
        rows = list(connection.execute("SELECT number, name, sha256, at FROM migrations"))
    assert rows == [(one.number, one.name, one.sha256, NOW) for one in known]
    assert [one.name for one in known] == ["make_tables", "add_index", "rebuild_units"]


def test_a_disk_that_fails_while_the_log_is_copied_is_told(path: Path, tmp_path: Path) -> None:
    many = (
        "CREATE TABLE large AS"
        " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)"
        " SELECT randomblob(4000) AS bytes FROM n;"
    )
    known = read_migrations("sqlite", write(tmp_path / "large", fill_much=many))
    with disk() as switch, closing(connect(path, "off")) as connection:
        switch.fail("write", apsw.IOError, apsw.SQLITE_OPEN_MAIN_DB)
        with pytest.raises(apsw.IOError):
            migrate_sqlite(connection, NOW, known)
        switch.mend()

        # It stands all the same, and the next one goes on from there.
        assert migrate_sqlite(connection, NOW, known) == ()


def test_an_older_file_gets_what_it_lacks_and_keeps_its_rows(path: Path, folder: Path) -> None:
    known = read_migrations("sqlite", folder)
    migrate(path, known[:1])
    before = look(path)

    assert migrate(path, known) == (2, 3)
    assert look(path)[2] == before[2] == [("u", "open"), ("v", "shut; COMMIT;")]


def test_a_file_that_is_not_new_is_copied_before(path: Path, folder: Path) -> None:
    known = read_migrations("sqlite", folder)
    migrate(path, known[:2])
    path.chmod(0o640)
    before = look(path)
    migrate(path, known)
    copy = backup_file(path, 2)

    assert copy.name == "interlock.db.0002.backup"
    assert look(copy) == before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o640
    assert sorted(one.name for one in path.parent.glob("interlock.db*")) == [
        "interlock.db",
        "interlock.db.0002.backup",
    ]


def test_a_copy_half_made_is_no_hindrance_and_an_old_one_is_replaced(
    path: Path, folder: Path
) -> None:
    known = read_migrations("sqlite", folder)
    migrate(path, known[:2])
    before = look(path)
    path.with_name("interlock.db.backup.partial").write_text("half", encoding="utf-8")
    backup_file(path, 2).write_text("old", encoding="utf-8")
    migrate(path, known)

    assert look(backup_file(path, 2)) == before
    assert not path.with_name("interlock.db.backup.partial").exists()


def test_what_a_neighbour_did_between_looking_and_locking_is_not_done_again(
    path: Path, folder: Path
) -> None:
    known = read_migrations("sqlite", folder)
    neighbour = [known[:1]]

    def trace(_cursor: object, sql: str, _bindings: object) -> bool:
        if sql.startswith("BEGIN") and neighbour:
            migrate(path, neighbour.pop())
        return True

    with closing(apsw.Connection(str(path))) as connection:
        connection.exec_trace = trace

        assert migrate_sqlite(connection, NOW, known) == (2, 3)


@pytest.mark.parametrize("is_wal", [True, False])
def test_the_connection_is_given_back_as_it_was(path: Path, folder: Path, *, is_wal: bool) -> None:
    with closing(apsw.Connection(str(path))) as connection:
        connection.pragma("journal_mode", "wal" if is_wal else "delete")
        connection.pragma("foreign_keys", 1)
        connection.set_busy_timeout(1234)
        known = read_migrations("sqlite", folder)
        migrate_sqlite(connection, NOW, known[:2])
        migrate_sqlite(connection, NOW, known)

        assert connection.pragma("foreign_keys") == 1
        assert connection.pragma("busy_timeout") == 1234
        assert not connection.in_transaction
    assert look(backup_file(path, 2))[0] == 2


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("CREATE TABLE more (a); INSERT INTO nowhere VALUES (1);", apsw.SQLError),
        ("CREATE TABLE more (a); DELETE FROM units;", BadMigration),
        ("CREATE TABLE more (a); SELECT RAISE;", apsw.SQLError),
    ],
)
def test_a_migration_that_fails_changes_nothing(
    path: Path, folder: Path, text: str, error: type[Exception]
) -> None:
    known = read_migrations("sqlite", folder)[:2]
    migrate(path, known)
    before = look(path)

    with pytest.raises(error):
        migrate(path, (*known, Migration(3, "break_it", "", text)))
    assert look(path) == before


def test_a_migration_that_ends_its_own_transaction_is_noticed(path: Path) -> None:
    with pytest.raises(BadMigration, match="ended its own transaction"):
        migrate(path, (Migration(1, "end_early", "", "CREATE TABLE a (b); END;"),))


def test_pending_is_what_is_known_and_not_yet_applied(folder: Path) -> None:
    known = read_migrations("sqlite", folder)
    applied = [Applied(one.number, one.sha256) for one in known]

    assert pending([], known) == known
    assert pending(applied[:2], known) == known[2:]
    assert pending(applied, known) == ()


def test_a_file_changed_after_it_was_applied_is_refused(path: Path, folder: Path) -> None:
    migrate(path, read_migrations("sqlite", folder)[:2])
    write(folder, make_tables=MAKE + "-- and more")

    with pytest.raises(SchemaChanged, match="0001_make_tables") as caught:
        migrate(path, read_migrations("sqlite", folder))
    assert (caught.value.code, look(path)[0]) == ("SCHEMA_CHANGED", 2)


def test_a_database_newer_than_the_program_is_refused(path: Path, folder: Path) -> None:
    known = read_migrations("sqlite", folder)
    migrate(path, known)

    with pytest.raises(
        SchemaTooNew, match="has migration 0003, this program knows of 0002"
    ) as caught:
        migrate(path, known[:2])
    assert (caught.value.code, caught.value.fix) == ("SCHEMA_TOO_NEW", "Install a newer interlock.")


def test_a_database_with_a_gap_is_none_of_ours(folder: Path) -> None:
    known = read_migrations("sqlite", folder)

    with pytest.raises(SchemaChanged):
        pending([Applied(2, known[1].sha256)], known)


def test_an_older_database_is_told_which_command_to_run(folder: Path) -> None:
    known = read_migrations("sqlite", folder)
    applied = [Applied(one.number, one.sha256) for one in known]

    require_current(applied, known)
    with pytest.raises(SchemaTooOld, match="lacks 2 migrations, from 0002 on") as caught:
        require_current(applied[:1], known)
    assert (caught.value.code, caught.value.fix) == ("SCHEMA_TOO_OLD", "interlock db migrate")


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("1_make_tables", "SELECT 1;", "is not named like"),
        ("0001_Tables", "SELECT 1;", "is not named like"),
        ("0001_tables", "SELECT 1;", "is not named like"),
        ("0002_make_tables", "SELECT 1;", "should have the number 0001"),
        ("0001_make_tables", "SELECT 1;\n commit;", "says COMMIT"),
        ("0001_make_tables", "BEGIN; SELECT 1;", "says BEGIN"),
    ],
)
def test_a_file_not_in_order_is_refused(
    tmp_path: Path, name: str, text: str, complaint: str
) -> None:
    (tmp_path / "sqlite").mkdir()
    (tmp_path / "sqlite" / f"{name}.sql").write_text(text, encoding="utf-8")

    with pytest.raises(BadMigration, match=complaint):
        read_migrations("sqlite", tmp_path)


def test_line_endings_do_not_change_a_migration(tmp_path: Path) -> None:
    one = write(tmp_path / "one", make_tables="SELECT 1;\nSELECT 2;\n")
    other = write(tmp_path / "other", make_tables="")
    (other / "sqlite" / "0001_make_tables.sql").write_bytes(b"SELECT 1;\r\nSELECT 2;\r\n")

    assert read_migrations("sqlite", one) == read_migrations("sqlite", other)


def test_our_own_sqlite_schema_says_the_same_as_all_migrations(tmp_path: Path) -> None:
    migrate(tmp_path / "migrated.db", read_migrations("sqlite"))
    with closing(apsw.Connection(":memory:")) as connection:
        for path in sorted(SCHEMA.glob("sqlite*.sql")):
            for _ in connection.execute(path.read_text(encoding="utf-8")):
                pass
        by_schema = dump_sqlite_schema(connection)
    with closing(apsw.Connection(str(tmp_path / "migrated.db"))) as connection:
        assert dump_sqlite_schema(connection) == by_schema
