"""Five thousand requests from the OpenAPI document, as four callers: nothing breaks, all fits.

What is sent is the same in every run. The document is cut in four, so that the parts can run side
by side, each on a database of its own. ``make torture`` sends others, and forty times as many.
"""

from pathlib import Path
from typing import Final

import pytest

from tests.doors.rest.fuzzing import CALLERS, fuzzer, operations
from tests.fuzz.rest import BUGS, REST, run
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.frame import Leg

PARTS: Final = 4
REQUESTS: Final = 5_000
EXAMPLES: Final = 3
"""How many requests are thought up for each operation, fitting and not; each is sent four times."""

OURS: Final = [bug for bug in bugs() if bug.campaign == REST.name]
EVERY_DAY: Final = [bug for bug in OURS if bug.amount <= 100]
"""Those that cost little; ``make torture`` plants the rest."""

TURNS_MAX: Final = 3
"""Some operations have little to think up: others have another turn, then."""


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_that_is_sent_breaks_the_server_or_its_document(tmp_path: Path, part: int) -> None:
    with fuzzer(tmp_path / "fuzzed.db") as found:
        share = operations()[part::PARTS]
        for turn in range(TURNS_MAX):
            for operation in share:
                if found.sent < REQUESTS // PARTS or not turn:
                    found.fuzz(operation, EXAMPLES, turn)

    told = ", ".join(f"{who} {status}: {count}" for (who, status), count in found.counts.items())
    print(f"{found.sent} requests; {told}")  # noqa: T201  what was covered is half of the verdict
    assert found.wrong == {}
    assert found.sent >= REQUESTS // PARTS
    assert {who for who, _ in found.counts} == set(CALLERS)
    assert sum(count for (_, status), count in found.counts.items() if status < 400) > 25


def test_every_day_as_many_are_sent_as_the_campaign_says() -> None:
    assert REST.small == REQUESTS


@pytest.mark.parametrize("bug", EVERY_DAY, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(tmp_path: Path, bug: Bug) -> None:
    tried = run(Leg(bug.seed, bug.amount, tmp_path, bug.name))

    assert caught(bug, [*tried.findings])
    assert tried.counts["requests"] >= bug.amount


def test_every_bug_that_can_be_planted_is_on_the_list() -> None:
    assert {bug.name for bug in OURS} == set(BUGS)
    assert EVERY_DAY
