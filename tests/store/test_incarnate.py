"""A restored database has a name of its own, and nothing that was handed out before is good."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.backup import BackupDamaged, Manifest
from interlock.store.incarnate import VOIDED, incarnate
from interlock.store.migrate import migrate_sqlite, own_migrations
from interlock.store.script import BEFORE
from interlock.store.statements import statements
from tests.ready import ready_file
from tests.still import START, StillClock

MANIFEST = Manifest("1", "sqlite", 26, "former", START - 9, {})
FILL = """
INSERT INTO tenants VALUES ('a', 'A', 1, NULL), ('b', 'B', 1, NULL);
INSERT INTO incarnations VALUES (1, 'former', 1);
INSERT INTO replies VALUES ('a', 'p', 'r', 'digest', 'u', '{}', 1);
INSERT INTO link_keys VALUES ('a', 'secret', 1);
INSERT INTO users VALUES ('a', 'pam', 'p@x', 'Pam', 'owner', NULL, NULL, 1, NULL);
INSERT INTO sessions VALUES ('a', 's', 'h', 'pam', 1, 1, 99, NULL);
INSERT INTO logins VALUES ('a', 'l', 'h', 'pam', 1, 99, NULL);
INSERT INTO invitations VALUES ('a', 'i', 'h', 'q@x', 'viewer', 'pam', 1, 99, NULL, NULL);
"""


def one(connection: apsw.Connection, asked: str) -> object:
    ((value,),) = connection.execute(asked).fetchall()
    return value


def test_what_was_handed_out_is_void_and_told(tmp_path: Path) -> None:
    with closing(apsw.Connection(str(ready_file(tmp_path / "x.db")))) as connection:
        for _ in connection.execute(FILL):
            pass

        name = incarnate(connection, MANIFEST, StillClock())

        assert one(connection, "SELECT name FROM incarnations") == name != "former"
        assert one(connection, "SELECT asked FROM replies") == BEFORE
        assert one(connection, "SELECT count(*) FROM link_keys") == 0
        assert one(connection, "SELECT ended_at FROM sessions") == START
        assert one(connection, "SELECT used_at FROM logins") == START
        assert one(connection, "SELECT withdrawn_at FROM invitations") == START
        acts = connection.execute("SELECT tenant, act, about, kind FROM acts").fetchall()
        assert sorted(acts) == [(tenant, "restore", name, "system") for tenant in ("a", "b")]
        rows = connection.execute("SELECT * FROM restores").fetchall()
        assert rows == [(name, "former", START - 9, START, MANIFEST.digest)]


def test_an_older_backup_is_brought_up_to_date(tmp_path: Path) -> None:
    with closing(apsw.Connection(str(tmp_path / "x.db"))) as connection:
        migrate_sqlite(connection, 1, own_migrations("sqlite")[:-1])

        incarnate(connection, MANIFEST, StillClock())

        assert one(connection, "SELECT max(number) FROM migrations") == len(
            own_migrations("sqlite")
        )


def test_a_backup_with_something_that_works_beside_our_tables_is_refused(tmp_path: Path) -> None:
    with closing(apsw.Connection(str(ready_file(tmp_path / "x.db")))) as connection:
        connection.execute(
            "CREATE TRIGGER sly AFTER INSERT ON tokens BEGIN DELETE FROM sessions; END"
        )

        with pytest.raises(BackupDamaged, match="not ours"):
            incarnate(connection, MANIFEST, StillClock())


def test_all_that_is_void_is_a_statement() -> None:
    assert set(VOIDED) <= set(statements("sqlite"))
