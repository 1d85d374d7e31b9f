"""The public functions over the two maps, and the status that is derived from the steps."""

from collections import Counter
from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.kernel.transition import InvalidTransition
from interlock.workflows.plan.machines import PLAN, STEP
from interlock.workflows.plan.transitions import (
    can_transition_plan,
    can_transition_step,
    derive_plan_status,
    transition_plan,
    transition_step,
)
from tests.workflows.plan.test_machines import PLAN_MAP, STEP_MAP

STEPS = st.lists(st.sampled_from(STEP.names()), max_size=12)
WORDS = st.text() | st.sampled_from([*PLAN.names(), *STEP.names()])

Map = Mapping[str, set[str]]


def _pairs(published: Map, *, are_legal: bool) -> list[tuple[str, str]]:
    """Return the pairs of statuses that are edges of a map, or those that are not."""
    every = product(published, published)
    return [(a, b) for a, b in every if (b in published[a]) is are_legal]


VECTORS = {
    "": "planning",
    "completed failed pending": "executing",
    "completed failed skipped": "completed",
    "failed awaiting_input": "awaiting_review",
    "awaiting_input in_progress pending": "awaiting_review",
    "failed": "completed",
    "skipped": "completed",
    "pending": "executing",
    "in_progress": "executing",
}
"""The first four are the seed's own."""


@given(source=WORDS, target=WORDS)
def test_asking_never_raises_and_says_what_the_map_says(source: str, target: str) -> None:
    assert can_transition_plan(source, target) is (target in PLAN_MAP.get(source, ()))
    assert can_transition_step(source, target) is (target in STEP_MAP.get(source, ()))


@pytest.mark.parametrize(("source", "target"), _pairs(PLAN_MAP, are_legal=True))
def test_a_plan_goes_where_the_map_says(source: str, target: str) -> None:
    assert transition_plan(source, target) == target


@pytest.mark.parametrize(("source", "target"), _pairs(PLAN_MAP, are_legal=False))
def test_a_plan_goes_nowhere_else(source: str, target: str) -> None:
    with pytest.raises(InvalidTransition) as caught:
        transition_plan(source, target)

    assert set(caught.value.legal) == PLAN_MAP[source]


@pytest.mark.parametrize(("source", "target"), _pairs(STEP_MAP, are_legal=True))
def test_a_step_goes_where_the_map_says(source: str, target: str) -> None:
    assert transition_step(source, target) == target


@pytest.mark.parametrize(("source", "target"), _pairs(STEP_MAP, are_legal=False))
def test_a_step_goes_nowhere_else(source: str, target: str) -> None:
    with pytest.raises(InvalidTransition) as caught:
        transition_step(source, target)

    assert set(caught.value.legal) == STEP_MAP[source]


def test_an_invalid_transition_carries_from_to_and_the_legal_moves() -> None:
    with pytest.raises(InvalidTransition) as caught:
        transition_plan("stalled", "completed")
    error = caught.value

    assert (error.code, error.http) == ("INVALID_TRANSITION", 409)
    assert (error.source, error.target, error.legal) == (
        "stalled",
        "completed",
        ("executing", "failed"),
    )
    assert error.message == "A plan cannot go from stalled to completed."
    assert error.fix == "Legal from stalled: executing, failed."


def test_nothing_is_legal_from_an_end() -> None:
    with pytest.raises(InvalidTransition) as caught:
        transition_step("completed", "pending")

    assert caught.value.legal == ()
    assert caught.value.fix == "Legal from completed: nothing: the status is terminal."


@pytest.mark.parametrize(
    ("source", "target"), [("pendign", "in_progress"), ("in_progress", "pendign")]
)
def test_an_unknown_status_is_answered_with_the_nearest_name(source: str, target: str) -> None:
    with pytest.raises(InvalidTransition) as caught:
        transition_step(source, target)

    assert caught.value.message == "A step has no status 'pendign'; did you mean 'pending'?"


def test_from_an_unknown_status_the_known_ones_are_named() -> None:
    with pytest.raises(InvalidTransition) as caught:
        transition_plan("zzz", "failed")

    assert caught.value.fix == (
        "Statuses of a plan: planning, executing, awaiting_review, stalled, completed, failed."
    )


@pytest.mark.parametrize(("steps", "plan"), VECTORS.items(), ids=lambda words: words or "none")
def test_the_status_of_a_plan_follows_from_its_steps(steps: str, plan: str) -> None:
    assert derive_plan_status(steps.split()) == plan


@given(steps=STEPS)
def test_deriving_over_a_list_equals_deriving_over_a_tally(steps: list[str]) -> None:
    tally = dict.fromkeys(STEP.names(), 0) | Counter(steps)

    assert derive_plan_status(steps) == derive_plan_status(tally)
    assert derive_plan_status(steps) == derive_plan_status(Counter(steps))
    assert derive_plan_status(steps) == derive_plan_status(reversed(steps))


def test_an_unknown_status_cannot_be_derived_from() -> None:
    with pytest.raises(InvalidTransition, match="did you mean 'completed'"):
        derive_plan_status(["complete"])
