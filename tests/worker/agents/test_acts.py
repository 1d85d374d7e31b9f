"""What a scripted agent does in its working tree, really."""

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.worker.agents.agent import AgentFailed, Task
from interlock.worker.agents.misbehaving import MISBEHAVIOUR
from interlock.worker.agents.script import Script, Turn
from interlock.worker.agents.scripted import Scripted
from tests.worker.agents.tasks import DRAFT
from tests.worker.workspace.repositories import repository

YES = {"bead_id": "pears", "status": "done"}


def told(place: Path, **more: object) -> Task:
    """Return a bead's task in a small repository."""
    tree, home = place / "tree", place / "home"
    if not tree.exists():
        repository(tree)
        home.mkdir()
    task = replace(
        DRAFT, task="code", domain="implementation", about="pears", number=1, folder=tree, home=home
    )
    return replace(task, **more)  # type: ignore[arg-type] # the test names fields


def does(task: Task, **turns: Turn) -> None:
    said = {key.replace("_", "#"): (turn,) for key, turn in turns.items()}
    agent = Scripted(Script("s.yaml", {"ada": {f"code:{key}": one for key, one in said.items()}}))
    asyncio.run(agent.run(task))


def test_files_are_written_and_removed_then_a_command_runs_in_the_tree(tmp_path: Path) -> None:
    task = told(tmp_path)
    files = {"a/new.py": "x = 1\n", "shop.py": None}

    does(task, pears=Turn(YES, files=files, run='cp a/new.py copy.py; echo "$HOME" > home'))

    tree = tmp_path / "tree"
    assert sorted(one.name for one in tree.iterdir()) == [".git", "a", "copy.py", "home"]
    assert (tree / "copy.py").read_text() == "x = 1\n"
    assert (tree / "home").read_text().strip() == str(tmp_path / "home")


def test_attempts_at_a_bead_are_told_apart(tmp_path: Path) -> None:
    turns = {
        "pears_2": Turn(YES, files={"second": ""}), "pears": Turn(YES, files={"first": ""}),
        "plums": Turn(YES, files={"other": ""}),
    }  # fmt: skip
    seen = []
    for number in (1, 2, 3):
        does(told(tmp_path, number=number), **turns)
        seen.append({one.name for one in (tmp_path / "tree").iterdir()} - {".git", "shop.py"})
    assert seen == [{"first"}, {"first", "second"}, {"first", "second"}]


def test_what_cannot_be_done_is_a_failure_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(AgentFailed, match="ended with 3: no way"):
        does(told(tmp_path), pears=Turn(YES, run="echo no way; exit 3"))
    with pytest.raises(AgentFailed, match="no working tree"):
        does(told(tmp_path, folder=None), pears=Turn(YES, run="true"))
    with pytest.raises(AgentFailed, match="not end within") as no:
        does(told(tmp_path, deadline_s=0.5), pears=Turn(YES, misbehave=("never_ends",)))
    assert no.value.failure == "timed_out"


PLANTED = ("hooks", "filters", "attributes", "fsmonitor")


@pytest.mark.parametrize("name", [one for one in MISBEHAVIOUR if one != "never_ends"])
def test_every_misbehaviour_can_be_done_and_leaves_the_folders_alone(
    tmp_path: Path, name: str
) -> None:
    task = told(tmp_path)

    does(task, pears=Turn(YES, misbehave=(name,)))

    assert {one.name for one in tmp_path.iterdir()} <= {"tree", "home"}
    assert not (tmp_path / "home" / "canary").exists()


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_sings_when_git_is_run_without_care(tmp_path: Path, name: str) -> None:
    task = told(tmp_path)
    does(task, pears=Turn(YES, misbehave=(name,)))

    own = "git -c user.name=x -c user.email=x@localhost"
    does(task, pears=Turn(YES, run=f"echo >> shop.py; {own} add -A; {own} commit -qm x; true"))

    assert name in (tmp_path / "home" / "canary").read_text().split()


def test_a_daemon_is_gone_when_the_agent_has_ended(tmp_path: Path) -> None:
    does(told(tmp_path), pears=Turn(YES, misbehave=("daemon",)))

    pid = int((tmp_path / "home" / "daemon.pid").read_text())
    size = (tmp_path / "home" / "daemon.log").stat().st_size
    time.sleep(0.3)
    assert (tmp_path / "home" / "daemon.log").stat().st_size == size
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
