"""Looking at a tree: what was changed is told, what may not be committed is refused with why."""

import os
import shutil
import socket
import subprocess
from pathlib import Path
from shutil import which

import pytest

from interlock.worker.workspace.look import Limits
from tests.worker.workspace.ground import (
    TICKET,
    Ground,
    contents_in,
    done,
    ground,
    ground_of,
)
from tests.worker.workspace.repositories import plain, repository
from tests.worker.workspace.test_removal import deepen

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


@pytest.fixture
def here(tmp_path: Path) -> Ground:
    found = ground(tmp_path, **{"b.txt": "one\ntwo\n", ".gitignore": "*.o\nbuild/\n"})
    found.fresh()
    return found


def test_what_was_changed_is_told_and_nothing_changes_by_looking(here: Ground) -> None:
    (here.folder / "shop.py").write_text("def sell(): return 1\n")
    (here.folder / "new" / "deep").mkdir(parents=True)
    (here.folder / "new" / "deep" / "x").write_text("1\n2\n3\n")
    (here.folder / "b.txt").unlink()
    (here.folder / "build").mkdir()
    (here.folder / "build" / "x.o").write_text("ignored")
    before = contents_in(here.folder)

    first = here.look()
    assert {one.path: tuple(one)[1:4] for one in first.files} == {
        "b.txt": ("deleted", 0, 2),
        "new/deep/x": ("added", 3, 0),
        "shop.py": ("modified", 1, 1),
    }
    assert first.refused == ()
    assert first.head == here.base
    assert here.look() == first
    assert contents_in(here.folder) == before
    assert done(here.tree.head()) == here.base

    commit = here.commit("bead(x): Sell")
    assert here.look().is_clean
    assert sorted(here.in_commit(commit)) == [".gitignore", "new/deep/x", "shop.py"]
    assert plain(here.vault, "log", "-1", "--format=%s %an", commit) == "bead(x): Sell Interlock"
    assert first.files[0].told() == {
        "path": "b.txt", "status": "deleted", "added": 0, "removed": 2,
    }  # fmt: skip


def test_modes_and_kinds_are_changes_too(here: Ground) -> None:
    (here.folder / "shop.py").chmod(0o755)
    (here.folder / "b.txt").unlink()
    (here.folder / "b.txt").mkdir()
    (here.folder / "b.txt" / "x").write_text("x")
    (here.folder / "immodest").write_text("x")
    (here.folder / "immodest").chmod(0o6777)
    assert here.files() == {
        "b.txt": "deleted", "b.txt/x": "added", "immodest": "added", "shop.py": "modified",
    }  # fmt: skip
    commit = here.commit()
    modes = plain(here.vault, "ls-tree", "-r", "--format=%(objectmode) %(path)", commit)
    assert "100755 shop.py" in modes
    assert "100755 immodest" in modes


def test_names_that_look_like_options_are_only_names(here: Ground) -> None:
    names = ["-rf", "--upload-pack=x", "--all", ":(top)x", "*", "[a]", "a b", "!x", "#y", "ü"]
    for name in names:
        (here.folder / name).write_text(name)
    commit = here.commit()
    found = here.in_commit(commit)
    assert {name: found[name] for name in names} == {name: name.encode() for name in names}
    (here.folder / "*").unlink()
    assert here.files() == {"*": "deleted"}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a\nb", "control characters"),
        ("a\x1b[31m", "control characters"),
        (os.fsdecode(b"a\xff"), "not UTF-8"),
        ("a\u202eb", "cannot be seen"),
        (".GIT", "taken for .git"), (".git.", "taken for .git"), ("git~1", "taken for .git"),
        (".g\u200cit", "taken for .git"), ("sub/.Git", "taken for .git"),
        ("SHOP.py", "differs from shop.py"),
        ("Sub/x", "upper and lower case alone"),
    ],
)  # fmt: skip
def test_names_that_others_misread_are_refused(here: Ground, name: str, why: str) -> None:
    (here.folder / "sub").mkdir()
    (here.folder / "sub" / "y").write_text("y")
    path = here.folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("x")

    refused = here.refused()
    assert any(
        why.replace("taken", "take its name").split(" ")[-1] in one for one in refused.values()
    )
    assert name in refused
    assert here.look().tree == ""
    for one in here.look().refused:
        str(one.told()["path"]).encode()
    here.fresh()
    assert here.look().is_clean
    assert not path.exists() or path.samefile(here.folder / "shop.py")


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../x", "sub/../../x", "..", ".git/config", ".GIT/x", ".ticket/x"]
)
def test_links_that_lead_out_are_refused(here: Ground, target: str) -> None:
    (here.folder / "link").symlink_to(target)
    assert "leads out of the tree" in here.refused()["link"]


