"""``interlock demo``: plan, mission and ticket, killed, resumed, proved, and a true exit code."""

import os
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from interlock.cli.demo import plan, run
from interlock.cli.demo.serving import WentWrong
from interlock.workflows.built_in import BUILT_IN
from tests.cli.home import Home
from tests.cli.terminal import UNSOUND, ask
from tests.cli.test_browser import browser

SMALL = {"plan": 1}
"""The bounds of the demo take some seconds; `make demo` has that time."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BOUNDS", SMALL)


STORY = (
    "planner  tries to accept it itself: refused, HUMAN_REQUIRED",
    "ann      accepts it  -> READY_FOR_NEXT_HOP",
    "hands in a chain with mistakes: refused, all 3 mistakes at once",
    "attempt 1 failed: Too many are asking, try again. Attempt 2 did it.",
    "KILLED (SIGKILL), and the worker with it",
    "attempt 1 failed: its lease ran out. Attempt 2 did it.",
    "ann      sends it back: by shop, not by currency  -> BUILDING_HOP",
    "adds up by item  ✕",
    "the hop is FAILED, the mission EXECUTING_HOP, held",
    "Row 1 has no field 'item'.",
    "ann      has it repaired: the field is called product, not item  -> BUILDING_HOP",
    "adds up by product",
    "proposes a hop, the final one",
    "the hop is COMPLETED, the mission COMPLETED",
    "November brought 16,001.08 euro with 101 orders.",
    "✓ COMPLETED: 3 hops · 1 redesigned · 1 repaired · 8 tool steps · 1 retried in place",
    "approves what is shown: blueprint",
    "ada      has built “Add up a basket”; the worker has run its tests: green",
    "“Give a discount” is not green, whatever the agent says: attempt 2",
    "KILLED (SIGKILL), and the worker with it, while “Print a receipt” is built",
    "ada      has built “Print a receipt”; the worker has run its tests: green",
    "worker   has opened request 1: Print receipts with a discount",
    "✓ COMPLETED: 3 beads · 1 request · 1 merge; main has the feature, and its tests pass",
)
"""What is told of the mission and of the ticket, in this order."""


def test_the_demo_is_killed_resumes_and_proves_all_three(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A folder is named as people name it, from where they stand.
    monkeypatch.chdir(tmp_path)
    said = ask("--data", "here", "demo")
    lines = said.out.splitlines()
    assert said.code == 0, said
    places = [said.out.find(sentence) for sentence in STORY]
    assert -1 not in places, STORY[places.index(-1)]
    assert places == sorted(places)
    assert any("KILLED (SIGKILL) while a result" in line for line in lines)
    assert sum("0 findings" in line for line in lines) == 1
    assert "3 units" in lines[lines.index(next(x for x in lines if "audit verify" in x)) + 1]
    where = next(line for line in lines if "plan show" in line).split()
    assert ask(*where[1:6]).code == 0
    where = next(line for line in lines if "mission context" in line).split()
    assert "November brought 16,001.08 euro" in ask(*where[1:6]).out
    assert lines[-1] == "  interlock --data here up"
    _look(tmp_path, lines[-1].split()[1:])


def _look(folder: Path, words: list[str]) -> None:
    """Do what the last line says, and come in by the address that is opened."""
    line = [sys.executable, "-m", "interlock", *words, "--open", "--port", "0"]
    with browser(folder) as one:
        around = {**os.environ, "BROWSER": one.command}
        with subprocess.Popen(line, stdout=subprocess.PIPE, env=around) as process:
            try:
                assert process.stdout is not None
                first = process.stdout.readline().decode()
                url = one.opened()
                page = httpx2.get(url, timeout=30)
            finally:
                process.kill()

    assert first.startswith("interlock is up at http://127.0.0.1:")
    assert url.startswith(first.split()[-1] + "/login/")
    assert page.status_code == 200


def test_what_to_type_is_what_was_typed_unless_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/interlock", "demo"])
    monkeypatch.setenv("PATH", "")

    assert run._program() == ".venv/bin/interlock"


def test_a_finding_is_exit_code_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_play_of", lambda _: _nothing)
    Home(tmp_path).plan()  # something that is proved
    sound = ask("--data", str(tmp_path), "demo")
    monkeypatch.setattr(run, "BUILT_IN", UNSOUND)
    said = ask("--data", str(tmp_path), "demo")

    assert (sound.code, said.code) == (0, 1)
    assert "✕ all of it took" in said.out


async def _nothing(folder: Path) -> str:
    """Leave a play out; what follows it is looked at."""
    return f"mission in {folder}"


def test_a_plan_that_goes_wrong_is_told_and_is_exit_code_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_play_of", lambda title: plan.play if title == "plan" else _nothing)
    monkeypatch.setattr(plan, "NEW", {**plan.NEW, "steps": []})
    said = ask("--data", str(tmp_path), "demo")

    assert said.code == 1
    assert "✕ WentWrong: create_research_plan was refused for laptop" in said.out
    assert "look around" not in said.out


def test_a_ticket_that_goes_wrong_is_exit_code_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_play_of", lambda title: _broken if title == "ticket" else _nothing)
    said = ask("--data", str(tmp_path), "demo")

    assert said.code == 1
    assert "✕ WentWrong: main has 2 merges" in said.out
    assert "look around" not in said.out


async def _broken(_: Path) -> str:
    raise WentWrong("main has 2 merges")


def test_every_built_in_workflow_is_shown_and_checked() -> None:
    assert list(run.WORKED) == list(BUILT_IN)
