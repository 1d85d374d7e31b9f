"""The agent's own repository: clean, on its branch, and whatever was there before is gone."""

from pathlib import Path

from tests.worker.workspace.ground import ground
from tests.worker.workspace.repositories import plain


def test_an_agent_can_work_with_git_as_it_likes(tmp_path: Path) -> None:
    here = ground(tmp_path)
    here.fresh()
    (here.folder / "shop.py").write_text("new\n")
    assert "+new" in plain(here.folder, "diff")
    plain(here.folder, "commit", "--quiet", "--all", "-m", "Mine")
    plain(here.folder, "stash", "list")
    plain(here.folder, "gc", "--quiet", "--prune=now")
    # What it has written lies with it; the vault has none of it, and has lost nothing.
    mine = plain(here.folder, "rev-parse", "HEAD")
    assert plain(here.vault, "rev-list", "--all").split() == [here.base]
    assert not (here.vault / "objects" / mine[:2] / mine[2:]).exists()
    plain(here.vault, "fsck", "--strict")


def test_whatever_was_there_is_replaced(tmp_path: Path) -> None:
    here = ground(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_text("x")
    plain(here.folder, "config", "core.pager", "evil")
    here.fresh()
    assert "evil" not in (here.folder / ".git" / "config").read_text()
    plain(here.folder, "branch", "mine")
    (here.folder / ".git").rename(tmp_path / "moved")
    (here.folder / ".git").symlink_to(outside)
    here.fresh()
    assert (outside / "x").exists()
    assert plain(here.folder, "branch", "--format=%(refname:short)") == here.tree.branch