def test_links_within_are_files_as_any_other(here: Ground) -> None:
    (here.folder / "sub").mkdir()
    (here.folder / "sub" / "link").symlink_to("../shop.py")
    commit = here.commit()
    assert here.in_commit(commit)["sub/link"] == b"../shop.py"
    (here.folder / ".gitattributes").symlink_to("shop.py")
    assert "it is a link" in here.refused()[".gitattributes"]


def test_a_folder_that_has_become_a_link_does_not_hide_what_is_gone(
    tmp_path: Path,
) -> None:
    there = repository(tmp_path / "there")
    (there / "d").mkdir()
    (there / "d" / "f").write_text("x\n")
    plain(there, "add", "--all")
    plain(there, "commit", "--quiet", "-m", "More")
    here = ground_of(tmp_path, there)
    here.fresh()
    (here.folder / "d").rename(here.folder / "e")
    (here.folder / "d").symlink_to("e")

    commit = here.commit()
    assert here.in_commit(commit) == {"shop.py": b"def sell(): ...\n", "e/f": b"x\n", "d": b"e"}
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f").write_text("x\n")
    here.fresh()
    shutil.rmtree(here.folder / "d")
    (here.folder / "d").symlink_to(outside)
    assert "leads out" in here.refused()["d"]
    here.fresh()
    assert (outside / "f").read_text() == "x\n"


def test_what_is_no_file_is_refused_unless_it_is_ignored(here: Ground) -> None:
    os.mkfifo(here.folder / "pipe")
    (here.folder / "build").mkdir()
    os.mkfifo(here.folder / "build" / "pipe")
    with socket.socket(socket.AF_UNIX) as one:
        old = Path.cwd()
        os.chdir(here.folder)
        one.bind("talk")
        os.chdir(old)
    assert here.refused() == {
        "pipe": "It is a pipe, and no file.",
        "talk": "It is a socket, and no file.",
    }
    here.fresh()
    assert here.look().is_clean
    assert (here.folder / "build" / "pipe").exists()
    assert not (here.folder / "pipe").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_devices_are_refused(here: Ground) -> None:
    done_with = subprocess.run(
        [which("mknod") or "mknod", str(here.folder / "null"), "c", "1", "3"],
        check=False,
        capture_output=True,
    )
    if done_with.returncode:
        pytest.skip("no device can be made here")
    assert here.refused() == {"null": "It is a device, and no file."}


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", "sub/.gitattributes"])
def test_git_never_waits_at_a_pipe(here: Ground, name: str) -> None:
    path = here.folder / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert "it is no file" in here.refused()[name]
    here.fresh()
    assert here.look().is_clean


def test_a_repository_in_the_tree_is_refused_wherever_it_is(tmp_path: Path) -> None:
    here = ground(tmp_path, **{".gitignore": "build/\n"})
    here.fresh()
    for name in ("one", "build", "a/b"):
        repository(here.folder / name)
    (here.folder / "c").mkdir()
    (here.folder / "c" / ".git").write_text("gitdir: /etc\n")
    plain(here.folder, "init", "--quiet", "--bare", "d.git")

    refused = here.refused()
    assert {"one/.git", "a/b/.git", "c/.git"} <= set(refused)
    assert all("another repository" in refused[name] for name in ("one/.git", "a/b/.git"))
    assert not any(name.startswith("build") for name in refused)
    here.fresh()
    assert here.look().is_clean
    assert sorted(one.name for one in here.folder.iterdir()) == [
        ".git", ".gitignore", "build", "shop.py",
    ]  # fmt: skip


