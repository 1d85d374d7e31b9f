"""``interlock demo``: three plays on a file, killed once, resumed, proved, and a true exit code."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.cli.demo import run
from interlock.workflows.built_in import BUILT_IN
from tests.cli.terminal import UNSOUND, ask

SMALL = {name: replace(built, usual=1) for name, built in BUILT_IN.items()}
"""The usual bounds take half a minute; other tests and `make demo` have that time."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BUILT_IN", SMALL)


def test_the_demo_is_killed_resumes_and_proves_all_three(tmp_path: Path) -> None:
    said = ask("--data", str(tmp_path), "demo")
    lines = said.out.splitlines()
    killed = next(place for place, line in enumerate(lines) if line.startswith("killed"))
    done = re.compile(r"  ✓ (completed|COMPLETED): \d+ events")

    assert said.code == 0
    assert [line for line in lines[:killed] if line in BUILT_IN] == ["plan", "mission"]
    assert any("each gave its first answer again" in line for line in lines[killed:])
    assert [bool(done.match(line)) for line in lines[killed:]].count(True) == 3
    assert sum("0 findings" in line for line in lines) == 3
    assert "3 units" in lines[lines.index(next(x for x in lines if "audit verify" in x)) + 1]


def test_a_finding_is_exit_code_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BUILT_IN", UNSOUND)
    monkeypatch.setattr(run, "PLAYS", {"plan": run.PLAYS["plan"]})
    said = ask("--data", str(tmp_path), "demo")

    assert said.code == 1
    assert "✕ all of it took" in said.out


def test_a_demo_that_ends_before_it_can_be_killed_is_exit_code_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "KILLED_AFTER", 100_000)
    said = ask("--data", str(tmp_path), "demo")

    assert said.code == 1
    assert "before they could be killed" in said.out


def test_the_plays_alone_can_be_played_again(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "interlock", "--data", str(tmp_path), "demo-plays", "x"]
    first, again = (
        subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ))
        for _ in range(2)
    )

    assert first.stdout.count("✓") == again.stdout.count("✓") == 3
    assert again.stdout.count("each gave its first answer again") == 3


def test_every_built_in_workflow_is_played() -> None:
    assert list(run.PLAYS) == list(BUILT_IN)
