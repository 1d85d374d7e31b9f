"""Five thousand messages to the MCP door: all are answered, and what is refused changes nothing."""

from pathlib import Path

import pytest

from tests.fuzz.mcp import BUGS, MCP, SMALL, run
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.frame import Leg
from tests.torture.small import run_small

OURS = [bug for bug in bugs() if bug.campaign == MCP.name]
EVERY_DAY = [bug for bug in OURS if bug.amount <= 500]
"""Those that cost little; ``make torture`` plants the rest."""


def test_every_message_is_answered_and_a_refused_one_changes_nothing(tmp_path: Path) -> None:
    tried = run_small(MCP, tmp_path)

    assert tried.findings == []
    assert tried.counts["messages"] == SMALL
    # Where nothing ever succeeds or is written, it means little that nothing else is.
    assert min(tried.counts[kind] for kind in ("done", "refused", "written")) > SMALL // 50
    assert set(tried.faults) == {"rubbish", "arguments", "headers", "depth", "half a body"}


@pytest.mark.parametrize("bug", EVERY_DAY, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(tmp_path: Path, bug: Bug) -> None:
    assert caught(bug, [*run(Leg(bug.seed, bug.amount, tmp_path, bug.name)).findings])


def test_every_bug_that_can_be_planted_is_on_the_list() -> None:
    assert {bug.name for bug in OURS} == set(BUGS)
    assert EVERY_DAY
