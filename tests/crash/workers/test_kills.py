"""Workers are killed at each of their points and at any moment: no work is lost or done twice."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.nursery import Nursery, nursery
from tests.crash.points import WORKER
from tests.crash.workers.bugs import BUGS
from tests.crash.workers.place import ANY_MOMENT, KILLS, ORDER, SERVER, Place
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
        place.kill_all()
        counts, found = place.judge()
    sys.stdout.write(f"{counts}, {dict(place.kills)}\n")

    assert found == []
    assert set(place.kills) == {*WORKER, ANY_MOMENT, SERVER}
    assert place.kills.total() == KILLS
    # Every ticket has five pieces of work; what no intent tells of is taken over by its lease.
    assert counts["pieces of work"] == 5 * (len(ORDER) + 2)
    assert counts["leases that ran out"]


@pytest.mark.parametrize(
    "bug", [one for one in bugs() if one.name in BUGS], ids=lambda one: one.name
)
def test_a_kill_brings_a_planted_bug_out(tmp_path: Path, children: Nursery, bug: Bug) -> None:
    chance = random.Random(1)  # noqa: S311 (repeatable on purpose)
    with Place(children, tmp_path, chance, bug.name).open() as place:
        place.kill(BUGS[bug.name].point)

    assert caught(bug, place.findings), place.findings
