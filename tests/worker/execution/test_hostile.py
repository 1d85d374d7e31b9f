"""Agents that lie and misbehave: each is bounded, contained and recorded, and nothing planted runs.

That what is planted here does run where git is used without care is shown beside the script of each
(``test_acts``) and beside the trees (``test_hostile`` of the workspace).
"""

import os
import time
from pathlib import Path
from typing import Any, Final

import pytest

from interlock.worker.agents.misbehaving import MISBEHAVIOUR
from interlock.worker.agents.script import Turn
from tests.worker.execution.ground import DONE, Ground, ground_in
from tests.worker.workspace.repositories import plain

GOOD: Final = {"pears.py": "pears\n"}
TAKEN: Final = {
    "lies": [], "unasked": ["unasked.txt"], "dirty_index": [], "floods": [], "daemon": [],
    "commits": ["own.txt"], "rewrites_git": [], "hooks": [], "filters": [], "fsmonitor": [],
    "config": [], "options": ["--exec=true", "--upload-pack=true", "-rf"],
}  # fmt: skip
"""What does not keep good work from being taken, and what comes into the commit by it."""

REFUSED: Final = {
    "attributes": "filter 'song'", "submodules": "another repository", "symlinks": "link",
    "newlines": "two", "deletes_tree": "is gone",
}  # fmt: skip
"""What keeps it out, and a word of why."""


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def attempts(ground: Ground, name: str, deadline_s: float = 30) -> tuple[Any, Any]:
    """Have an agent do good work and misbehave, then another one good work alone."""
    ground.says(code_1=Turn(DONE, files=GOOD, misbehave=(name,)), code_2=Turn(DONE, files=GOOD))
    first = ground.do("code", deadline_s=deadline_s)
    second = ground.do("code", number=2)
    assert not (ground.tree.home / "canary").exists(), "something planted was run by us"
    assert (second["status"], second["parent"]) == ("done", ground.head())
    assert [one["path"] for one in second["files"]] == ["pears.py"], "nothing is left of it"
    return first, second


def test_every_misbehaviour_is_tried() -> None:
    assert {*TAKEN, *REFUSED, "never_ends"} == {*MISBEHAVIOUR}


@pytest.mark.parametrize("name", TAKEN)
def test_good_work_is_taken_and_all_that_came_with_it_is_recorded(
    ground: Ground, name: str
) -> None:
    head = ground.head()

    report, _ = attempts(ground, name)

    assert report["status"] == "done", report["note"]
    assert sorted(one["path"] for one in report["files"]) == sorted(["pears.py", *TAKEN[name]])
    vault = ground.tree.place.vault
    assert plain(vault, "rev-list", f"{head}..{report['commit']}") == report["commit"]
    assert plain(vault, "log", "-1", "--format=%s", report["commit"]) == "bead(pears): Sell pears"


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_not_be_committed_is_refused_with_a_word(ground: Ground, name: str) -> None:
    report, _ = attempts(ground, name)

    assert (report["status"], report["reason"]) == ("failed", "refused_content")
    assert report["commit"] == ""
    assert report["refused"]
    assert REFUSED[name] in report["note"]


def test_one_that_never_ends_is_ended(ground: Ground) -> None:
    begun = time.monotonic()

    report, _ = attempts(ground, "never_ends", 1)

    assert report["reason"] == "timed_out"
    assert time.monotonic() - begun < 30


def test_a_daemon_is_gone_before_its_work_is_tested(ground: Ground) -> None:
    attempts(ground, "daemon")

    pid = int((ground.tree.home / "daemon.pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_flood_is_told_within_limits(ground: Ground) -> None:
    report, _ = attempts(ground, "floods")

    assert report["status"] == "done"
    told = sum(len(one["text"]) for _, all_ in ground.told for one in all_.get("lines", ()))
    assert told < 2_000_000
