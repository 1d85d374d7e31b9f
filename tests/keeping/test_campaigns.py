"""The campaigns of this folder at their small figures, and that they notice what they must.

``TORTURE_SEED`` asks for another seed; one that found something is in its message.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.keeping.bugs import BUGS
from tests.keeping.tampering import TAMPERING
from tests.keeping.tampering import run as tamper
from tests.keeping.tampers import TAMPERS
from tests.keeping.under_load import BACKUP, under_load
from tests.keeping.under_load import run as back_up
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.frame import Leg, Tried
from tests.torture.small import small_seed

SEED = small_seed("keeping") | 1
MINE = {bug.name: bug for bug in bugs() if bug.campaign in (BACKUP.name, TAMPERING.name)}


def told(tried: Tried, counts: Mapping[str, int]) -> str:
    return f"seed {SEED}: {dict(counts)}, {dict(tried.faults)}, {[*tried.findings][:5]}"


def test_backups_under_load_restore_to_one_instant(tmp_path: Path) -> None:
    leg = Leg(SEED, BACKUP.small, tmp_path)

    tried = under_load(leg, tmp_path / "data" / "interlock.db")

    print(told(tried, tried.counts))  # noqa: T201 (pytest shows it where it fails)
    assert not tried.findings, told(tried, tried.counts)
    assert tried.counts["backups"] == BACKUP.small
    assert tried.faults["written to meanwhile"] == BACKUP.small


def test_whatever_is_tampered_with_is_found(tmp_path: Path) -> None:
    tried = tamper(Leg(SEED, TAMPERING.small, tmp_path))

    print(told(tried, tried.counts))  # noqa: T201 (pytest shows it where it fails)
    assert not tried.findings, told(tried, tried.counts)
    assert set(tried.faults) == {way.__name__ for way in TAMPERS}
    assert sum(tried.faults.values()) == TAMPERING.small


def test_each_bug_of_the_list_can_be_planted() -> None:
    assert set(MINE) == set(BUGS)


@pytest.mark.parametrize("bug", [MINE["restore keeps the incarnation"]])
def test_a_restore_that_keeps_the_incarnation_is_noticed(tmp_path: Path, bug: Bug) -> None:
    tried = back_up(Leg(bug.seed, 1, tmp_path, bug.name))

    assert caught(bug, [*tried.findings]), tried.findings


@pytest.mark.parametrize("bug", [one for one in MINE.values() if one.campaign == TAMPERING.name])
def test_checkpoints_that_miss_something_are_noticed(tmp_path: Path, bug: Bug) -> None:
    tried = tamper(Leg(bug.seed, bug.amount, tmp_path, bug.name))

    assert caught(bug, [*tried.findings]), tried.findings
