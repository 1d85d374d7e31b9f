"""``interlock delete``: what has ended is gone for everybody but the proof of the audit."""

import json
from pathlib import Path

import pytest

from tests.cli.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_a_plan_that_has_ended_is_deleted_and_still_proved(home: Home) -> None:
    plan = home.plan()
    home.ask("plan", "fail", plan, "--reason", "enough")
    said = home.ask("delete", plan, "--yes")

    assert (said.code, said.out) == (0, f"✓ {plan} is deleted; interlock audit still proves it\n")
    assert home.ask("explain", plan).code == 2
    assert plan not in home.ask("list").out
    told = home.told("audit", "verify")
    assert (told["units"], told["findings"]) == (1, [])
    assert home.ask("audit", "verify", "--unit", plan).code == 0
    lines = home.ask("audit", "export", "--unit", plan).out.splitlines()
    assert json.loads(json.loads(lines[-1])["body"])["event"] == "delete"


def test_nothing_is_deleted_that_is_under_way_or_that_nobody_was_asked_about(home: Home) -> None:
    plan = home.plan()
    unasked = home.ask("delete", plan)
    early = home.ask("delete", plan, "--yes")

    assert (unasked.code, "Say --yes." in unasked.err) == (2, True)
    assert (early.code, "only what has ended can be deleted" in early.err) == (2, True)
    assert home.ask("explain", plan).code == 0
