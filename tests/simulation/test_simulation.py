"""The simulation at its small figures: nothing is found, the same seed does the same, bugs show.

``TORTURE_SEED`` asks for another seed than that of every day, or for any.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.simulation.bugs import BUGS, planted
from tests.simulation.faults import AFTER, BEFORE
from tests.simulation.reach import UNHEARD_MAX, unheard, unseen
from tests.simulation.run import play_all, runs
from tests.simulation.shrink import first_failing, shrink, told
from tests.simulation.torture import SIMULATION, STORE_FAULTS, SWARMS, played, run, run_faults_on
from tests.simulation.torture import tried as figures
from tests.torture.bugs import bugs, caught
from tests.torture.frame import Campaign, Leg, Tried
from tests.torture.runner import ROOT
from tests.torture.small import small_seed
from tools.postgres.server import Server

SEED: Final = small_seed("simulation")
SHARES: Final = 2
"""In so many tests the figure is reached, so that they can run side by side."""

SHOWN: Final = ("reply is not kept", "any tenant finds a unit")
"""Bugs that are planted in every run of the tests; all of them are by ``make torture``."""


def _tell(campaign: Campaign, leg: Leg, tried: Tried) -> None:
    sys.stdout.write(
        f"python -m tests.torture leg {campaign.name} --seed {leg.seed} --amount {leg.amount}"
        f"\n{dict(tried.counts)}\n{dict(tried.faults)}\n"
    )


@pytest.mark.parametrize("share", range(SHARES))
def test_whatever_happens_no_promise_is_broken(tmp_path: Path, share: int) -> None:
    leg = Leg(SEED + share, SIMULATION.small // SHARES, tmp_path)
    done = played(leg)
    tried = figures(done)
    _tell(SIMULATION, leg, tried)

    assert tried.findings == []
    assert unseen(done.reached) == []
    assert len(unheard(done.events)) <= UNHEARD_MAX, unheard(done.events)
    assert tried.counts["moves"] >= leg.amount
    assert min(tried.counts[one] for one in ("answered", "refused", "lapsed", "gates")) > 0
    assert sum(tried.faults.values()) > leg.amount / 1000


def test_whatever_a_store_fails_with_no_promise_is_broken(
    tmp_path: Path, postgres_server: Server
) -> None:
    leg = Leg(SEED, STORE_FAULTS.small, tmp_path)
    tried = run_faults_on(leg, postgres_server)
    _tell(STORE_FAULTS, leg, tried)

    assert tried.findings == []
    assert tried.counts["commands"] >= leg.amount
    assert tried.counts["commands on PostgreSQL"] >= leg.amount // 2
    assert min(tried.faults[BEFORE], tried.faults[AFTER]) > leg.amount / 1000


@pytest.mark.parametrize("bug", [bug for bug in bugs() if bug.name in SHOWN], ids=lambda b: b.name)
def test_a_planted_bug_is_found(tmp_path: Path, bug: object) -> None:
    (known,) = (one for one in bugs() if one == bug)
    tried = run(Leg(known.seed, known.amount, tmp_path, known.name))

    assert caught(known, [*tried.findings]), tried.findings


def test_a_status_that_no_run_saw_is_told(tmp_path: Path) -> None:
    done = play_all(runs(SEED, SWARMS["simulation"]), tmp_path, "moves", 100)
    nowhere = "no assignment of a ticket was ever claimed"
    nothing = "nobody ever said claim_work"
    assert nowhere not in unseen(done.reached)
    assert nothing not in unheard(done.events)

    del done.reached["ticket", "assignment", "claimed"], done.events["claim_work"]

    assert nowhere in unseen(done.reached)
    assert nothing in unheard(done.events)


def test_all_bugs_that_can_be_planted_are_in_the_list() -> None:
    names = {SIMULATION.name, STORE_FAULTS.name}

    assert {bug.name for bug in bugs() if bug.campaign in names} == set(BUGS)


def test_a_run_that_fails_is_cut_down_to_a_few_moves(tmp_path: Path) -> None:
    with planted("any version will do"):
        failing = first_failing(runs(1, SWARMS["simulation"]), tmp_path, "moves", 4_000)
        assert failing is not None
        shrunk = shrink(failing, tmp_path, tries_max=60)

    assert len(shrunk.run.moves) <= 4
    assert "was to be told STALE_VERSION" in told(shrunk)


def test_the_same_seed_does_the_same_in_another_process(tmp_path: Path) -> None:
    here = play_all(runs(SEED, SWARMS["simulation"]), tmp_path, "moves", 700)
    there = subprocess.run(
        [sys.executable, "-m", "tests.simulation", "trace", "--seed", str(SEED), "--amount", "700"],
        # Nothing may hang on the order of a set, which is another in every process.
        cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "7"}, capture_output=True, text=True,
        check=True, timeout=300,
    )  # fmt: skip

    assert here.trace
    assert there.stdout.strip() == here.trace
