"""The rows that tie machines together: what they say when a column is left out."""

from dataclasses import FrozenInstanceError

import pytest

from interlock.kernel.forms import In
from interlock.kernel.rules import (
    ACTORS,
    AGENT,
    NO_ARGS,
    Cascade,
    Do,
    Fire,
    Guard,
    Lift,
    Pair,
    Rule,
)

SOMEWHERE = In("unit", ("open",))


def test_there_are_four_kinds_of_actor() -> None:
    assert frozenset({"user", "agent", "worker", "system"}) == ACTORS


def test_a_guard_refuses_the_transition_unless_it_has_a_code_of_its_own() -> None:
    assert Guard(SOMEWHERE).code == "INVALID_TRANSITION"


def test_a_stage_fires_for_certain_unless_it_says_maybe() -> None:
    stage = Fire("unit", "begin")

    assert (stage.maybe, stage.when, stage.from_arg) == (False, None, "")


def test_a_rule_is_tried_once_without_arguments_unless_it_has_examples() -> None:
    rule = Rule("claim", "item", frozenset({AGENT}))

    assert rule.examples == (NO_ARGS,)
    assert not rule.lease


def test_a_lift_lifts_the_unit_and_a_cascade_reaches_all_unless_told() -> None:
    assert Lift("up", SOMEWHERE, "finish").who == "unit"
    assert Cascade("down", "case").whom == "all"


@pytest.mark.parametrize(
    "row",
    [Guard(SOMEWHERE), Fire("unit", "x"), Do("x"), Lift("x", SOMEWHERE, "x"), Cascade("x", "x"),
     Pair("x", ("open",), SOMEWHERE), Rule("x", "x", frozenset({AGENT}))],
)  # fmt: skip
def test_rows_are_values_that_never_change(row: object) -> None:
    name = next(iter(row.__slots__))  # type: ignore[attr-defined]  # every row has slots

    with pytest.raises(FrozenInstanceError):
        setattr(row, name, None)
