"""Kills while the working tree is being made: it is made once more, whole, and nothing goes back.

Git is stood in front of by a script that stops before one of its commands, so that there is a
moment to kill in; everything else is real.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from shutil import which
from typing import Final

import apsw
import pytest

from tests.forking import Process
from tests.planning.ground import Ground, open_ground, past_of
from tests.planning.killing import LEASE_MS, READ
from tests.planning.script import CALM
from tests.serving.farm import Running
from tests.worker.shop import wait_for
from tests.worker.workspace.repositories import plain

SCAN: Final = "SCANNING_RELEVANT_FILES"
SLOW: Final = """\
#!/bin/sh
case " $* " in *" {word} "*)
  : > {folder}/stopped
  n=0; while [ ! -e {folder}/go ] && [ $n -lt 1500 ]; do sleep 0.02; n=$((n + 1)); done;;
esac
exec {git} "$@"
"""


def slow_git(folder: Path, word: str) -> Path:
    """Put a git in the way that stops before a command of it; return the folder it lies in."""
    folder.mkdir()
    git = folder / "git"
    git.write_text(SLOW.format(word=word, folder=folder, git=which("git")))
    git.chmod(0o700)
    return folder


@contextmanager
def working(ground: Ground, server: Running, *, before: Path | None = None) -> Iterator[Process]:
    """Have a worker that finds programs in a folder first."""
    with pytest.MonkeyPatch.context() as around:
        if before is not None:
            around.setenv("PATH", str(before), prepend=":")
        process = ground.start(server.url, "--workspace")
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_a_worker_killed_while_it_clones_is_made_up_for(tmp_path: Path) -> None:
    check_killed(tmp_path, "fetch")


@pytest.mark.long("some seconds more of the same")
def test_one_that_has_made_the_working_tree_and_told_nobody_is_made_up_for(tmp_path: Path) -> None:
    check_killed(tmp_path, "ls-tree")


def check_killed(folder: Path, word: str) -> None:
    """Kill the worker when its git has come to a command; another one goes on."""
    ground, slow = ready(folder, word)
    with ground.base.serving(INTERLOCK_LEASE_MS=str(LEASE_MS)) as server:
        name = asyncio.run(ground.begin(server.url))
        with working(ground, server, before=slow) as worker:
            wait_for((slow / "stopped").exists, str(ground.said))
            worker.kill()
            worker.wait()
        room = ground.folder / "worker" / "workspaces"
        assert (room / name).exists() == (word != "fetch"), "it was killed where it was to be"
        with working(ground, server):
            wait_for(lambda: status(ground, name) == SCAN, str(ground.said))
        # What the git of the dead worker has left undone is done now, in nobody's way.
        (slow / "go").touch()

    check(ground, name)


@pytest.mark.long("some seconds more of the same")
def test_a_server_killed_while_the_working_tree_is_made_is_told_of_it(tmp_path: Path) -> None:
    ground, slow = ready(tmp_path, "fetch")
    with ExitStack() as stack:
        around = {"INTERLOCK_LEASE_MS": str(LEASE_MS)}
        server = stack.enter_context(ground.base.serving(**around))
        name = asyncio.run(ground.begin(server.url))
        stack.enter_context(working(ground, server, before=slow))
        wait_for((slow / "stopped").exists, str(ground.said))
        server.process.kill()
        server.process.wait()
        (slow / "go").touch()
        stack.enter_context(ground.base.serving("--port", str(server.port), **around))
        wait_for(lambda: status(ground, name) == SCAN, str(ground.said))

    check(ground, name)


def ready(folder: Path, word: str) -> tuple[Ground, Path]:
    """Return the ground of a run, and where the git lies that stops."""
    ground = open_ground(folder)
    ground.tell(CALM)
    return ground, slow_git(folder / "slow", word)


def status(ground: Ground, name: str) -> str:
    """Read where a ticket stands, without opening the engine: nothing is swept or looked at."""
    path = str(ground.base.settings.sqlite_file)
    with closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        connection.set_busy_timeout(5_000)
        return str(connection.execute(READ, (name,)).fetchall()[0][0])


def check(ground: Ground, name: str) -> None:
    """The ticket has begun once, on a working tree that is whole, and the audit proves it."""
    assert past_of(ground.audit(name)).phases == (SCAN,)
    tree = ground.folder / "worker" / "workspaces" / name / "tree"
    assert plain(tree, "rev-parse", "--abbrev-ref", "HEAD") == f"interlock/{name}"
    assert plain(tree, "status", "--porcelain") == ""
    assert (tree / "shop.py").exists()
