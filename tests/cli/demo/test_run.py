"""``interlock demo``: three plays, three checks, a summary, and an exit code that is true."""

from dataclasses import replace

import pytest

from interlock.cli.demo import run
from interlock.cli.demo.stage import Stage
from interlock.workflows.built_in import BUILT_IN
from interlock.workflows.plan.workflow import WORKFLOW
from tests.cli.terminal import UNSOUND, ask

SMALL = {name: replace(built, usual=1) for name, built in BUILT_IN.items()}
"""The usual bounds take half a minute; other tests and `make demo` have that time."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BUILT_IN", SMALL)


def test_the_demo_plays_and_proves_all_three() -> None:
    said = ask("demo")
    lines = said.out.splitlines()
    summary = lines[lines.index("summary") + 1 :]

    assert said.code == 0
    assert [line.split()[:3] for line in summary[:3]] == [
        ["plan", "✓", "completed"],
        ["mission", "✓", "COMPLETED"],
        ["ticket", "✓", "COMPLETED"],
    ]
    assert summary[3].startswith("  checks   ✓ all three are sound within these bounds")
    assert sum("0 findings" in line for line in lines) == 3


def test_a_finding_is_exit_code_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BUILT_IN", UNSOUND)
    monkeypatch.setattr(run, "PLAYS", {"plan": run.PLAYS["plan"]})
    said = ask("demo")

    assert said.code == 1
    assert "checks   ✕ there are findings" in said.out


def test_a_play_that_ends_badly_is_exit_code_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PLAYS", {"plan": lambda: Stage(WORKFLOW, {}, {})})
    said = ask("demo")

    assert said.code == 1
    assert "plan     ✕ planning" in said.out


def test_every_built_in_workflow_is_played() -> None:
    assert list(run.PLAYS) == list(BUILT_IN)
