"""A SQLite file is backed up while it is open, and put into its place in one transaction."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.backup import PlaceInUse, PlaceNotEmpty, read_manifest
from interlock.store.errors import NotADatabase
from interlock.store.migrate import SchemaTooNew
from interlock.store.sqlite.backup import back_up, incarnation_of, looked_at, put
from interlock.store.sqlite.connect import connect
from tests.keeping.test_killed import silent, state
from tests.ready import ready_file
from tests.still import START, StillClock


def tenants(place: Path) -> list[str]:
    with closing(apsw.Connection(str(place))) as connection:
        return [str(name) for (name,) in connection.execute("SELECT id FROM tenants")]


def with_tenant(place: Path, name: str) -> Path:
    with closing(connect(ready_file(place))) as connection:
        connection.execute("INSERT INTO tenants VALUES (?, 'n', 1, NULL)", (name,))
    return place


def test_a_file_is_backed_up_with_what_is_only_in_its_log(tmp_path: Path) -> None:
    place, file = ready_file(tmp_path / "interlock.db"), tmp_path / "b"
    with closing(connect(place)) as writer:
        writer.execute("INSERT INTO tenants VALUES ('a', 'A', 1, NULL)")
        writer.execute("INSERT INTO incarnations VALUES (1, 'abc', 1)")
        assert place.with_name("interlock.db-wal").stat().st_size

        manifest = back_up(place, file, "9", StillClock(), silent)

    assert tenants(file) == ["a"]
    assert (manifest.program, manifest.taken_at, manifest.incarnation) == ("9", START, "abc")
    assert read_manifest(file) == manifest
    assert [path.name for path in tmp_path.glob("b*")] == ["b"]


def test_a_database_is_replaced_whole_and_the_old_one_kept(tmp_path: Path) -> None:
    place = with_tenant(tmp_path / "interlock.db", "old")
    staged, kept = with_tenant(tmp_path / "staged.db", "new"), tmp_path / "kept"
    before = state(place)

    assert put(staged, place, kept, is_forced=True, tell=silent)

    assert tenants(place) == ["new"]
    assert state(kept) == before
    assert incarnation_of(apsw.Connection(str(place))) == ""


def test_a_database_that_somebody_has_open_is_left_alone(tmp_path: Path) -> None:
    place = with_tenant(tmp_path / "interlock.db", "old")
    staged, kept = with_tenant(tmp_path / "staged.db", "new"), tmp_path / "kept"
    with closing(connect(place)) as other:
        other.execute("SELECT count(*) FROM tenants").fetchall()
        with pytest.raises(PlaceInUse):
            put(staged, place, kept, is_forced=True, tell=silent)
        other.execute("INSERT INTO tenants VALUES ('more', 'n', 1, NULL)")

    assert tenants(place) == ["more", "old"]
    assert not kept.exists()


def test_without_force_a_database_is_left_alone_byte_for_byte(tmp_path: Path) -> None:
    place = with_tenant(tmp_path / "interlock.db", "old")
    before = place.read_bytes()
    with pytest.raises(PlaceNotEmpty):
        put(
            with_tenant(tmp_path / "staged.db", "new"), place, tmp_path / "kept",
            is_forced=False, tell=silent,
        )  # fmt: skip

    assert place.read_bytes() == before


def test_a_file_with_nothing_in_it_is_no_database(tmp_path: Path) -> None:
    place = tmp_path / "interlock.db"
    place.touch()

    assert not put(
        with_tenant(tmp_path / "staged.db", "new"), place, tmp_path / "kept",
        is_forced=False, tell=silent,
    )  # fmt: skip
    assert tenants(place) == ["new"]


def test_what_is_not_ours_is_told(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(apsw.Connection(str(other))) as connection:
        connection.execute("CREATE TABLE things (id)")
    newer = ready_file(tmp_path / "newer.db")
    with closing(apsw.Connection(str(newer))) as connection:
        connection.execute("INSERT INTO migrations VALUES (99, 'n', 'h', 1)")

    for place, error in (
        (other, NotADatabase),
        (newer, SchemaTooNew),
        (tmp_path / "no", NotADatabase),
    ):
        with pytest.raises(error):
            looked_at(place)
    assert not (tmp_path / "no").exists()
