"""Removing: all of it, whatever it is, and nothing that a link leads to."""

import os
from pathlib import Path

import pytest

from interlock.worker.workspace import removal
from interlock.worker.workspace.removal import remove


def test_files_links_and_folders_are_removed_and_nothing_behind_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "x").write_text("x")
    place = tmp_path / "place"
    (place / "closed" / "deep").mkdir(parents=True)
    (place / "link").symlink_to(precious)
    (place / "closed" / "deep" / "y").write_text("y")
    (place / "closed").chmod(0)
    os.mkfifo(place / "pipe")

    remove(place)
    assert not place.exists()
    (tmp_path / "link").symlink_to(precious)
    remove(tmp_path / "link")
    remove(tmp_path / "nothing")
    assert [one.name for one in tmp_path.iterdir()] == ["precious"]
    assert (precious / "x").exists()


def test_more_folders_in_each_other_than_a_path_can_name_are_removed(tmp_path: Path) -> None:
    deepen(tmp_path, 1_500)
    remove(tmp_path / "0123456789")
    assert list(tmp_path.iterdir()) == []


def deepen(folder: Path, times: int) -> None:
    """Make folders in each other."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(times):
        os.mkdir("0123456789", dir_fd=at)
        below = os.open("0123456789", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)


def test_what_cannot_be_removed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(_: Path) -> None:
        raise OSError

    (tmp_path / "x").mkdir()
    monkeypatch.setattr("interlock.worker.workspace.removal.shutil.rmtree", refuses)
    monkeypatch.setattr(removal, "FORCE", ())
    with pytest.raises(OSError, match="x cannot be removed"):
        remove(tmp_path / "x")
