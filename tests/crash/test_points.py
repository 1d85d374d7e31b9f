"""The labelled points: enough of them, each its own, each hit often enough in a long run."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.crash.campaign import order_of_points
from tests.crash.chores.every import AT
from tests.crash.chores.interrupted import interrupt
from tests.crash.nursery import nursery
from tests.crash.points import CHORES, MOVES, POINTS, POSTGRES, SERVICE, SWEPT, WORKER
from tests.crash.postgres import POSTGRES_KILLS, often
from tests.crash.torture import KILLS
from tests.crash.workers.place import ORDER
from tests.torture.frame import Leg

AT_LEAST = 20
LONG = 25


def test_there_are_enough_and_each_has_a_name_of_its_own() -> None:
    assert len(POINTS) == len(set(POINTS)) >= AT_LEAST
    assert set(POINTS) == {*SERVICE, *CHORES, *WORKER, *POSTGRES, *MOVES}


def test_each_is_hit_in_every_leg_and_a_long_run_has_enough_legs() -> None:
    chance = random.Random(1)  # noqa: S311 (repeatable on purpose)

    assert set(SERVICE) < {*order_of_points(KILLS.leg, chance)}
    assert set(WORKER) < {*ORDER}
    assert KILLS.long // KILLS.leg >= LONG
    each = often(Leg(1, POSTGRES_KILLS.leg, Path()))
    assert POSTGRES_KILLS.long // POSTGRES_KILLS.leg * each >= LONG


def test_one_that_is_never_reached_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AT, SWEPT, replace(AT[SWEPT], turns={SWEPT: 1_000_000}))
    chance = random.Random(1)  # noqa: S311 (repeatable on purpose)

    with nursery() as children, pytest.raises(AssertionError, match="is never reached"):
        interrupt(children, tmp_path / "chore", SWEPT, chance)
