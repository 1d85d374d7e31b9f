"""Workers are killed at each of their points and at any moment: no work is lost or done twice."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.nursery import Nursery, nursery
from tests.crash.points import WORKER
from tests.crash.workers.bugs import BUGS
from tests.crash.workers.place import ORDER, Place
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.small import small_seed


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


def test_killed_anywhere_its_work_is_taken_over_and_done_once(
    tmp_path: Path, children: Nursery
) -> None:
    chance = random.Random(small_seed("kills"))  # noqa: S311 (repeatable on purpose)
    with Place(children, tmp_path, chance).open() as place:
        for point in ORDER:
            place.kill(point)
        place.finish()
        counts, found = place.judge()
    sys.stdout.write(f"{counts}, {dict(place.kills)}\n")

    assert found == []
    assert set(WORKER) < set(place.kills)
    # Every ticket has five pieces of work; some were taken over by their lease, some given back.
    assert counts["pieces of work"] == 5 * len(ORDER)
    assert counts["leases that ran out"]
    assert counts["given back"]


@pytest.mark.parametrize(
    "bug", [one for one in bugs() if one.name in BUGS], ids=lambda one: one.name
)
def test_a_kill_brings_a_planted_bug_out(tmp_path: Path, children: Nursery, bug: Bug) -> None:
    chance = random.Random(1)  # noqa: S311 (repeatable on purpose)
    with Place(children, tmp_path, chance, bug.name).open() as place:
        place.kill(BUGS[bug.name].point)

    assert caught(bug, place.findings), place.findings
