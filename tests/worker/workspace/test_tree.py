"""Working trees: made once, kept when they are there, never half, and one worker at a time."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from interlock.worker.workspace import git as git_module
from interlock.worker.workspace.git import Ended, GitFailed, Run
from interlock.worker.workspace.look import Look
from interlock.worker.workspace.origin import Origin
from interlock.worker.workspace.tree import Tree
from interlock.worker.workspace.trouble import CommitFailed, NoWorkspace, ResetFailed
from tests.worker.shop import wait_for
from tests.worker.workspace.ground import (
    TICKET,
    committed,
    contents_in,
    done,
    gathered,
    ground,
    ground_of,
)
from tests.worker.workspace.repositories import GIT, plain, repository


def make(room: Path, repository: Path | str, base: str = "main", name: str = TICKET) -> str:
    return done(Tree(room, name).make(Origin(str(repository), base)))


def refused(room: Path, repository: Path | str, base: str = "main", name: str = TICKET) -> str:
    with pytest.raises(NoWorkspace) as no:
        make(room, repository, base, name)
    return str(no.value)


def test_a_ticket_has_a_vault_and_a_tree_on_its_branch(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    tree = Tree(tmp_path / "room", TICKET)
    base = done(tree.make(Origin(str(there), "main")))

    assert base == plain(there, "rev-parse", "main")
    assert tree.folder == tmp_path / "room" / TICKET / "tree"
    assert tree.branch == f"interlock/{TICKET}"
    assert (tree.folder / "shop.py").read_text() == "def sell(): ...\n"
    # For whoever works there it is a repository as any other.
    assert plain(tree.folder, "rev-parse", "--abbrev-ref", "HEAD") == tree.branch
    assert plain(tree.folder, "status", "--porcelain") == ""
    assert plain(tree.folder, "log", "--format=%s") == "Begin"
    plain(tree.folder, "fsck", "--strict")
    # The vault shares nothing with where it came from.
    assert not (tree.place.vault / "objects" / "info" / "alternates").exists()
    assert plain(there, "worktree", "list").count("\n") == 0
    assert plain(tree.place.vault, "rev-parse", tree.branch) == base
    assert oct((tmp_path / "room" / TICKET).stat().st_mode)[-3:] == "700"


def test_asking_twice_changes_nothing(tmp_path: Path) -> None:
    here = ground(tmp_path)
    (here.folder / "notes").write_text("mine")
    (here.there / "more").write_text("later")
    committed(here.there)

    assert make(here.site.room, here.there) == here.base
    assert (here.folder / "notes").read_text() == "mine"


def test_what_a_crash_has_left_is_not_taken_for_a_working_tree(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    half = tmp_path / "room" / f"{TICKET}.making-1"
    half.mkdir(parents=True)
    (half / "shop.py").write_text("half of it")
    make(tmp_path / "room", there)
    assert not half.exists()


def test_a_git_that_outlives_its_worker_does_no_harm(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    room, own = tmp_path / "room", tmp_path / "own"
    own.mkdir()
    room.mkdir()
    # Its transport hangs, so it is still there when the next worker comes; then it fails.
    begun = room / f"{TICKET}.making-0"
    line = [GIT, "clone", "--quiet", "--upload-pack", f"{own}/wait;false", str(there), str(begun)]
    (own / "wait").write_text(f"#!/bin/sh\nwhile [ ! -e {tmp_path}/go ]; do sleep 0.05; done\n")
    (own / "wait").chmod(0o755)
    with subprocess.Popen(line, stderr=subprocess.DEVNULL) as orphan:
        wait_for(begun.exists)
        make(room, there)
        (tmp_path / "go").touch()
        assert orphan.wait() != 0
    tree = Tree(room, TICKET)
    assert plain(tree.folder, "status", "--porcelain") == ""
    assert [one.name for one in room.iterdir() if one.name != ".locks"] == [TICKET]


def test_two_at_once_make_one(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    origin = Origin(str(there), "main")
    first, second = gathered(*(Tree(tmp_path / "room", TICKET).make(origin) for _ in range(2)))
    assert first == second


def test_what_is_there_but_is_not_the_tickets_is_left_alone(tmp_path: Path) -> None:
    here = ground(tmp_path)
    room, other = here.site.room, repository(tmp_path / "other")
    assert "from another repository" in refused(room, other)
    (room / "ticket-b").mkdir()
    assert "move it away, and retry" in refused(room, here.there, name="ticket-b")
    told = json.loads(here.tree.place.about.read_text())
    here.tree.place.about.write_text(json.dumps({**told, "base_commit": "0" * 40}))
    assert "its vault is not whole" in refused(room, here.there)


def test_a_repository_that_cannot_be_had_is_said_to_be_so(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    room = tmp_path / "room"
    assert "cannot be reached from this worker" in refused(room, tmp_path / "nowhere")
    assert "has no branch 'trunk'" in refused(room, there, "trunk")
    assert [one.name for one in room.iterdir()] == [".locks"]


@pytest.mark.parametrize("name", ["../up", "ticket", "ticket-a/b", "-x", "", "ticket-\n"])
def test_a_name_is_never_a_way_out(tmp_path: Path, name: str) -> None:
    assert "no name of a ticket" in refused(tmp_path / "room", "/x", name=name)


def test_paths_may_have_spaces_and_even_lines(tmp_path: Path) -> None:
    there = repository(tmp_path / "a place\nwith lines", **{"a b\nc": "x"})
    here = ground_of(tmp_path / "a room", there)
    here.fresh()
    assert (here.folder / "a b\nc").read_text() == "x"
    (here.folder / "a b\nc").write_text("y")
    assert here.in_commit(here.commit())["a b\nc"] == b"y"


def test_a_commit_is_made_only_where_the_tree_stands(tmp_path: Path) -> None:
    here = ground(tmp_path)
    here.fresh()
    (here.folder / "shop.py").write_text("1\n")
    found = here.look()
    first = done(here.tree.commit(here.base, "One", found.tree))
    with pytest.raises(CommitFailed, match=f"is at {first[:12]}, not at {here.base[:12]}"):
        done(here.tree.commit(here.base, "Two", found.tree))
    assert done(here.tree.head()) == first

    # Or in two moves: the commit first, where it stands when somebody has taken it.
    other = done(here.tree.written(first, "Three", found.tree))
    assert done(here.tree.head()) == first
    done(here.tree.move(first, other))
    done(here.tree.move(first, other))
    assert done(here.tree.head()) == other
    with pytest.raises(CommitFailed):
        done(here.tree.move(first, here.base))
    with pytest.raises(CommitFailed):
        done(here.tree.commit(other, "Four", "0" * 40))


@pytest.mark.parametrize("commit", ["", "HEAD", "--help", "0" * 40, "main", "0" * 39])
def test_a_tree_is_not_reset_to_what_is_no_commit(tmp_path: Path, commit: str) -> None:
    here = ground(tmp_path)
    with pytest.raises(ResetFailed):
        done(here.tree.fresh(commit))
    assert done(here.tree.head()) == here.base


def test_without_a_tree_that_is_said(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "room", TICKET)
    with pytest.raises(ResetFailed, match="no working tree of"):
        done(tree.fresh("0" * 40))
    with pytest.raises(CommitFailed, match="no working tree of"):
        done(tree.look())
    with pytest.raises(NoWorkspace):
        done(tree.head())


def test_a_copy_has_what_was_prepared_and_a_place_of_its_own(tmp_path: Path) -> None:
    here = ground(tmp_path, **{".gitignore": "build/\n"})
    here.fresh()
    (here.folder / "build").mkdir()
    (here.folder / "build" / "env").write_text("prepared")
    os.mkfifo(here.folder / "build" / "pipe")
    (here.folder / "half").write_text("left by somebody")
    first, second = here.tree.copy(1), here.tree.copy(2)
    gathered(first.fresh(here.base), second.fresh(here.base))

    assert first.folder == here.tree.place.folder / "trees" / "1"
    assert contents_in(first.folder) == {
        ".gitignore": b"build/\n", "build/env": b"prepared", "shop.py": b"def sell(): ...\n",
    }  # fmt: skip
    (first.folder / "a").write_text("a\n")
    (second.folder / "b").write_text("b\n")
    looks = gathered(first.look(), second.look())
    assert [[one.path for one in found.files] for found in looks] == [["a"], ["b"]]
    commits = gathered(
        *(
            one.commit(here.base, one.branch, found.tree)
            for one, found in zip((first, second), looks, strict=True)
        )
    )
    # Where the ticket stands has not moved; one after the other is put there.
    assert done(here.tree.head()) == here.base
    assert done(here.tree.onto(here.base, commits[0], "A")) == commits[0]
    both = done(here.tree.onto(commits[0], commits[1], "B"))
    assert sorted(here.in_commit(both)) == [".gitignore", "a", "b", "shop.py"]
    assert plain(here.vault, "rev-list", "--count", f"{here.base}..{both}") == "2"
    done(first.remove())
    assert not first.folder.exists()
    assert here.folder.exists()


def test_removing_takes_all_of_it_and_nothing_else(tmp_path: Path) -> None:
    here = ground(tmp_path)
    (here.folder / "link").symlink_to(here.there)
    done(here.tree.remove())
    done(here.tree.remove())
    assert not here.tree.place.folder.exists()
    assert (here.there / "shop.py").exists()


def test_one_waits_for_another_even_for_the_git_of_a_dead_one(tmp_path: Path) -> None:
    here = ground(tmp_path)
    holder = (
        "import fcntl, os, subprocess, sys\n"
        "lock = os.open(sys.argv[1], os.O_RDWR)\n"
        "fcntl.flock(lock, fcntl.LOCK_EX)\n"
        "subprocess.Popen(['sleep', '0.7'], pass_fds=(lock,), stdout=subprocess.DEVNULL)\n"
    )
    lock = here.site.room / ".locks" / TICKET
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", holder, str(lock)], check=True)
    here.fresh()
    assert time.monotonic() - begun > 0.6


def test_a_small_change_takes_few_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ground(tmp_path)
    called = failing(monkeypatch, 0)

    async def attempt() -> None:
        await here.tree.fresh(here.base)
        (here.folder / "shop.py").write_text("new\n")
        found = await here.tree.look()
        await here.tree.commit(here.base, "Change", found.tree)

    done(attempt())
    assert len(called) == 14


def test_cancelled_is_ended_and_leaves_nothing_locked(tmp_path: Path) -> None:
    here = ground(tmp_path)

    async def story() -> None:
        for _ in range(10):
            running = asyncio.create_task(here.tree.fresh(here.base))
            await asyncio.sleep(0.004 * (_ + 1))
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        await here.tree.fresh(here.base)

    done(story())
    assert here.look().is_clean


def failing(monkeypatch: pytest.MonkeyPatch, nth: int) -> list[str]:
    """Let one of the next calls of git fail; return what is called, as it comes."""
    real = git_module._run
    called: list[str] = []

    async def run(line: Sequence[str], how: Run) -> Ended:
        called.append(" ".join(line))
        if len(called) == nth:
            return Ended(128, b"", b"fatal: no space left")
        return await real(line, how)

    monkeypatch.setattr(git_module, "_run", run)
    return called


@pytest.mark.parametrize("nth", range(1, 8))
def test_whatever_call_of_git_fails_in_looking_nothing_is_taken_for_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    here = ground(tmp_path)
    here.fresh()
    (here.folder / "shop.py").write_text("1\n")
    before = contents_in(here.folder)
    called = failing(monkeypatch, nth)
    try:
        found = here.look()
    except CommitFailed:
        found = Look("")
    assert len(called) >= nth
    assert found.tree == ""
    monkeypatch.undo()
    assert contents_in(here.folder) == before
    assert here.files() == {"shop.py": "modified"}


@pytest.mark.parametrize("nth", range(1, 6))
def test_whatever_call_of_git_fails_in_resetting_it_is_said_and_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    here = ground(tmp_path)
    here.fresh()
    (here.folder / "shop.py").write_text("1\n")
    called = failing(monkeypatch, nth)
    try:
        here.fresh()
    except ResetFailed as failed:
        said = str(failed)
    else:
        said = "no space left: it was done with another index"
        assert nth == 1
    assert "no space left" in said
    assert len(called) >= nth
    monkeypatch.undo()
    here.fresh()
    assert here.look().is_clean


def test_git_failed_is_no_crash(tmp_path: Path) -> None:
    here = ground(tmp_path)
    with pytest.raises(CommitFailed, match="cannot be shown"):
        done(here.tree.diff(here.base, "0" * 40, 10))
    assert isinstance(GitFailed(1, "x"), Exception)
