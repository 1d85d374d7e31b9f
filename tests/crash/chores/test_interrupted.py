"""Every chore is killed at each of its points, once, and is done to its end by the next process."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.chores.bugs import BUGS
from tests.crash.chores.every import AT
from tests.crash.chores.interrupted import interrupt
from tests.crash.nursery import Nursery, nursery
from tests.crash.points import CHORES, MOVES
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.small import small_seed


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


def test_each_point_belongs_to_a_chore() -> None:
    assert set(AT) == {*CHORES, *MOVES}


@pytest.mark.parametrize("point", CHORES)
def test_killed_at_a_point_nothing_is_half_done_and_it_can_be_done_again(
    tmp_path: Path, children: Nursery, point: str
) -> None:
    chance = random.Random(small_seed("kills"))  # noqa: S311 (repeatable on purpose)

    assert interrupt(children, tmp_path / "chore", point, chance) == []


@pytest.mark.parametrize(
    "bug", [one for one in bugs() if one.name in BUGS], ids=lambda one: one.name
)
def test_a_kill_brings_a_planted_bug_out(tmp_path: Path, children: Nursery, bug: Bug) -> None:
    chance = random.Random(1)  # noqa: S311 (repeatable on purpose)
    found = interrupt(children, tmp_path / "chore", BUGS[bug.name].point, chance, bug.name)

    assert caught(bug, found), found
