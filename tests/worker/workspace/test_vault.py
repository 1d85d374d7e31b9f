"""The vault: what has no place in it is removed, what is ours is set anew, before each use."""

import os
from pathlib import Path

import pytest

from interlock.worker.workspace.git import GitFailed
from interlock.worker.workspace.vault import NEVER, OURS, Vault, copy_index
from tests.worker.workspace.ground import done, ground
from tests.worker.workspace.repositories import plain


def test_an_empty_one_is_a_repository(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "vault.git")
    vault.make("interlock/x")
    assert plain(vault.folder, "rev-parse", "--is-bare-repository") == "true"
    assert plain(vault.folder, "symbolic-ref", "HEAD") == "refs/heads/interlock/x"
    plain(vault.folder, "fsck")


def test_what_has_no_place_there_goes_and_what_is_ours_comes_back(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "vault.git")
    vault.make("x")
    outside = tmp_path / "outside"
    outside.write_text("precious")
    for name in NEVER:
        (vault.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (vault.folder / name).symlink_to(outside)
    (vault.folder / "config").unlink()
    (vault.folder / "config").symlink_to(outside)
    (vault.folder / "info" / "attributes").write_text("* filter=x\n")
    (vault.folder / "info" / "exclude").unlink()
    (vault.folder / "info" / "exclude").mkdir()

    (vault.folder / "HEAD").write_text("ref: ../../etc/passwd\n")
    vault.seal("x")
    assert (vault.folder / "HEAD").read_text() == "ref: refs/heads/x\n"
    for name in NEVER:
        assert not (vault.folder / name).is_symlink()
    for name, content in OURS.items():
        assert (vault.folder / name).read_text() == content
    assert outside.read_text() == "precious"


def test_a_ref_is_moved_from_where_it_is(tmp_path: Path) -> None:
    here = ground(tmp_path)
    vault = Vault(here.vault)
    done(vault.move("refs/interlock/x", here.base))
    assert done(vault.commit_at("refs/interlock/x")) == here.base
    assert done(vault.commit_at("refs/interlock/y")) == ""
    with pytest.raises(GitFailed):
        done(vault.move("refs/interlock/x", here.base, "0" * 39 + "1"))


def test_the_copy_of_an_index_is_as_old_as_the_index(tmp_path: Path) -> None:
    index = tmp_path / "index"
    index.write_bytes(b"DIRC")
    os.utime(index, ns=(1, 1_000_000_007))
    copy_index(index, tmp_path / "copy")

    assert (tmp_path / "copy").read_bytes() == b"DIRC"
    assert (tmp_path / "copy").stat().st_mtime_ns == 1_000_000_007
