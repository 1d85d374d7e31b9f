"""Trees that would like to run something: nothing planted runs, and by hand it would have.

Each plants something as an agent could, then everything that a worker does is done with that tree.
A canary tells whether anything ran. The control does with plain git in the tree what our git does,
and there the canary must fire: so each test can tell the difference.
"""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from interlock.worker.forges.history import Push, Remote, fetch_base, push
from interlock.worker.workspace.git import GitFailed, git
from interlock.worker.workspace.trouble import ResetFailed
from tests.worker.workspace.ground import Ground, done, ground, ground_of
from tests.worker.workspace.repositories import GIT, WHO, plain, repository

Plant = Callable[[Ground, Path], None]


def program(place: Path, canary: Path) -> Path:
    """Write a program that tells that it ran, and gives back what it reads."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\necho ran >> '{canary}'\ncat 2>/dev/null\nexit 0\n")
    place.chmod(0o755)
    return place


def everything(here: Ground) -> None:
    """Do all that a worker does with a tree."""
    found = here.look()
    commit = here.base
    if found.tree and found.files:
        commit = done(here.tree.commit(here.base, "Change", found.tree))
        done(here.tree.diff(here.base, commit, 10_000))
    here.fresh(commit)
    assert here.look().is_clean
    if commit != here.base:
        remote = Remote(str(here.there))
        done(fetch_base(done(here.tree.sealed()), remote, "main"))
        made = done(here.tree.squash("All of it", "main"))
        done(push(done(here.tree.sealed()), remote, (Push("refs/heads/x", made.candidate),)))
        here.fresh(made.candidate)
    copy = here.tree.copy(2)
    done(copy.fresh(commit))
    done(copy.look())


def naively(here: Ground) -> None:
    """Do in the tree what somebody would do who believes it."""
    told = {**WHO, "PATH": "/usr/bin:/bin", "HOME": str(here.tree.home)}
    del told["GIT_CONFIG_GLOBAL"]
    for words in (
        ("status",), ("diff",), ("add", "--all"), ("commit", "--quiet", "-m", "x"), ("show",),
        ("checkout", "--quiet", "-b", "y"), ("checkout", "--force", "HEAD~1"),
        ("reset", "--hard", "HEAD@{1}"), ("clean", "-ffd"),
    ):  # fmt: skip
        line = [GIT, "-C", str(here.folder), *words]
        subprocess.run(line, env=told, capture_output=True, check=False, timeout=20)


def hooks(here: Ground, canary: Path) -> None:
    for name in ("pre-commit", "post-checkout", "post-index-change", "reference-transaction"):
        program(here.folder / ".git" / "hooks" / name, canary)


def hooks_path(here: Ground, canary: Path) -> None:
    program(here.folder / "tools" / "post-checkout", canary)
    plain(here.folder, "config", "core.hooksPath", str(here.folder / "tools"))


def fsmonitor(here: Ground, canary: Path) -> None:
    plain(here.folder, "config", "core.fsmonitor", str(program(here.folder / "watch", canary)))


def clean_filter(here: Ground, canary: Path) -> None:
    evil = program(here.folder / "evil", canary)
    for name in ("clean", "smudge"):
        plain(here.folder, "config", f"filter.x.{name}", str(evil))
    (here.folder / ".gitattributes").write_text("*.txt filter=x\n")
    (here.folder / "a.txt").write_text("text\n")


def process_filter(here: Ground, canary: Path) -> None:
    plain(here.folder, "config", "filter.x.process", str(program(here.folder / "evil", canary)))
    (here.folder / ".gitattributes").write_text("* filter=x\n")


def diff_driver(here: Ground, canary: Path) -> None:
    evil = program(here.folder / "evil", canary)
    for name in ("command", "textconv"):
        plain(here.folder, "config", f"diff.x.{name}", str(evil))
    plain(here.folder, "config", "diff.external", str(evil))
    (here.folder / ".gitattributes").write_text("*.py diff=x\n")
    (here.folder / "shop.py").write_text("changed\n")


def nested_repository(here: Ground, canary: Path) -> None:
    nested = repository(here.folder / "nested")
    plain(nested, "config", "core.fsmonitor", str(program(here.folder / "watch", canary)))
    plain(here.folder, "add", "nested")
    plain(here.folder, "commit", "--quiet", "-m", "x")


def submodule(here: Ground, canary: Path) -> None:
    nested_repository(here, canary)
    text = '[submodule "nested"]\n\tpath = nested\n\turl = ./x\n\tupdate = !touch x\n'
    (here.folder / ".gitmodules").write_text(text)


def dot_git_file(here: Ground, canary: Path) -> None:
    other = repository(here.folder.parent / "other")
    plain(other, "config", "core.fsmonitor", str(program(here.folder / "watch", canary)))
    shutil.rmtree(here.folder / ".git")
    (here.folder / ".git").write_text(f"gitdir: {other}/.git\n")


def dot_git_link(here: Ground, canary: Path) -> None:
    dot_git_file(here, canary)
    (here.folder / ".git").unlink()
    (here.folder / ".git").symlink_to(here.folder.parent / "other" / ".git")


def home_configuration(here: Ground, canary: Path) -> None:
    evil = program(here.folder.parent / "evil", canary)
    here.tree.home.mkdir(exist_ok=True)
    (here.tree.home / ".gitconfig").write_text(f"[core]\n\tfsmonitor = {evil}\n")


def included(here: Ground, canary: Path) -> None:
    evil = program(here.folder / "evil", canary)
    (here.folder / "conf").write_text(f"[core]\n\tfsmonitor = {evil}\n")
    plain(here.folder, "config", "include.path", "../conf")


PLANTS: Final[tuple[Plant, ...]] = (
    hooks, hooks_path, fsmonitor, clean_filter, process_filter, diff_driver, nested_repository,
    submodule, dot_git_file, dot_git_link, home_configuration, included,
)  # fmt: skip


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Ground]:
    found = ground(tmp_path, **{"a b.py": "x\n", ".gitignore": "*.o\nbuild/\n"})
    found.fresh()
    yield found
    # Whatever was done there: the repository that it came from is whole, and the vault too.
    plain(found.there, "fsck", "--strict")
    plain(found.vault, "fsck", "--strict")


@pytest.mark.parametrize("plant", PLANTS, ids=lambda one: one.__name__)
def test_nothing_planted_runs(here: Ground, tmp_path: Path, plant: Plant) -> None:
    canary = tmp_path / "canary"
    plant(here, canary)
    canary.unlink(missing_ok=True)  # What has run for whoever has planted it does not count.

    everything(here)
    assert not canary.exists()


@pytest.mark.parametrize("plant", PLANTS, ids=lambda one: one.__name__)
def test_by_hand_it_would_have_run(here: Ground, tmp_path: Path, plant: Plant) -> None:
    canary = tmp_path / "canary"
    plant(here, canary)
    canary.unlink(missing_ok=True)

    naively(here)
    assert canary.exists()


def vault_config(here: Ground, evil: Path) -> None:
    text = f'[core]\n\tfsmonitor = {evil}\n[filter "x"]\n\tclean = {evil}\n\tsmudge = {evil}\n'
    (here.vault / "config").write_text(f"{text}[core]\n\tbare = true\n")
    (here.vault / "info" / "attributes").write_text("* filter=x\n")


def vault_hooks(here: Ground, evil: Path) -> None:
    for name in ("reference-transaction", "post-index-change", "pre-push"):
        (here.vault / "hooks").mkdir(exist_ok=True)
        shutil.copy(evil, here.vault / "hooks" / name)


@pytest.mark.parametrize("plant", [vault_config, vault_hooks], ids=lambda one: one.__name__)
def test_nothing_planted_in_the_vault_runs(here: Ground, tmp_path: Path, plant: Plant) -> None:
    canary = tmp_path / "canary"
    plant(here, program(tmp_path / "evil", canary))
    (here.folder / "new").write_text("new\n")

    everything(here)
    assert not canary.exists()
    # By hand it would have: the same, without setting anew what is ours.
    plant(here, tmp_path / "evil")
    (here.folder / "newer").write_text("newer\n")
    tree = f"--work-tree={here.folder}"
    line = [GIT, f"--git-dir={here.vault}", tree, "add", "--all"]
    subprocess.run(line, check=False, capture_output=True)
    assert canary.exists()


def test_where_an_address_leads_is_not_said_in_the_vault(here: Ground, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    evil = program(tmp_path / "evil", canary)
    url = str(here.there)
    text = f'[core]\n\tgitProxy = {evil}\n[url "git://127.0.0.1:1/"]\n\tinsteadOf = {url}\n'
    (here.vault / "config").write_text(f"{text}[core]\n\tbare = true\n")
    with pytest.raises(GitFailed):
        done(git("fetch", "--quiet", url, folder=here.vault))
    assert canary.exists(), "settings on the command line are not enough"

    canary.unlink()
    done(git("fetch", "--quiet", url, folder=done(here.tree.sealed())))
    (here.vault / "config").write_text(f"{text}[core]\n\tbare = true\n")
    done(push(done(here.tree.sealed()), Remote(url), (Push("refs/heads/x", here.base),)))
    assert not canary.exists()


def test_an_agents_own_commits_and_refs_count_for_nothing(here: Ground) -> None:
    (here.folder / "shop.py").write_text("mine\n")
    plain(here.folder, "commit", "--quiet", "--all", "-m", "By myself")
    plain(here.folder, "update-ref", "refs/heads/main", "HEAD")
    plain(here.folder, "replace", "HEAD", here.base)
    (here.folder / ".git" / "info" / "grafts").write_text(f"{here.base}\n")

    # It is seen as what it is: a changed file; and undone by where the ticket stands.
    assert here.files() == {"shop.py": "modified"}
    assert done(here.tree.head()) == here.base
    here.fresh()
    assert plain(here.folder, "log", "--format=%s") == "Begin"
    assert plain(here.folder, "status", "--porcelain") == ""


def test_a_dirty_index_and_locks_left_behind_are_nobodys(here: Ground) -> None:
    (here.folder / "new").write_text("x\n")
    plain(here.folder, "add", "new")
    (here.folder / "new").unlink()
    (here.folder / ".git" / "index.lock").touch()
    (here.vault / "index.lock").touch()
    assert here.look().is_clean

    (here.folder / "shop.py").write_text("new\n")
    commit = here.commit()
    assert here.in_commit(commit)["shop.py"] == b"new\n"
    here.fresh(commit)
    assert plain(here.folder, "status", "--porcelain") == ""


def test_replaced_and_grafted_in_the_vault_changes_nothing(here: Ground) -> None:
    (here.folder / "shop.py").write_text("evil\n")
    evil = plain(here.folder, "hash-object", "-w", "shop.py")
    good = plain(here.folder, "rev-parse", "HEAD:shop.py")
    shutil.copytree(here.folder / ".git" / "objects", here.vault / "objects", dirs_exist_ok=True)
    (here.vault / "objects" / "info" / "alternates").write_text("/nowhere\n")
    plain(here.vault, "update-ref", f"refs/replace/{good}", evil)
    (here.vault / "info" / "grafts").write_text(f"{here.base}\n")

    here.fresh()
    assert (here.folder / "shop.py").read_text() == "def sell(): ...\n"
    assert here.look().is_clean


def test_a_deleted_tree_is_told_and_made_again(here: Ground) -> None:
    shutil.rmtree(here.folder)
    assert "is gone" in here.refused()[""]
    here.fresh()
    assert here.look().is_clean
    shutil.rmtree(here.folder / ".git")
    assert here.look().is_clean
    here.fresh()
    assert plain(here.folder, "rev-parse", "--abbrev-ref", "HEAD") == here.tree.branch


def test_a_tree_that_has_become_a_link_is_not_followed(here: Ground, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    here.folder.rename(here.folder.with_name("moved"))
    here.folder.symlink_to(outside)

    assert "is a link" in here.refused()[""]
    here.fresh()
    assert not here.folder.is_symlink()
    assert [one.name for one in outside.iterdir()] == ["precious"]
    assert here.look().is_clean


def test_documents_that_have_become_a_link_are_not_followed(here: Ground, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (here.folder / ".ticket").symlink_to(outside)
    assert here.look().is_clean
    here.fresh()
    assert not (here.folder / ".ticket").is_symlink()

    (here.folder / ".ticket").mkdir()
    (here.folder / ".ticket" / "prd.md").write_text("x")
    here.fresh()
    assert (here.folder / ".ticket" / "prd.md").exists()
    assert here.look().is_clean


def test_what_lies_beside_the_tree_and_has_become_a_link_is_not_followed(
    here: Ground, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    for folder in (here.tree.home, here.tree.runtime):
        shutil.rmtree(folder)
        folder.symlink_to(outside)
    here.fresh()
    assert not here.tree.home.is_symlink()
    assert not here.tree.runtime.is_symlink()
    assert list(outside.iterdir()) == []

    moved = here.vault.rename(tmp_path / "vault.git")
    here.vault.symlink_to(moved)
    with pytest.raises(ResetFailed, match="no working tree"):
        here.fresh()
    here.vault.unlink()
    moved.rename(here.vault)


def test_modules_of_the_repository_stay_what_they_were(tmp_path: Path) -> None:
    there, other = repository(tmp_path / "there"), repository(tmp_path / "other")
    plain(there, "-c", "protocol.file.allow=always", "submodule", "add", str(other), "sub")
    plain(there, "commit", "--quiet", "-m", "A module")
    here = ground_of(tmp_path, there)
    here.fresh()
    assert here.look().is_clean
    assert (here.folder / "sub").is_dir()

    (here.folder / "sub" / "x").write_text("x")
    assert "another repository" in here.refused()["sub"]
    here.fresh()
    assert list((here.folder / "sub").iterdir()) == []
    (here.folder / "shop.py").write_text("new\n")
    commit = here.commit()
    link = plain(here.vault, "rev-parse", f"{here.base}:sub")
    assert plain(here.vault, "rev-parse", f"{commit}:sub") == link
