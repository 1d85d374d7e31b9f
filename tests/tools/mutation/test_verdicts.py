"""Verdicts: what a code means, what a mutant changes, and what is counted as caught."""

from pathlib import Path

import pytest

from tests.tools.mutation.shop import NAME, left_behind
from tools.mutation.verdicts import Fate, Mutant, Score, fate, mutants, score


@pytest.mark.parametrize(
    ("code", "expected"),
    [(1, "caught"), (3, "caught"), (0, "survived"), (33, "no test"), (5, "no test"),
     (36, "timeout"), (-24, "timeout"), (None, "open"), (2, "open"), (-11, "odd"), (35, "odd")],
)  # fmt: skip
def test_a_code_says_what_came_of_a_mutant(code: int | None, expected: Fate) -> None:
    assert fate(code) == expected


def test_a_survivor_is_told_as_the_line_it_changes(tmp_path: Path) -> None:
    shop = left_behind(tmp_path, {f"{NAME}1": 1, f"{NAME}2": 0})

    first, second = mutants(shop)

    assert (first.fate, first.was, first.now) == ("caught", "", "")
    assert (second.module, second.function) == ("kernel/twice.py", "twice")
    assert (second.was, second.now) == ("doubled = number * 2", "doubled = number * 3")
    assert str(second).endswith("number * 2 -> doubled = number * 3 (survived)")


def test_a_method_is_called_by_its_class() -> None:
    assert Mutant("a.b.xǁDraftǁwrite__mutmut_12", "b.py", "caught").function == "Draft.write"


def test_what_no_test_reaches_was_not_caught() -> None:
    found = [
        Mutant("", "", fate)
        for fate in ("caught", "caught", "timeout", "no test", "survived", "odd", "open")
    ]

    counted = score([*found, Mutant("", "", "caught")])

    assert counted == Score(8, caught=3, timeout=1, survived=2, no_test=1, left=1)
    assert counted.percent == 50
    assert counted.data()["score"] == 50


def test_of_nothing_nothing_was_caught() -> None:
    assert score([]).percent == 0
