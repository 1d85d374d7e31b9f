"""The final test: what the implementer names is run by us, and what it mends is committed."""

from pathlib import Path
from typing import Any

import pytest

from interlock.worker.agents.script import Turn
from tests.worker.execution.ground import Ground, ground_in
from tests.worker.workspace.repositories import plain

SAID: dict[str, Any] = {
    "commands": ["test -f shop.py"], "summary": "All of it.", "test_files": [],
    "modified_files": [], "file_effects": [], "tests_count": 1,
}  # fmt: skip


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def test_green_commands_with_nothing_changed_need_no_commit(ground: Ground) -> None:
    ground.says(test=Turn(SAID))

    report = ground.do("test")

    assert (report["status"], report["commit"], report["files"]) == ("passed", "", [])
    assert [one["exit_code"] for one in report["runs"]] == [0]
    assert report["answer"] == SAID


def test_what_was_mended_is_committed_on_the_head(ground: Ground) -> None:
    ground.says(test=Turn(SAID, files={"test_shop.py": "assert True\n"}))

    report = ground.do("test")

    assert report["status"] == "passed"
    assert report["parent"] == ground.head()
    vault = ground.tree.place.vault
    assert plain(vault, "show", f"{report['commit']}:test_shop.py") == "assert True"
    assert plain(vault, "rev-parse", f"{report['commit']}^") == ground.head()
    assert "+assert True" in report["diff"]


def test_a_failing_command_fails_it_and_nothing_is_committed(ground: Ground) -> None:
    said = {**SAID, "commands": ["true", "echo broken; exit 2", "true"]}
    ground.says(test=Turn(said, files={"x.py": "x\n"}))

    report = ground.do("test")

    assert (report["status"], report["commit"]) == ("failed", "")
    assert [one["exit_code"] for one in report["runs"]] == [0, 2]
    assert "broken" in report["note"]


def test_what_is_temporary_is_not_kept_and_nothing_outside_is_touched(ground: Ground) -> None:
    outside = ground.folder / "precious"
    outside.write_text("mine")
    effects = [
        {"path": path, "intent": "temporary"}
        for path in ("scratch", "../../../../precious", str(outside), "link/precious", "")
    ]
    run = f"mkdir scratch; echo x > scratch/a; ln -s {ground.folder} link; echo y > kept.py"
    ground.says(test=Turn({**SAID, "file_effects": effects}, run=f"{run}; rm link"))

    report = ground.do("test")

    assert [one["path"] for one in report["files"]] == ["kept.py"]
    assert outside.read_text() == "mine"


def test_a_link_on_the_way_is_not_followed(ground: Ground) -> None:
    outside = ground.folder / "precious"
    outside.write_text("mine")
    effects = [{"path": "link/precious", "intent": "temporary"}]
    ground.says(test=Turn({**SAID, "file_effects": effects}, run=f"ln -s {ground.folder} link"))

    report = ground.do("test")

    assert outside.read_text() == "mine"
    assert (report["status"], report["commit"]) == ("failed", "")
    assert "link" in report["note"]


def test_no_command_is_no_test_and_no_answer_is_a_failure(ground: Ground) -> None:
    ground.says(test_1=Turn({**SAID, "commands": []}), test_2=Turn(fault="error", text="ill"))
    ground.says(test_3=Turn(fault="timeout"))

    assert "No command" in ground.do("test")["note"]
    assert "ill" in ground.do("test", number=2)["note"]
    assert "no answer within" in ground.do("test", number=3, deadline_s=1)["note"]
