"""Checks and duels in random order, as the campaign runs them: nothing depends on what was before."""

from pathlib import Path

from tests.planted.bugs import BUGS
from tests.races.torture import RACES, SMALL
from tests.torture.bugs import bugs
from tests.torture.small import run_small


def test_checks_and_duels_hold_in_any_order(tmp_path: Path) -> None:
    tried = run_small(RACES, tmp_path)

    assert tried.findings == []
    assert tried.counts["rounds"] == SMALL
    assert min(tried.counts["check"], tried.counts["duel"]) > 0
    assert min(tried.faults.values()) > 0


def test_every_older_bug_is_on_the_list() -> None:
    # That each is noticed is tried in tests/planted.
    assert {bug.name for bug in bugs() if bug.campaign == RACES.name} == {bug.name for bug in BUGS}
