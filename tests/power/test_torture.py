"""Power cuts and faults of the disk at their small figures; each finds a bug planted for it.

``TORTURE_SEED`` asks for a seed.
"""

import sys
from pathlib import Path

import pytest

from tests.native import lacks_compiler
from tests.power.planted import GOES_ON, NORMAL
from tests.power.torture import DISK, POWER
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.frame import Campaign, Leg, Tried
from tests.torture.small import small_seed

pytestmark = pytest.mark.skipif(bool(lacks_compiler()), reason=f"there is no {lacks_compiler()}")


def run(campaign: Campaign, folder: Path) -> Tried:
    """Run a campaign at its small figure, and say how to run it again."""
    seed = small_seed("power")
    tried = campaign.run(Leg(seed, campaign.small, folder))
    sys.stdout.write(f"{campaign.name}, seed {seed}: {tried}\n")
    return tried


def test_after_any_power_cut_what_was_acknowledged_is_there_and_nothing_is_half_there(
    tmp_path: Path,
) -> None:
    tried = run(POWER, tmp_path)

    assert tried.findings == []
    assert tried.counts["images"] == POWER.small == 500
    assert tried.counts["recordings"] == 2
    # Every recording had clients that were answered, syncs, and units that changed between cuts.
    assert min(tried.counts[what] for what in ("commands", "syncs", "units verified")) > 50


def test_whatever_fails_on_the_disk_nobody_is_told_a_lie_and_nothing_is_taken_after_it(
    tmp_path: Path,
) -> None:
    tried = run(DISK, tmp_path)

    assert tried.findings == []
    assert sum(tried.faults.values()) == tried.counts["faults"] == DISK.small


@pytest.mark.parametrize(
    "bug", [bug for bug in bugs() if bug.name in (NORMAL, GOES_ON)], ids=lambda bug: bug.name
)
def test_a_planted_bug_is_found(tmp_path: Path, bug: Bug) -> None:
    (campaign,) = (one for one in (DISK, POWER) if one.name == bug.campaign)
    tried = campaign.run(Leg(bug.seed, bug.amount, tmp_path, bug.name))

    assert caught(bug, [*tried.findings]), tried
