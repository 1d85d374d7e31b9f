"""How a SQLite file stands is told without touching it, whatever its age."""

from contextlib import closing
from pathlib import Path

import apsw

from interlock.store.migrate import migrate_sqlite, own_migrations
from interlock.store.sqlite.status import status
from tests.ready import ready_file


def test_an_older_file_lacks_something_and_is_not_touched(tmp_path: Path) -> None:
    place, known = tmp_path / "interlock.db", own_migrations("sqlite")
    with closing(apsw.Connection(str(place))) as connection:
        migrate_sqlite(connection, 1, known[:-2])
    before = place.read_bytes()

    told = status(place, "full", 1)

    assert (told.schema, told.pending) == (len(known) - 2, (len(known) - 1, len(known)))
    assert (told.dialect, told.incarnation, told.counts["units"]) == ("sqlite", "", 0)
    assert place.read_bytes() == before


def test_weak_settings_are_told(tmp_path: Path) -> None:
    place = ready_file(tmp_path / "interlock.db")

    assert status(place, "full", 1).durability == "full"
    assert status(place, "normal", 1).durability == "degraded"


def test_the_last_restore_is_told(tmp_path: Path) -> None:
    place = ready_file(tmp_path / "interlock.db")
    with closing(apsw.Connection(str(place))) as connection:
        connection.execute(
            "INSERT INTO restores VALUES ('b', 'a', 1, 5, 'd'), ('c', 'b', 3, 9, 'd')"
        )

    told = status(place, "full", 1)

    assert (told.taken_at, told.restored_at, told.leases) == (3, 9, 0)
    assert told.facts["file"] == str(place)
