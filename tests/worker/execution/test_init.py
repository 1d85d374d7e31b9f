"""The start of a ticket: vault and tree, once."""

from pathlib import Path

import pytest

from interlock.worker.execution.job import CannotWork
from tests.worker.execution.ground import ground_in
from tests.worker.workspace.repositories import plain


def test_asked_twice_it_is_the_same_tree(tmp_path: Path) -> None:
    ground = ground_in(tmp_path)
    (ground.tree.folder / "mark").write_text("x")

    first, again = ground.do("init"), ground.do("init")

    assert first == again
    assert first["branch"] == "interlock/ticket-1"
    assert first["base_commit"] == plain(ground.bare, "rev-parse", "main")
    assert first["site"].startswith("site-")
    assert (ground.tree.folder / "mark").exists()


def test_what_cannot_be_cloned_is_told(tmp_path: Path) -> None:
    ground = ground_in(tmp_path)

    with pytest.raises(CannotWork, match="another repository"):
        ground.do("init", project={"repository": str(tmp_path / "no"), "base_branch": "main"})
