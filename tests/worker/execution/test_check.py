"""Before coding everything is looked at, and all that is wrong is told at once."""

from pathlib import Path
from typing import Any

import pytest

from tests.worker.execution.ground import Ground, ground_in


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def results(report: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["result"] for one in report["checks"]}


def test_all_is_well(ground: Ground) -> None:
    report = ground.do("check", members=["scripted"])

    assert results(report) == {
        "working tree": "pass", "clean": "pass", "agent scripted": "pass", "forge local": "pass",
        "disk": "pass",
    }  # fmt: skip


def test_all_failures_are_listed_at_once(ground: Ground) -> None:
    (ground.tree.folder / "left.txt").write_text("x")
    head = ground.head()

    report = ground.do(
        "check", members=["big", "scripted"], tree={"head": "0" * 40, "branch": "x"},
        project={"repository": str(ground.folder / "gone"), "base_branch": "main"},
    )  # fmt: skip

    assert results(report) == {
        "working tree": "pass", "head": "fail", "clean": "fail", "agent big": "fail",
        "agent scripted": "pass", "forge local": "fail", "disk": "pass",
    }  # fmt: skip
    told = "\n".join(one["message"] for one in report["checks"])
    for word in ("left.txt", "it has scripted", "cannot be reached", head[:12]):
        assert word in told


def test_a_tree_that_is_gone_is_a_failure(tmp_path: Path) -> None:
    ground = Ground(tmp_path)

    report = ground.do("check")

    assert results(report)["working tree"] == "fail"
    assert "There is no working tree" in report["checks"][0]["message"]
