"""Working trees: made once, kept when they are there, and never half."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from interlock.worker.workspace.clone import NoWorkspace, Origin, Workspace, make_workspace
from tests.worker.shop import wait_for
from tests.worker.workspace.repositories import GIT, plain, repository

TICKET = "ticket-0123456789ab"


def make(room: Path, repository: Path | str, base: str = "main", name: str = TICKET) -> Workspace:
    return asyncio.run(make_workspace(room, name, Origin(str(repository), base)))


def refused(room: Path, repository: Path | str, base: str = "main", name: str = TICKET) -> str:
    with pytest.raises(NoWorkspace) as no:
        make(room, repository, base, name)
    return str(no.value)


def test_a_ticket_has_a_clone_of_its_own_on_its_branch(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    made = make(tmp_path / "room", there)

    assert made.folder == tmp_path / "room" / TICKET
    assert made.branch == f"interlock/{TICKET}"
    assert made.base_commit == plain(there, "rev-parse", "main")
    assert (made.folder / "shop.py").read_text() == "def sell(): ...\n"
    assert plain(made.folder, "rev-parse", "--abbrev-ref", "HEAD") == made.branch
    assert plain(made.folder, "status", "--porcelain") == ""
    # It shares nothing: neither objects nor configuration nor a list of working trees.
    assert not (made.folder / ".git" / "objects" / "info" / "alternates").exists()
    assert plain(there, "worktree", "list").count("\n") == 0
    assert not list((made.folder / ".git").glob("hooks/*"))


def test_one_that_is_there_is_kept_with_all_that_was_done_in_it(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    first = make(tmp_path / "room", there)
    (first.folder / "notes").write_text("mine")
    (there / "more").write_text("later")
    plain(there, "add", "--all")
    plain(there, "commit", "--quiet", "--message", "Later")

    assert make(tmp_path / "room", there) == first
    assert (first.folder / "notes").read_text() == "mine"


def test_what_a_crash_has_left_is_not_taken_for_a_working_tree(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    half = tmp_path / "room" / f"{TICKET}.making-1"
    half.mkdir(parents=True)
    (half / "shop.py").write_text("half of it")

    made = make(tmp_path / "room", there)
    assert (made.folder / "shop.py").read_text() == "def sell(): ...\n"
    assert not half.exists()


def test_a_git_that_outlives_its_worker_does_no_harm(
    tmp_path: Path,
) -> None:
    there = repository(tmp_path / "there")
    room, own = tmp_path / "room", tmp_path / "own"
    own.mkdir()
    # Its transport hangs, so it is still there when the next worker comes; then it fails, and
    # removes what it has begun.
    room.mkdir()
    begun = room / f"{TICKET}.making-0"
    line = [GIT, "clone", "--quiet", "--upload-pack", f"{own}/wait;false", str(there), str(begun)]
    (own / "wait").write_text(f"#!/bin/sh\nwhile [ ! -e {tmp_path}/go ]; do sleep 0.05; done\n")
    (own / "wait").chmod(0o755)
    with subprocess.Popen(line, stderr=subprocess.DEVNULL) as orphan:
        wait_for(begun.exists)
        made = make(room, there)
        (tmp_path / "go").touch()
        assert orphan.wait() != 0

    assert plain(made.folder, "status", "--porcelain") == ""
    assert [one.name for one in room.iterdir() if one.is_dir()] == [TICKET]


def test_two_at_once_make_one(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")

    async def story() -> list[Workspace]:
        origin = Origin(str(there), "main")
        return await asyncio.gather(
            *(make_workspace(tmp_path / "room", TICKET, origin) for _ in range(2))
        )

    first, second = asyncio.run(story())
    assert first == second


def test_what_is_there_but_is_not_the_tickets_is_left_alone(tmp_path: Path) -> None:
    there, other = repository(tmp_path / "there"), repository(tmp_path / "other")
    room = tmp_path / "room"
    made = make(room, there)

    assert "cloned from another repository" in refused(room, other)
    plain(made.folder, "checkout", "--quiet", "-b", "elsewhere")
    assert f"not on the branch interlock/{TICKET}" in refused(room, there)
    (room / "ticket-b").mkdir()
    assert "move it away, and retry" in refused(room, there, name="ticket-b")
    # Inside of another repository: what git finds above is not this one.
    plain(tmp_path, "init", "--quiet")
    assert "folder ticket-b already" in refused(room, there, name="ticket-b")


def test_a_repository_that_cannot_be_had_is_said_to_be_so(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    room = tmp_path / "room"

    assert "cannot be reached from this worker" in refused(room, tmp_path / "nowhere")
    assert "has no branch 'trunk'" in refused(room, there, "trunk")
    # A pattern of git's matches the end of a name; a branch is named by all of it.
    plain(there, "branch", "a/refs/heads/b")
    assert "has no branch 'b'" in refused(room, there, "b")
    plain(there, "tag", "v1")
    assert "has no branch 'v1'" in refused(room, there, "v1")
    empty = tmp_path / "empty"
    empty.mkdir()
    plain(empty, "init", "--quiet")
    assert "has no branch 'main'" in refused(room, empty)
    assert not [one for one in room.iterdir() if one.is_dir()]


@pytest.mark.parametrize("name", ["../up", "ticket", "ticket-a/b", "-x", "", "ticket-\n"])
def test_a_name_is_never_a_way_out(tmp_path: Path, name: str) -> None:
    assert "no name of a ticket" in refused(tmp_path / "room", "/x", name=name)


@pytest.mark.parametrize("base", ["--upload-pack=x", "-b", "a..b", "", "a b", "a\nb"])
def test_a_branch_is_never_an_option(tmp_path: Path, base: str) -> None:
    assert "no name of a branch" in refused(tmp_path / "room", "/x", base)


def test_a_repository_is_never_an_option_nor_a_program(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    room = tmp_path / "room"

    assert "names no repository" in refused(room, f"--upload-pack=touch {mark}")
    assert "cannot be reached" in refused(room, f"ext::sh -c touch% {mark}")
    assert not mark.exists()


def test_paths_may_have_spaces_and_even_lines(tmp_path: Path) -> None:
    there = repository(tmp_path / "a place\nwith lines", **{"a b\nc": "x"})
    made = make(tmp_path / "a room", there)

    assert (made.folder / "a b\nc").read_text() == "x"
    assert make(tmp_path / "a room", there) == made
