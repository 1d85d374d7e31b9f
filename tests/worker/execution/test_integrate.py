"""All commits of a ticket become one, on the merge base."""

import asyncio
from pathlib import Path

import pytest

from interlock.worker.agents.script import Turn
from interlock.worker.execution.job import CannotWork
from tests.worker.execution.ground import DONE, Ground, ground_in
from tests.worker.workspace.repositories import plain


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def coded(ground: Ground, **files: str) -> str:
    """Code a bead, and stand where it ends."""
    before = ground.head()
    named = {name.replace("_", "."): text for name, text in files.items()}
    ground.says(code=Turn(DONE, files={"pears.py": "pears\n", **named}))
    commit = str(ground.do("code")["commit"])
    asyncio.run(ground.tree.move(before, commit))
    return commit


def test_one_candidate_has_all_changes(ground: Ground) -> None:
    base = ground.head()
    coded(ground, a_py="1\n")
    head = coded(ground, b_py="2\n")

    report = ground.do("integrate")

    assert (report["merge_base"], report["before"], report["commits"]) == (base, head, 2)
    vault = ground.tree.place.vault
    parents = plain(
        vault, "rev-parse", f"{report['candidate']}^", f"{report['candidate']}^{{tree}}"
    )
    assert parents.split() == [base, plain(vault, "rev-parse", f"{head}^{{tree}}")]
    assert sorted(one["path"] for one in report["files"]) == ["a.py", "b.py", "pears.py"]
    assert plain(vault, "log", "-1", "--format=%s", report["candidate"]) == "ticket-1: Sell pears"


def test_nothing_to_put_together_is_told(ground: Ground) -> None:
    with pytest.raises(CannotWork, match="Nothing was changed"):
        ground.do("integrate")
