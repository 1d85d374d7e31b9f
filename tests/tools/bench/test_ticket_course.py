"""Tickets are measured by what their audit says, and a worker that is wrong is not measured."""

import json
from pathlib import Path

from tools.bench import ticket_course
from tools.bench.scale import FULL


def test_twenty_are_built_at_once_and_nobody_is_wrong_on_purpose(tmp_path: Path) -> None:
    ticket_course._write_script(tmp_path / "worker")

    said = json.loads((tmp_path / "worker" / "answers.json").read_text())
    (turns,) = said["members"].values()
    first, rest = turns["code:discount#1"], turns["code:discount"]
    assert first["files"] == rest["files"]
    assert FULL.tickets == 20


def test_a_bead_may_take_a_second() -> None:
    assert ticket_course.BEAD.verdict(0.9) == "reached"
    assert ticket_course.BEAD.verdict(1.1) == "missed"
