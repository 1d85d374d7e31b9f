"""A whole run whose server and worker are killed in every phase: it ends as if nothing had been."""

import asyncio
import json
import random
from contextlib import ExitStack
from pathlib import Path
from shutil import which
from typing import Any, Final

import pytest

from interlock.cli.demo import feature
from tests.execution.ground import open_ground
from tests.execution.killing import BOUNDARY, INSIDE, SERVER, WORKER, Moment, Run
from tests.execution.proof import check_delivered

PATIENCE_S: Final = 900
DELAY_S: Final = 0.3
SEVERAL: Final = 3
CHANCE: Final = 4
PHASES: Final = {
    "PRE_FLIGHT_CHECK": 1, "WAITING_EXECUTION_SETUP_APPROVAL": 1, "PREPARING_EXECUTION_ENV": 1,
    "CODING": 3, "RUNNING_FINAL_TEST": 1, "INTEGRATING_CHANGES": 1, "CREATING_PULL_REQUEST": 1,
    "WAITING_PR_REVIEW": 1, "CLEANING_ENV": 1,
}  # fmt: skip
"""The phases of execution, and how often the ticket stays in each."""

SLOW_GIT: Final = """\
#!/bin/sh
sleep {seconds}
exec {git} "$@"
"""
"""Some phases are over in a moment: with a git that takes its time somebody is seen inside each."""


def moments(first: str) -> list[Moment]:
    """Return every moment: at the boundary one is killed, inside the other, and so on in turn."""
    both = (SERVER, WORKER) if first == SERVER else (WORKER, SERVER)
    stays = [(phase, stay) for phase, most in PHASES.items() for stay in range(1, most + 1)]
    return [
        Moment(phase, stay, where, both[(place + turn) % 2])
        for place, (phase, stay) in enumerate(stays)
        for turn, where in enumerate((BOUNDARY, INSIDE))
    ]


def slowly(delay_s: float) -> dict[str, Any]:
    """Return the script with time to kill while the agent works."""
    said = feature.script()
    for turn in said["members"][feature.MEMBER].values():
        turn["delay_s"] = delay_s
    return said


@pytest.fixture
def _git_takes_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every worker find a git that waits a little before each command."""
    folder = tmp_path / "slow"
    folder.mkdir()
    git = folder / "git"
    git.write_text(SLOW_GIT.format(seconds=DELAY_S, git=which("git")))
    git.chmod(0o700)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def disturbed(folder: Path, plan: list[Moment]) -> list[Moment]:
    """Play the run with these kills; what it came to must be as if there had been none."""
    ground = open_ground(folder)
    ground.tell(slowly(DELAY_S))

    async def story(run: Run) -> str:
        async with asyncio.timeout(PATIENCE_S):
            name = await ground.begin(run.server.url, {"tries_max": 20})
            run.work()
            told = await run.play(name)
            assert told["phase"]["name"] == "COMPLETED", json.dumps(told.get("error"))
            return name

    with ExitStack() as stack:
        run = Run(ground, plan, stack)
        name = asyncio.run(story(run))
        run.leave()
    ground.audit(name)
    check_delivered(ground, name)
    return run.kills


def test_a_run_goes_on_after_some_kills(tmp_path: Path) -> None:
    every = [one for first in (SERVER, WORKER) for one in moments(first)]
    chance = random.Random(CHANCE)  # noqa: S311 (repeatable on purpose)
    kills = disturbed(tmp_path, chance.sample(every, SEVERAL))

    # On a busy machine a moment can pass unseen.
    assert len(kills) >= SEVERAL - 1, "it has hardly been tried"


@pytest.mark.usefixtures("_git_takes_its_time")
@pytest.mark.long("minutes")
@pytest.mark.parametrize("first", [SERVER, WORKER])
def test_a_run_goes_on_after_a_kill_at_every_boundary_and_inside_every_phase(
    tmp_path: Path, first: str
) -> None:
    plan = moments(first)

    assert {*disturbed(tmp_path, plan)} == {*plan}
