"""The campaign of both stores: what one of them does otherwise is found.

At its small figure it is ``test_parity``; with other seeds ``make torture`` runs it.
"""

from pathlib import Path

import pytest

from tests.conformance.playing import Played
from tests.conformance.stores import OPENINGS
from tests.conformance.torture import differences, parity
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.frame import Leg


@pytest.mark.parametrize(
    "bug", [bug for bug in bugs() if bug.name == "a store that sorts otherwise"]
)
def test_a_store_that_sorts_otherwise_is_found(
    tmp_path: Path, request: pytest.FixtureRequest, bug: Bug
) -> None:
    there = OPENINGS["postgres"](request, tmp_path)
    tried = parity(Leg(bug.seed, bug.amount, tmp_path, bug.name), there)

    assert caught(bug, [*tried.findings]), tried.findings


def test_two_that_say_the_same_at_other_times_do_not_differ() -> None:
    one = Played(texts=["until 2026-01-01T00:00:00Z"], states=["a"], audit=["x"])
    other = Played(texts=["until 2027-02-02T00:00:00Z"], states=["a"], audit=["x"])

    assert [*differences(one, other)] == []


def test_whatever_is_said_otherwise_or_is_missing_is_told() -> None:
    one = Played(texts=["a", "b"], states=["a"], audit=["x", "y"])
    other = Played(texts=["a", "c"], states=["a"], audit=["x"])

    assert [*differences(one, other)] == [
        "the stores differ in their answers, number 1: b on SQLite, c on PostgreSQL",
        "the stores differ in how many audits there are: 2, 1",
    ]
