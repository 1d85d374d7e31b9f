"""Some hundred random questions about what is not the caller's: foreign and absent look the same."""

from pathlib import Path

import pytest

from tests.fuzz.tenants import BUGS, SMALL, TENANTS, run
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.frame import Leg
from tests.torture.small import run_small

OURS = [bug for bug in bugs() if bug.campaign == TENANTS.name]


def test_nothing_tells_what_is_foreign_or_deleted_from_what_never_was(tmp_path: Path) -> None:
    tried = run_small(TENANTS, tmp_path)

    assert tried.findings == []
    assert tried.counts["probes"] == SMALL
    assert min(tried.counts["as tools"], tried.counts["over HTTP"]) > SMALL // 50
    assert min(tried.faults["foreign"], tried.faults["deleted"]) > SMALL // 50


@pytest.mark.parametrize("bug", OURS, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(tmp_path: Path, bug: Bug) -> None:
    assert caught(bug, [*run(Leg(bug.seed, bug.amount, tmp_path, bug.name)).findings])


def test_every_bug_that_can_be_planted_is_on_the_list() -> None:
    assert {bug.name for bug in OURS} == set(BUGS)
