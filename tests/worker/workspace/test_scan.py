"""Looking through a tree: nothing is followed or opened, and what is odd is told."""

import os
from pathlib import Path

from interlock.worker.workspace.scan import is_empty, is_folder, is_there, scan
from tests.worker.workspace.test_removal import deepen


def test_what_is_odd_is_told_by_its_path(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for name in (".git", ".ticket", "a/.git", "b/.GIT", ".claude", "c"):
        (tree / name).mkdir(parents=True)
    (tree / ".ticket" / ".git").touch()
    os.mkfifo(tree / "c" / "pipe")
    os.mkfifo(tree / "c" / ".gitignore")
    os.mkfifo(tree / ".claude" / "pipe")
    (tree / "c" / ".gitattributes").touch()
    (tree / "loop").symlink_to(tree)
    (tree / "c" / ".gitmodules").symlink_to("/dev/null")

    found = scan(tree)
    assert found.special == (("c/pipe", "a pipe"),)
    assert sorted(found.nested) == ["a/.git", "b/.GIT"]
    assert found.rules == ("c/.gitignore",)
    assert found.guarded == (".claude",)
    assert found.closed == ()
    assert found.has_attributes
    assert not scan(tree / "a").has_attributes


def test_what_cannot_be_looked_into_is_told(tmp_path: Path) -> None:
    deepen(tmp_path, 500)
    ((path, why),) = scan(tmp_path).closed
    assert path.startswith("0123456789/0123456789")
    assert "too long" in why
    assert scan(tmp_path / "nowhere").closed[0][0] == ""


def test_a_link_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "broken").symlink_to("nowhere")
    assert is_folder(tmp_path / "folder")
    assert not is_folder(tmp_path / "link")
    assert is_there(tmp_path / "broken")
    assert not is_there(tmp_path / "nothing")
    assert is_empty(tmp_path / "folder")
    assert not is_empty(tmp_path)
    assert not is_empty(tmp_path / "link")
