"""A backup's file is there whole or not at all, and says of itself what it is."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.store.backup import (
    BackupDamaged,
    BackupExists,
    Manifest,
    NotABackup,
    check,
    copy_pages,
    is_whole,
    made,
    opened,
    read_manifest,
    seal,
)
from interlock.store.errors import StoreError
from interlock.store.sums import Counted, digests
from tests.keeping.test_killed import silent
from tests.ready import ready_file


def sealed(path: Path) -> Manifest:
    ready_file(path)
    with closing(apsw.Connection(str(path))) as connection:
        manifest = Manifest("1", "sqlite", 26, "abc", 5, digests(connection))
        seal(connection, manifest)
    return manifest


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    manifest = sealed(tmp_path / "b")

    assert read_manifest(tmp_path / "b") == manifest


def test_a_manifest_that_was_changed_is_noticed(tmp_path: Path) -> None:
    sealed(tmp_path / "b")
    with closing(apsw.Connection(str(tmp_path / "b"))) as connection:
        connection.execute("UPDATE manifest SET body = replace(body, 'abc', 'abd')")

    with pytest.raises(BackupDamaged, match="manifest"):
        read_manifest(tmp_path / "b")


def test_a_format_of_later_is_refused(tmp_path: Path) -> None:
    ready_file(tmp_path / "b")
    with closing(apsw.Connection(str(tmp_path / "b"))) as connection:
        seal(connection, Manifest("1", "sqlite", 26, "abc", 5, {}, format=2))

    with pytest.raises(NotABackup, match="format 2"):
        read_manifest(tmp_path / "b")


def test_rows_that_are_not_those_of_the_manifest_are_noticed(tmp_path: Path) -> None:
    manifest = sealed(tmp_path / "b")
    with closing(apsw.Connection(str(tmp_path / "b"))) as connection:
        check(connection, manifest, silent)
        connection.execute("INSERT INTO tenants VALUES ('a', 'A', 1, NULL)")
        with pytest.raises(BackupDamaged, match="tenants"):
            check(connection, manifest, silent)


def test_a_damaged_page_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "b"
    manifest = sealed(file)
    content = bytearray(file.read_bytes())
    content[4096 * 3 : 4096 * 20] = b"\xa5" * (4096 * 17)
    file.write_bytes(content)

    with closing(opened(file)) as connection, pytest.raises(BackupDamaged):
        check(connection, manifest, silent)
    with closing(opened(file)) as connection, pytest.raises((BackupDamaged, apsw.Error)):
        is_whole(connection)


def test_rows_are_counted_without_the_index() -> None:
    found = {"units": Counted(3, "x"), "words": Counted(9, "y")}

    assert Manifest("1", "sqlite", 26, "abc", 5, found).rows == 3


def test_a_file_gets_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "b"
    with pytest.raises(ZeroDivisionError), made(file) as partial:
        partial.write_bytes(b"half" * (1 // 0))
    assert list(file.parent.iterdir()) == []

    with made(file) as partial:
        partial.write_bytes(b"whole")
    assert [path.name for path in file.parent.iterdir()] == ["b"]
    assert file.read_bytes() == b"whole"
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_that_came_in_between_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "b"
    with pytest.raises(BackupExists), made(file):
        file.write_bytes(b"theirs")

    assert file.read_bytes() == b"theirs"
    with pytest.raises(BackupExists), made(file):
        pass


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")

    with pytest.raises(StoreError, match="cannot be written"), made(tmp_path / "file" / "b"):
        pass


def test_pages_are_copied_as_they_are_at_one_instant(tmp_path: Path) -> None:
    ready_file(tmp_path / "a")
    with (
        closing(apsw.Connection(str(tmp_path / "a"))) as source,
        closing(apsw.Connection(str(tmp_path / "a"))) as writer,
        closing(apsw.Connection(str(tmp_path / "b"))) as target,
    ):

        def write(done: int, total: int) -> None:
            silent(done, total)
            writer.execute("INSERT INTO tenants VALUES (?, 'n', 1, NULL)", (f"t{done}",))

        writer.execute("PRAGMA journal_mode = wal").fetchall()
        writer.execute("INSERT INTO tenants VALUES ('before', 'n', 1, NULL)")
        copy_pages(source, target, write)

        assert target.execute("SELECT id FROM tenants").fetchall() == [("before",)]
        assert len(writer.execute("SELECT id FROM tenants").fetchall()) > 1
