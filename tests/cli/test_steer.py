"""A plan is steered from a terminal: reviewed, decided about, changed, ended, taken along."""

import json
from pathlib import Path
from typing import cast

import pytest

from tests.cli.home import Document, Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_a_review_is_asked_for_and_decided(home: Home) -> None:
    plan = home.plan()
    step, lease = home.claim(plan)

    asked = home.ask("plan", "review", step, "-m", "enough?", "-q", "more?", "--lease", lease)
    decided = home.ask("plan", "decide", step, "modify", "-m", "one more")

    assert asked.out.splitlines()[0] == f"? {step} waits for a decision"
    assert decided.out.splitlines()[0] == f"✓ {step} in_progress; the plan is executing"


def test_where_people_decide_a_decision_says_what_was_seen(home: Home) -> None:
    plan = home.plan()
    home.ask(
        "plan", "modify", plan, "update_plan", "-f", str(_file(home, {"review_policy": "human"}))
    )
    step, lease = home.claim(plan)
    told = home.told("plan", "review", step, "-m", "look", "--lease", lease)
    digest = cast("Document", cast("Document", told["data"])["gate"])["content_digest"]

    without = home.ask("plan", "decide", step, "approve")
    with_it = home.ask("plan", "decide", step, "approve", "--digest", str(digest))

    assert (without.code, without.err.split()[0]) == (2, "STALE_APPROVAL")
    assert with_it.out.startswith(f"✓ {step} completed")


def _file(home: Home, document: object, name: str = "change.json") -> Path:
    path = home.folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_plan_is_changed_by_options_and_by_a_file(home: Home) -> None:
    plan = home.plan()
    steps = _file(home, {"steps": [{"instructions": "third"}]})

    added = home.ask("plan", "modify", plan, "add_steps", "-f", str(steps), "-m", "forgotten")
    home.ask("plan", "modify", plan, "fail_step", "--step", f"{plan}.1", "--reason", "gone")
    no = home.ask("plan", "modify", plan, "fail_step", "--step", f"{plan}.1", "--reason", "gone")

    assert added.out.splitlines()[:4] == [
        f"✓ {plan} is planning, 3 steps", "    1  first  pending", "    2  second  pending",
        "    3  third  pending",
    ]  # fmt: skip
    assert (no.code, no.err.split()[0]) == (2, "INVALID_TRANSITION")


def test_a_plan_is_ended_by_its_owner(home: Home) -> None:
    plan = home.plan()

    assert home.ask("plan", "fail", plan, "-m", "enough").out.startswith(f"✕ {plan} is failed")
    assert "enough" in home.ask("plan", "show", plan, "--json").out


def test_a_new_session_reads_what_it_needs(home: Home) -> None:
    plan = home.plan()
    step, lease = home.claim(plan)
    home.ask("plan", "submit", step, "-m", "it is so", "--lease", lease)

    lines = home.ask("plan", "context", plan).out.splitlines()

    assert lines[:4] == [
        "A plan  executing",
        "  What is so?",
        "    1  first  completed",
        "       it is so",
    ]


def test_a_plan_is_taken_along_with_its_audit(home: Home) -> None:
    plan = home.plan()
    target = home.folder / "out.json"

    said = home.ask("plan", "export", plan, "-o", str(target))
    document = json.loads(target.read_text(encoding="utf-8"))

    assert said.code == 0
    assert document["plan"]["plan_id"] == plan
    assert [entry["sequence"] for entry in document["audit"]] == [1, 2, 3]


def test_a_file_that_holds_no_object_is_told(home: Home) -> None:
    said = home.ask("plan", "modify", home.plan(), "add_steps", "-f", str(_file(home, [1])))

    assert (said.code, said.err.split()[0]) == (2, "INVALID_INPUT")
