"""Filters of a repository: none is run, and what they would have changed is told."""

from pathlib import Path

from interlock.worker.workspace.filters import filtered
from interlock.worker.workspace.vault import Vault
from tests.worker.workspace.ground import done, ground


def test_what_a_filter_would_have_changed_is_told(tmp_path: Path) -> None:
    here = ground(tmp_path, **{".gitattributes": "*.bin filter=lfs\n*.x filter\n*.y -filter\n"})
    for name in ("a.bin", "b.x", "c.y", "d"):
        (here.folder / name).write_text("content")
    (here.folder / "p.bin").write_text("version https://git-lfs.github.com/spec/v1\n")
    (here.folder / "l.bin").symlink_to("a.bin")
    names = ["a.bin", "b.x", "c.y", "d", "p.bin", "gone.bin", "l.bin"]
    found = done(filtered(Vault(here.vault), here.folder, names))
    assert [path for path, _ in found] == ["a.bin", "l.bin"]
    assert done(filtered(Vault(here.vault), here.folder, [])) == []
