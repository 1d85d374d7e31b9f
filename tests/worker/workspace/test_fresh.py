"""Fresh trees: what a commit says and what is ignored, whatever was done to them."""

import os
import shutil
from pathlib import Path

from tests.worker.workspace.ground import committed, contents_in, done, ground, ground_of
from tests.worker.workspace.repositories import repository


def test_what_was_done_is_undone_and_what_is_ignored_is_kept(tmp_path: Path) -> None:
    here = ground(tmp_path, **{".gitignore": "env/\n*.log\n", "a": "a\n"})
    here.fresh()
    (here.folder / "env").mkdir()
    (here.folder / "env" / "tool").write_text("prepared")
    (here.folder / "x.log").write_text("log")
    (here.folder / ".ticket").mkdir()
    (here.folder / ".ticket" / "prd.md").write_text("prd")
    (here.folder / "a").unlink()
    (here.folder / "shop.py").write_text("changed")
    (here.folder / "new" / "deep").mkdir(parents=True)
    (here.folder / "new" / "deep" / "x").write_text("x")

    here.fresh()
    assert contents_in(here.folder) == {
        **here.in_commit(here.base), "env/tool": b"prepared", "x.log": b"log",
    }  # fmt: skip
    assert (here.folder / ".ticket" / "prd.md").read_text() == "prd"
    assert not (here.folder / "new").exists()


def test_a_commit_and_back(tmp_path: Path) -> None:
    there = repository(tmp_path / "there", a="a\n")
    first = committed(there)
    shutil.rmtree(there / "a", ignore_errors=True)
    (there / "a").unlink()
    (there / "a").mkdir()
    (there / "a" / "b").write_text("b\n")
    committed(there)
    here = ground_of(tmp_path, there)
    for commit in (first, here.base, first):
        here.fresh(commit)
        assert contents_in(here.folder) == here.in_commit(commit)
        assert done(here.tree.head()) == commit
        assert here.look().is_clean


def test_an_index_that_is_no_good_is_made_anew(tmp_path: Path) -> None:
    here = ground(tmp_path)
    for content in (b"", b"DIRC\0\0\0\2nonsense", None):
        (here.vault / "index").unlink()
        if content is not None:
            (here.vault / "index").write_bytes(content)
        here.fresh()
        assert here.look().is_clean


def test_modes_come_back_and_closed_folders_are_opened(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    (there / "d").mkdir()
    (there / "d" / "run").write_text("#!/bin/sh\n")
    (there / "d" / "run").chmod(0o755)
    committed(there)
    here = ground_of(tmp_path, there)
    here.fresh()
    (here.folder / "d" / "run").chmod(0)
    (here.folder / "d").chmod(0)
    (here.folder / "shop.py").chmod(0o777)
    here.folder.chmod(0o500)
    here.fresh()
    assert os.access(here.folder / "d" / "run", os.X_OK)
    assert not os.access(here.folder / "shop.py", os.X_OK)
    assert here.look().is_clean


def test_a_hard_link_to_outside_is_cut_and_not_written_through(tmp_path: Path) -> None:
    here = ground(tmp_path)
    outside = tmp_path / "outside"
    outside.write_text("precious")
    (here.folder / "shop.py").unlink()
    os.link(outside, here.folder / "shop.py")
    here.fresh()
    assert outside.read_text() == "precious"
    assert (here.folder / "shop.py").read_text() == "def sell(): ...\n"
