"""A plan is shown with its progress, once or for as long as it lives."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_a_plan_is_shown_with_its_steps_and_what_is_asked(home: Home) -> None:
    plan = home.plan()
    step, lease = home.claim(plan)
    home.ask("plan", "submit", step, "-m", "it is [so]", "--lease", lease)
    home.ask("plan", "next", plan)
    home.ask("plan", "review", f"{plan}.2", "-m", "enough?")

    shown = home.ask("plan", "show", plan).out

    assert shown.startswith("A plan  awaiting_review\n")
    assert "50 %" in shown
    assert "it is [so]" in shown
    assert f"? enough?  http://127.0.0.1:7400/gates/{plan}.2:" in shown


def test_a_plan_that_is_watched_is_drawn_until_it_has_ended(home: Home) -> None:
    plan = home.plan("only")
    words = [
        sys.executable,
        "-m",
        "interlock",
        "--data",
        str(home.folder),
        "plan",
        "show",
        plan,
        "--watch",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as watching:
        time.sleep(1.0)
        home.ask("plan", "submit", f"{plan}.1", "-m", "done")
        shown, _ = watching.communicate(timeout=30)

    assert watching.returncode == 0
    assert "A plan  completed" in shown


def test_one_document_is_not_watched(home: Home) -> None:
    said = home.ask("plan", "show", home.plan(), "--watch", "--json")

    assert (said.code, said.err.split()[0]) == (2, "INVALID_INPUT")
