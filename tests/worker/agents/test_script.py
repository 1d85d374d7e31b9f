"""The file of a scripted agent: what is found where, and what is wrong with it."""

from dataclasses import replace
from pathlib import Path

import pytest

from interlock.worker.agents.agent import AgentFailed
from interlock.worker.agents.script import InvalidScript, Script, Turn, load_script
from tests.worker.agents.tasks import DRAFT, again

GOOD = """
members:
  ada:
    interview/draft: {answer: {questions: [1]}}
    interview/draft#2:
    - {fault: invalid, text: "hm", delay_s: 0.5}
    - {answer: {questions: [2]}}
    scan: {answer: {files: []}, fault: late}
  "*":
    interview/draft: {answer: {questions: [9]}}
    interview/draft#3: {fault: timeout}
"""


def script(folder: Path, text: str = GOOD) -> Script:
    path = folder / "answers.yaml"
    path.write_text(text)
    return load_script(path)


def test_what_is_meant_most_closely_is_said(tmp_path: Path) -> None:
    found = script(tmp_path)
    bob = replace(DRAFT, member="bob")

    assert found.turn(DRAFT, 1) == Turn({"questions": [1]})
    assert found.turn(DRAFT, 2) == Turn(None, "hm", 0.5, "invalid")
    assert found.turn(again(), 2) == Turn({"questions": [2]})
    assert found.turn(DRAFT, 3) == Turn({"questions": [1]})
    assert found.turn(bob, 1) == Turn({"questions": [9]})
    assert found.turn(bob, 3) == Turn(fault="timeout")
    assert found.turn(replace(DRAFT, domain="", task="scan"), 7).fault == "late"


def test_a_single_turn_is_said_again_and_again_but_several_end(tmp_path: Path) -> None:
    found = script(tmp_path)

    assert found.turn(again(5), 1) == Turn({"questions": [1]})
    with pytest.raises(AgentFailed, match="2 turns under ada: interview/draft#2, and all"):
        found.turn(again(2), 2)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(AgentFailed) as no:
        script(tmp_path).turn(replace(DRAFT, domain="prd", task="vote"), 4)

    assert no.value.failure == "failed"
    assert no.value.message == (
        "answers.yaml has no answer of 'ada' to prd/vote#4: neither there nor under prd/vote, and"
        " none of '*'."
    )


def test_json_is_read_the_same(tmp_path: Path) -> None:
    said = '{"members": {"ada": {"interview/draft": {"answer": {"questions": []}}}}}'

    assert script(tmp_path, said).turn(DRAFT, 1).answer == {"questions": []}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("members: 3", "members"),
        ("people: {}", "people"),
        ("members: {ada: []}", "members/ada"),
        ("members: {ada: {Draft 1: {answer: {}}}}", "Draft 1"),
        ("members: {ada: {scan#0: {answer: {}}}}", "scan#0"),
        ("members: {ada: {scan: []}}", "members/ada/scan"),
        ("members: {ada: {scan: {}}}", "members/ada/scan"),
        ("members: {ada: {scan: {delay_s: 3}}}", "members/ada/scan"),
        ("members: {ada: {scan: {fault: tired}}}", "members/ada/scan/fault"),
        ("members: {ada: {scan: [{answer: {}}, {answer: 3}]}}", "members/ada/scan/1/answer"),
        ("members: {ada: {scan: {answer: {}, text: x}}}", "members/ada/scan/text"),
        ("members: {ada: {scan: {answer: {}, fault: crash}}}", "members/ada/scan/fault"),
        ("members: {ada: {scan: {text: x, delay_s: -1}}}", "members/ada/scan/delay_s"),
        ("members: {ada: {scan: {text: x}, scan: {text: y}}}", "Line 1, column 34"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(InvalidScript) as no:
        script(tmp_path, text)

    assert place in no.value.message
    assert "docs/agents.md" in no.value.fix


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidScript, match="No such file"):
        load_script(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_bytes(b"\xff")
    with pytest.raises(InvalidScript, match="UTF-8"):
        load_script(tmp_path / "bad.yaml")