def test_a_repository_put_over_a_tracked_folder_is_refused(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    (there / "src").mkdir()
    (there / "src" / "x").write_text("x")
    plain(there, "add", "--all")
    plain(there, "commit", "--quiet", "-m", "More")
    here = ground_of(tmp_path, there)
    here.fresh()
    plain(here.folder / "src", "init", "--quiet")
    (here.folder / "src" / "x").write_text("y")

    assert "another repository" in here.refused()["src/.git"]
    here.fresh()
    assert not (here.folder / "src" / ".git").exists()
    assert here.look().is_clean


def test_what_is_too_large_is_refused_with_its_size(here: Ground) -> None:
    with (here.folder / "huge").open("wb") as out:
        out.truncate(50_000_000_000)
    assert here.refused() == {
        "huge": "It has 50,000,000,000 bytes; at most 100,000 may be.",
        "": "It is 50,000,000,000 bytes in all; at most 300,000 may be.",
    }
    (here.folder / "huge").unlink()
    for number in range(4):
        (here.folder / f"large{number}").write_bytes(b"x" * 90_000)
    assert here.refused() == {"": "It is 360,000 bytes in all; at most 300,000 may be."}
    assert here.look().tree == ""


@pytest.mark.parametrize("count", [2_000, 100_000])
def test_very_many_files_are_refused_soon(
    here: Ground, request: pytest.FixtureRequest, count: int
) -> None:
    if count > 2_000 and not request.config.getoption("--long", default=False):
        pytest.skip("it takes a while to make so many; runs with --long")
    for number in range(count // 1000):
        (here.folder / f"d{number}").mkdir()
        for other in range(1000):
            os.mknod(here.folder / f"d{number}" / str(other))
    assert here.refused() == {"": f"{count:,} files were changed; at most 500 may be."}
    here.fresh()
    assert here.look().is_clean


def test_many_that_are_refused_are_told_as_some_and_a_number(here: Ground) -> None:
    for number in range(150):
        (here.folder / f"x{number}\n").write_text("x")
    refused = here.look().refused
    assert len(refused) == 101
    assert refused[-1].why == "And 50 more."


def test_bytes_are_taken_as_they_are(tmp_path: Path) -> None:
    rules = "*.txt text eol=crlf\n*.id ident\n*.u working-tree-encoding=UTF-16\n"
    here = ground(tmp_path, **{".gitattributes": rules, "a.txt": "one\ntwo\n"})
    here.fresh()
    assert (here.folder / "a.txt").read_bytes() == b"one\ntwo\n"
    said = {
        "b.txt": b"1\r\n2\r\n",
        "c.id": b"$Id: x $\n",
        "d.u": b"\xff\xfea\x00",
        "e.txt": b"\r\n\n",
    }
    for name, content in said.items():
        (here.folder / name).write_bytes(content)
    commit = here.commit()
    assert {name: here.in_commit(commit)[name] for name in said} == said
    here.fresh(commit)
    assert contents_in(here.folder) == here.in_commit(commit)


def test_pointers_of_lfs_stay_pointers(tmp_path: Path) -> None:
    rules = "*.bin filter=lfs diff=lfs merge=lfs -text\n*.secret filter=crypt\n"
    here = ground(tmp_path, **{".gitattributes": rules, "a.bin": POINTER, "old.secret": "x"})
    here.fresh()
    (here.folder / "b.bin").write_text(POINTER)
    (here.folder / "old.secret").unlink()
    assert here.refused() == {}

    (here.folder / "a.bin").write_bytes(b"\0" * 100)
    (here.folder / "c.secret").write_text("x")
    refused = here.refused()
    assert set(refused) == {"a.bin", "c.secret"}
    assert "filter 'lfs', which is not run here" in refused["a.bin"]


def test_configuration_of_agents_is_out_of_the_tree_and_in_the_commit(tmp_path: Path) -> None:
    there = repository(tmp_path / "there", **{".mcp.json": "{}", "CLAUDE.md": "Be kind.\n"})
    (there / ".claude").mkdir()
    (there / ".claude" / "settings.json").write_text('{"hooks": 1}')
    plain(there, "add", "--all")
    plain(there, "commit", "--quiet", "-m", "More")
    here = ground_of(tmp_path, there)
    here.fresh()
    assert sorted(one.name for one in here.folder.iterdir()) == [".git", "CLAUDE.md", "shop.py"]
    assert here.look().is_clean
    assert plain(here.folder, "status", "--porcelain") == ""

    (here.folder / ".mcp.json").write_text("evil")
    (here.folder / ".claude").mkdir()
    (here.folder / ".claude" / "settings.local.json").write_text("evil")
    (here.folder / "sub" / ".Cursor").mkdir(parents=True)
    (here.folder / "sub" / ".Cursor" / "mcp.json").write_text("evil")
    (here.folder / "shop.py").write_text("new\n")
    found = here.look()
    assert [one.path for one in found.files] == ["shop.py"]
    assert sorted(found.left_out) == [".claude", ".mcp.json", "sub/.Cursor"]
    commit = here.commit()
    assert here.in_commit(commit) == {**here.in_commit(here.base), "shop.py": b"new\n"}
    here.fresh(commit)
    assert here.look().left_out == ()
    assert sorted(one.name for one in here.folder.iterdir()) == [".git", "CLAUDE.md", "shop.py"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_what_cannot_be_read_is_refused(here: Ground) -> None:
    (here.folder / "closed").mkdir()
    (here.folder / "closed" / "x").write_text("x")
    (here.folder / "closed").chmod(0)
    assert "cannot be looked into" in here.refused()["closed"]
    here.fresh()
    (here.folder / "secret").write_text("x")
    (here.folder / "secret").chmod(0)
    assert here.refused() == {"secret": "It cannot be read."}


def test_more_folders_in_each_other_than_a_path_can_name_are_refused(here: Ground) -> None:
    deepen(here.folder, 600)
    assert any("cannot be looked into" in why for why in here.refused().values())
    here.fresh()
    assert here.look().is_clean
    assert not (here.folder / "0123456789").exists()


def test_limits_are_large_enough_for_work() -> None:
    assert Limits() == (20 * 1024 * 1024, 100 * 1024 * 1024, 5_000)
    assert TICKET.startswith("ticket-")
