"""Grammars and limits that no expression could live with are refused when they are made."""

import pytest

from interlock.kernel.expression import Grammar, Limits


def test_the_default_limits_are_those_of_the_promise() -> None:
    assert Limits() == Limits(characters=2_000, depth=32, nodes=10_000)


@pytest.mark.parametrize("name", ["characters", "depth", "nodes"])
def test_a_limit_can_be_lowered_but_neither_raised_nor_zero(name: str) -> None:
    highest = {"characters": 2_000, "depth": 32, "nodes": 10_000}[name]

    Limits(**{name: 1})
    for refused in (0, highest + 1):
        with pytest.raises(ValueError, match=f"the limit {name} must be from 1 to {highest:,}"):
            Limits(**{name: refused})


def test_the_default_root_must_be_one_of_the_roots() -> None:
    with pytest.raises(ValueError, match="'result' is not one of the roots"):
        Grammar(roots=frozenset({"decision"}), default_root="result")


@pytest.mark.parametrize("root", ["true", "in", "exists", "two words", "", "1st"])
def test_a_root_must_be_a_name_that_is_not_reserved(root: str) -> None:
    with pytest.raises(ValueError, match="cannot be a root"):
        Grammar(roots=frozenset({"result", root}), default_root="result")
