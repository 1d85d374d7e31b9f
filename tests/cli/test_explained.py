"""``interlock workflow explain``: a snapshot from a file, explained; a bad one told precisely."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from interlock.cli.explained import explained
from interlock.kernel.explain import explain
from interlock.kernel.read import read_snapshot
from interlock.workflows.built_in import WORKFLOWS
from tests.cli.terminal import ask, names, start

REVIEW = {
    "unit": {"status": "awaiting_review", "fields": {"review_policy": "human"}},
    "parts": [
        {"id": "search", "kind": "step", "status": "completed"},
        {
            "id": "compare",
            "kind": "step",
            "status": "awaiting_input",
            "fields": {"shown": "sha256:shown"},
        },
        {"id": "conclude", "kind": "step", "status": "pending", "needs": ["compare"]},
    ],
}
BAD = {
    "no unit": ({}, 'an object with a "unit"'),
    "no object": ([1], 'an object with a "unit"'),
    "a status": (
        {"unit": {"status": "exeuting"}},
        "unit.status: a plan has no status 'exeuting'; did you mean 'executing'?",
    ),
    "a part's status": (
        {"unit": {"status": "executing"}, "parts": [{"id": "a", "kind": "step", "status": "open"}]},
        "parts[0].status: a step has no status 'open'; known: ",
    ),
    "a kind": (
        {"unit": {"status": "executing"}, "parts": [{"id": "a", "kind": "stp"}]},
        "parts[0]: kind 'stp' is not known; did you mean 'step'?",
    ),
    "a field": (
        {"unit": {"status": "executing", "fields": {"max_paralel": 1}}},
        "unit.fields: 'max_paralel' is not a field of a plan; did you mean 'max_parallel'?",
    ),
    "a number": (
        {"unit": {"status": "executing", "fields": {"max_steps": "ten"}}},
        "unit.fields.max_steps: must be a whole number, not 'ten'",
    ),
    "a need": (
        {
            "unit": {"status": "planning"},
            "parts": [{"id": "a", "kind": "step", "status": "pending", "needs": ["b"]}],
        },
        "parts[0].needs: there is no part 'b'",
    ),
    "a parent": (
        {
            "unit": {"status": "planning"},
            "parts": [{"id": "a", "kind": "step", "status": "pending", "parent": "a"}],
        },
        "parts[0].parent: a step stands under nothing but the unit",
    ),
    "a lease that cannot be": (
        {
            "unit": {"status": "planning"},
            "parts": [{"id": "a", "kind": "step", "status": "pending", "fields": {"holder": "x"}}],
        },
        "parts[0].fields.holder: has a value only while the step is in_progress",
    ),
}
IMPOSSIBLE = {
    "a pointer to nothing": (
        {"status": "BUILDING_HOP", "fields": {"current": "h9"}},
        "unit.fields.current: there is no hop 'h9'",
    ),
    "a pointer that is too early": (
        {"status": "PROPOSED", "fields": {"current": "h1"}},
        "unit.fields.current: has a value only while the mission is BUILDING_HOP",
    ),
}

Write = Callable[[object], str]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    def write(document: object) -> str:
        path = tmp_path / "unit.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)

    return write


def test_a_unit_is_explained(written: Write) -> None:
    said = ask("workflow", "explain", "plan", written(REVIEW))

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("The plan is awaiting_review.\nIt moves when\n")
    assert "submit_user_decision approve compare" in said.out.splitlines()[2]


def test_a_part_is_explained(written: Write) -> None:
    said = ask("workflow", "explain", "plan", written(REVIEW), "--part", "conclude")

    assert said.code == 0
    assert said.out.startswith("The step is pending.\n")
    assert "REVIEW_OPEN" in said.out


def test_an_unknown_part_is_answered_with_the_nearest_id(written: Write) -> None:
    said = ask("workflow", "explain", "plan", written(REVIEW), "--part", "compar")

    assert (said.code, said.out) == (2, "")
    assert said.err == "UNKNOWN_PART The snapshot has no part 'compar'; did you mean 'compare'?\n"


def test_a_process_explains_in_one_json_document(written: Write) -> None:
    said = start("workflow", "explain", "plan", written(REVIEW), "--json")
    document = json.loads(said.out)

    assert (said.code, said.err) == (0, "")
    assert (document["kind"], document["status"]) == ("plan", "awaiting_review")
    assert document["calls"][0]["event"] == "approve"
    assert document["calls"][0]["part"] == "compare"
    assert document["calls"][0]["args"]["digest"] == "sha256:shown"


@pytest.mark.parametrize("name", names())
def test_every_status_of_every_unit_explains_itself_as_plain_data(name: str) -> None:
    flow = WORKFLOWS[name]
    documents = {
        status: explained(explain(flow, read_snapshot(flow, {"unit": {"status": status}})))
        for status in flow.unit.names()
    }

    assert {status: json.loads(json.dumps(d))["status"] for status, d in documents.items()} == {
        status: status for status in flow.unit.names()
    }


@pytest.mark.parametrize("what", BAD)
def test_a_bad_snapshot_is_told_with_its_place_and_what_is_right(what: str, written: Write) -> None:
    document, message = BAD[what]
    said = ask("workflow", "explain", "plan", written(document))

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("INVALID_SNAPSHOT ")
    assert message in said.err


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_a_mission_that_cannot_be_is_told(what: str, written: Write) -> None:
    unit, message = IMPOSSIBLE[what]
    hop = {"id": "h1", "kind": "hop", "status": "PROPOSED"}
    said = ask("workflow", "explain", "mission", written({"unit": unit, "parts": [hop]}))

    assert (said.code, said.out) == (2, "")
    assert message in said.err


def test_all_mistakes_are_told_at_once(written: Write) -> None:
    bad = {"unit": {"status": "x"}, "parts": [{"id": "a", "kind": "y"}, {"id": "a", "kind": "z"}]}
    said = ask("workflow", "explain", "plan", written(bad))

    assert [
        where for where in ("unit.status", "parts[0]", "parts[1]") if where not in said.err
    ] == []


def test_a_process_told_of_an_unknown_status_shows_no_traceback(written: Write) -> None:
    said = start("workflow", "explain", "ticket", written({"unit": {"status": "CODNG"}}))

    assert (said.code, said.out) == (2, "")
    assert "did you mean 'CODING'?" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("content", ["", "{", '{"unit": }'])
def test_a_file_that_is_no_json_is_told_with_the_place(content: str, tmp_path: Path) -> None:
    path = tmp_path / "unit.json"
    path.write_text(content, encoding="utf-8")
    said = ask("workflow", "explain", "plan", str(path))

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"NOT_READABLE {path} is no JSON: ")
    assert "line 1" in said.err


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    said = start("workflow", "explain", "plan", str(tmp_path / "none.json"))

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("NOT_READABLE ")
    assert "No such file" in said.err
