"""``interlock plan`` from start to end, and what it says when something is wrong."""

import json
from pathlib import Path
from typing import cast

import pytest

from tests.cli.home import Document, Home
from tests.cli.terminal import start


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_a_plan_is_made_worked_through_and_ended(home: Home) -> None:
    plan = home.plan()
    step, lease = home.claim(plan)

    said = home.ask("plan", "submit", step, "-m", "found", "--lease", lease, "--claim-next")
    lines = said.out.splitlines()
    assert lines[0] == f"✓ {step} completed; the plan is executing"
    assert lines[1] == "second  custom, attempt 1"
    assert lines[4].startswith("lease  ")
    token = lines[4].split()[1]

    said = home.ask("plan", "submit", f"{plan}.2", "-m", "done", "--lease", token)
    assert said.out.splitlines()[0] == f"✓ {plan}.2 completed; the plan is completed"
    assert home.told("plan", "next", plan)["status"] == "plan_complete"
    assert home.ask("plan", "next", plan).out.startswith("plan_complete\nA plan  completed, 100 %")


def test_a_step_is_shown_with_its_lease(home: Home) -> None:
    plan = home.plan("look it up")

    lines = home.ask("plan", "next", plan, "--session", "s1").out.splitlines()

    assert lines[:3] == [
        "look it up  custom, attempt 1", "  look it up", f"step   {plan}.1",
    ]  # fmt: skip
    assert lines[3].startswith("lease  ")
    assert lines[3].endswith(" UTC")


def test_a_plan_comes_from_a_file_and_options_come_before_it(home: Home) -> None:
    file = home.folder / "plan.json"
    document = {
        "name": "from the file", "research_question": "q", "request_id": "once",
        "steps": [{"instructions": "a"}],
        "branching_conditions": [
            {"after_step_order": 1, "expression": "result.n > 1", "action": "fail", "reason": "[no]"}
        ],
    }  # fmt: skip
    file.write_text(json.dumps(document), encoding="utf-8")

    words = ("plan", "create", "mine", "--file", str(file))
    first = cast("Document", home.told(*words)["data"])
    again = cast("Document", home.told(*words)["data"])

    assert first == again
    plan = str(first["plan_id"])
    status = cast("Document", home.told("plan", "status", plan)["data"])
    assert status["name"] == "mine"
    home.claim(plan)
    said = home.ask("plan", "submit", f"{plan}.1", "-m", "s", "--result", '{"n": 2}')
    assert said.out.splitlines()[1] == "  if result.n > 1 then fail: applied"
    assert "the plan is failed" in said.out


def test_a_request_id_makes_a_call_safe_to_repeat(home: Home) -> None:
    plan = home.plan()

    first = home.told("plan", "next", plan, "--request-id", "r")
    again = home.told("plan", "next", plan, "--request-id", "r")

    assert first == again


def test_a_result_may_come_from_a_file(home: Home) -> None:
    plan = home.plan("only")
    home.claim(plan)
    file = home.folder / "result.json"
    file.write_text('{"n": 1}', encoding="utf-8")

    answer = home.told(
        "plan", "submit", f"{plan}.1", "-m", "s", "-f", str(file), "--confidence", "1"
    )

    assert answer["status"] == "completed"


def test_who_holds_a_step_is_shown_whatever_they_call_themselves(home: Home) -> None:
    plan = home.plan("[/b] \x1b[31m", name="[bold]")
    home.claim(plan, "--session", "[/x]")

    lines = home.ask("plan", "status", plan).out.splitlines()

    assert lines[0].startswith("[bold]  executing")
    assert lines[1].startswith("  ▸   1  [/b] �[31m  in_progress  held by [/x] until 20")


LONG = "[" * 100_000
WRONG: list[tuple[tuple[str, ...], str]] = [
    (("next", "plan-000000000000"), "NOT_FOUND"),
    (("next", "x"), "NOT_FOUND"),
    (("next", "{plan}", "--wait", "11"), "INVALID_INPUT"),
    (("next", "{plan}", "--wait", "-1"), "INVALID_INPUT"),
    (("next", "{plan}", "--wait", "nan"), "INVALID_INPUT"),
    (("next", "{plan}", "--wait", "1e308"), "INVALID_INPUT"),
    (("next", "{plan}", "--session", ""), "INVALID_INPUT"),
    (("next", "\udcff"), "INVALID_INPUT"),
    (("status", "{plan}.1"), "NOT_FOUND"),
    (("status", ""), "INVALID_INPUT"),
    (("submit", "{plan}.9", "-m", "s"), "NOT_FOUND"),
    (("submit", "{plan}.1", "-m", ""), "INVALID_INPUT"),
    (("submit", "{plan}.1", "-m", "s", "--lease", "x.1"), "STALE_LEASE"),
    (("submit", "{plan}.1", "-m", "s", "--confidence", "2"), "INVALID_INPUT"),
    (("submit", "{plan}.1", "-m", "s", "--confidence", "nan"), "INVALID_INPUT"),
    (("submit", "{plan}.1", "-m", "s", "--result", "{"), "INVALID_INPUT"),
    (("submit", "{plan}.1", "-m", "s", "--result", "[]"), "INVALID_INPUT"),
    (("submit", "{plan}.1", "-m", "s", "--result", LONG), "INVALID_INPUT"),
    (("submit", "{plan}.1", "-m", "s", "--result", '{"a": NaN}'), "INVALID_INPUT"),
    (("submit", "{plan}.1", "-m", "s", "--result", r'{"a": "\ud800"}'), "INVALID_INPUT"),
    (("submit", "{plan}.1", "-m", "s", "--result", r'{"a": "\u0000"}'), "INVALID_INPUT"),
    (("submit", "{plan}.1", "-m", "s", "--file", "/nowhere"), "NOT_READABLE"),
    (("create", "n"), "INVALID_INPUT"),
    (("create", "n", "-q", "q", "-s", ""), "INVALID_INPUT"),
    (("create", "n", "-q", "q", "-s", "\udcff"), "INVALID_INPUT"),
    (("create", "n", "-q", "q", "-s", "x" * 2_000_000), "TOO_LARGE"),
    (("create", "--file", "/nowhere"), "NOT_READABLE"),
]


@pytest.mark.parametrize(("words", "code"), WRONG)
def test_bad_input_is_told_in_words_and_changes_nothing(
    home: Home, words: tuple[str, ...], code: str
) -> None:
    plan = home.plan()
    home.claim(plan)
    before = home.state()

    said = home.ask("plan", *(word.replace("{plan}", plan) for word in words))

    told, _, fix = said.err.partition("\n")
    assert (said.code, said.out) == (2, "")
    assert told.startswith(f"{code} "), said.err
    assert fix
    assert "Traceback" not in said.err
    assert home.state() == before


def test_a_file_that_holds_no_plan_is_refused(home: Home) -> None:
    file = home.folder / "list.json"
    file.write_text("[]", encoding="utf-8")

    said = home.ask("plan", "create", "--file", str(file))

    assert said.code == 2
    assert said.err.startswith(f"INVALID_INPUT {file} holds no object.")


def test_a_process_of_its_own_ends_with_the_same_words(home: Home) -> None:
    words = ("--data", str(home.folder), "plan", "next", "plan-000000000000")

    assert start(*words) == home.ask("plan", "next", "plan-000000000000")
