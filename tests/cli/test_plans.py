"""``interlock plan list``: a table for people, one document for programs."""

from pathlib import Path
from typing import cast

import pytest

from tests.cli.home import Document, Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def finish(home: Home, plan: str) -> None:
    step, lease = home.claim(plan)
    assert home.ask("plan", "submit", step, "-m", "done", "--lease", lease).code == 0


def listed(home: Home, *words: str) -> list[Document]:
    data = cast("Document", home.told("plan", "list", *words)["data"])
    return cast("list[Document]", data["plans"])


def test_plans_under_way_are_shown_with_how_far_they_are(home: Home) -> None:
    plan = home.plan("a", "b", "c", name="Find [it] out")
    finish(home, plan)
    gone = home.plan("x", name="Over")
    finish(home, gone)

    lines = home.ask("plan", "list").out.splitlines()

    assert lines[0].split() == ["plan", "status", "done", "name"]
    assert lines[1].split() == [
        plan, "executing", "███░░░░░░░", "33", "%", "1/3", "Find", "[it]", "out",
    ]  # fmt: skip
    assert len(lines) == 2
    assert lines[0].index("name") == lines[1].index("Find")


def test_all_of_them_are_shown_when_asked_for(home: Home) -> None:
    plan, gone = home.plan("a"), home.plan("x")
    finish(home, gone)

    assert [row["plan_id"] for row in listed(home)] == [plan]
    assert {row["plan_id"] for row in listed(home, "--all")} == {plan, gone}
    assert [row["plan_id"] for row in listed(home, "--status", "completed")] == [gone]
    assert listed(home, "--tag", "red") == []


def test_a_long_list_goes_on_where_it_ended(home: Home) -> None:
    plans = {home.plan(str(number)) for number in range(3)}
    first = home.told("plan", "list", "--limit", "2")
    data = cast("Document", first["data"])
    rest = listed(home, "--cursor", str(data["cursor"]))
    lines = home.ask("plan", "list", "--limit", "2").out.splitlines()

    found = {row["plan_id"] for row in [*cast("list[Document]", data["plans"]), *rest]}
    assert found == plans
    assert lines[-1] == f"more  --cursor {data['cursor']}"


def test_a_person_is_told_where_one_must_decide(home: Home) -> None:
    home.plan("a")
    home.sql("UPDATE units SET status = 'awaiting_review'")

    assert home.ask("plan", "list").out.splitlines()[1].endswith("A plan  a person must decide")


def test_where_there_is_none_it_says_how_to_begin(home: Home) -> None:
    assert home.ask("plan", "list").out.startswith("No plan is under way. Begin: interlock plan")


def test_a_status_that_is_none_is_refused(home: Home) -> None:
    said = home.ask("plan", "list", "--status", "done")

    assert said.code != 0
    assert "INVALID_INPUT" in said.err
