"""A workspace is prepared by commands that we run, and nothing committable is left."""

from pathlib import Path
from typing import Any

import pytest

from interlock.worker.agents.script import Turn
from tests.worker.execution.ground import Ground, ground_in

SCHEMA = {"type": "object", "required": ["summary", "commands"]}


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return ground_in(tmp_path)


def step(*commands: str, required: bool = True) -> dict[str, Any]:
    return {"id": commands[0], "title": "", "commands": [*commands], "required": required}


def plan(*steps: dict[str, Any], probe: str = "true") -> dict[str, Any]:
    return {"steps": [*steps], "probes": [{"id": "p", "command": probe, "purpose": ""}]}


def runs(report: dict[str, Any]) -> list[tuple[str, int]]:
    return [(one["command"], one["exit_code"]) for one in report["runs"]]


def test_steps_and_probes_run_in_their_order(ground: Ground) -> None:
    told = plan(step("echo 1 > $HOME/a", "cat $HOME/a"), step("test -f shop.py"))

    report = ground.do("prepare", plan=told)

    assert (report["status"], report["note"], report["dirty"]) == ("ready", "", [])
    assert [code for _, code in runs(report)] == [0, 0, 0, 0]
    assert runs(report)[-1] == ("true", 0)


def test_a_plan_without_steps_is_fine(ground: Ground) -> None:
    assert ground.do("prepare", plan={"steps": [], "probes": []})["status"] == "ready"


def test_a_step_that_fails_ends_the_steps_unless_it_is_not_required(ground: Ground) -> None:
    told = plan(step("false", required=False), step("exit 3", "true"), step("true"))

    report = ground.do("prepare", plan=told)

    assert report["status"] == "failed"
    assert runs(report) == [("false", 1), ("exit 3", 3), ("true", 0)]
    assert "'exit 3' ended with 3" in report["note"]


def test_a_probe_that_fails_is_told(ground: Ground) -> None:
    report = ground.do("prepare", plan=plan(probe="echo no compiler; exit 1"))

    assert report["status"] == "failed"
    assert "no compiler" in report["note"]


def test_what_would_be_committed_may_not_be_left_but_what_is_ignored_may(ground: Ground) -> None:
    told = plan(step("echo x > made.txt"))
    kept = plan(step("mkdir -p .ticket && echo x > .ticket/made"))

    report = ground.do("prepare", plan=told)

    assert (report["status"], report["dirty"]) == ("failed", ["made.txt"])
    assert "made.txt" in report["note"]
    assert ground.do("prepare", plan=kept)["status"] == "ready"


def test_from_the_second_attempt_on_an_agent_says_what_is_missing(ground: Ground) -> None:
    told = plan(step("test -f $HOME/tool"))
    missing = {"summary": "a tool", "commands": ["touch $HOME/tool"]}
    ground.says(prepare=Turn(missing))
    assert ground.do("prepare", plan=told)["status"] == "failed"

    report = ground.do("prepare", plan=told, number=2, schema=SCHEMA)

    assert (report["status"], report["added"]) == ("ready", ["touch $HOME/tool"])
    assert runs(report)[0] == ("touch $HOME/tool", 0)


def test_without_an_answer_the_plan_is_tried_again(ground: Ground) -> None:
    ground.says(prepare=Turn(fault="error", text="no idea"))

    report = ground.do("prepare", plan=plan(), number=2)

    assert (report["status"], report["added"]) == ("ready", [])
    assert "no idea" in ground.lines()


def test_commands_that_never_end_run_out_of_time(ground: Ground) -> None:
    report = ground.do("prepare", plan=plan(step("sleep 60")), deadline_s=1)

    assert report["status"] == "failed"
    assert report["runs"][0]["timed_out"]
