"""When is a step silent for too long? Strictly later than its threshold, by its last sign of life."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.workflows.plan.machines import STEP
from interlock.workflows.plan.stalls import (
    STALL_AFTER_MS,
    Timed,
    detect_stalled_steps,
    is_plan_stalled,
)

MINUTE_MS = 60_000
NOW = 1_000 * MINUTE_MS


def test_the_threshold_is_half_an_hour() -> None:
    assert STALL_AFTER_MS == 30 * MINUTE_MS


@pytest.mark.parametrize(
    ("silent_ms", "is_stalled"),
    [(STALL_AFTER_MS - 1, False), (STALL_AFTER_MS, False), (STALL_AFTER_MS + 1, True)],
)
def test_a_step_is_stalled_strictly_after_its_threshold(
    silent_ms: int, *, is_stalled: bool
) -> None:
    step = Timed("a", "in_progress", updated_at=NOW, started_at=NOW - silent_ms)

    assert is_plan_stalled([step], NOW) is is_stalled


def test_the_start_counts_before_the_last_change() -> None:
    begun_late = Timed("a", "in_progress", updated_at=0, started_at=NOW)
    begun_early = Timed("b", "in_progress", updated_at=NOW, started_at=0)

    assert detect_stalled_steps([begun_late, begun_early], NOW) == (begun_early,)


def test_a_start_at_zero_is_a_start() -> None:
    assert is_plan_stalled([Timed("a", "in_progress", updated_at=NOW, started_at=0)], NOW)


def test_without_a_start_the_last_change_counts() -> None:
    old = Timed("a", "in_progress", updated_at=NOW - STALL_AFTER_MS - 1)
    new = Timed("b", "in_progress", updated_at=NOW)

    assert detect_stalled_steps([old, new], NOW) == (old,)


def test_a_step_may_have_a_threshold_of_its_own() -> None:
    patient = Timed("a", "in_progress", 0, started_at=0, stall_after_ms=NOW)
    hasty = Timed("b", "in_progress", NOW, started_at=NOW - 1, stall_after_ms=0)

    assert detect_stalled_steps([patient, hasty], NOW) == (hasty,)
    assert detect_stalled_steps([patient, hasty], NOW, threshold_ms=0) == (hasty,)


def test_the_plans_threshold_holds_for_steps_without_one() -> None:
    step = Timed("a", "in_progress", NOW, started_at=NOW - 2 * MINUTE_MS)

    assert detect_stalled_steps([step], NOW, threshold_ms=MINUTE_MS) == (step,)
    assert detect_stalled_steps([step], NOW, threshold_ms=2 * MINUTE_MS) == ()


@pytest.mark.parametrize("status", [name for name in STEP.names() if name != "in_progress"])
def test_only_steps_in_progress_stall(status: str) -> None:
    assert detect_stalled_steps([Timed("a", status, updated_at=0)], NOW) == ()


def test_no_steps_do_not_stall() -> None:
    assert not is_plan_stalled([], NOW)


@given(
    starts=st.lists(st.integers(0, 2 * NOW), max_size=8),
    threshold_ms=st.integers(0, NOW),
)
def test_a_plan_is_stalled_exactly_if_some_step_is(starts: list[int], threshold_ms: int) -> None:
    steps = [Timed(str(i), "in_progress", 0, started_at=at) for i, at in enumerate(starts)]
    stalled = detect_stalled_steps(steps, NOW, threshold_ms)

    assert is_plan_stalled(steps, NOW, threshold_ms) is bool(stalled)
    assert [step.started_at for step in stalled] == [at for at in starts if NOW - at > threshold_ms]
