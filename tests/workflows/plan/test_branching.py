"""Conditions: when they hold, what a true one does, and what is noted about every one of them."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision
from interlock.kernel.expression import InvalidExpression
from interlock.kernel.look import look
from interlock.kernel.replay import apply
from interlock.kernel.seen import Event
from interlock.kernel.snapshot import Condition
from interlock.workflows.plan.branching import (
    ACTIONS,
    Resolution,
    evaluate_condition,
    read_expression,
    resolve_branch,
)
from interlock.workflows.plan.machines import STEP
from interlock.workflows.plan.workflow import WORKFLOW
from tests.workflows.story import ME, standing

SCOPE: Mapping[str, object] = {
    "result": {"found": 3, "kind": "paper", "rows": [{"price": 7}]},
    "confidence": 0.8,
    "result_summary": "three found",
    "step": {"status": "completed", "attempt": 2},
    "plan": {"status": "executing"},
    "decision": "approve",
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("found >= 3", True),
        ("result.found > 3", False),
        ("confidence < 0.5", False),
        ("result_summary === 'three found'", True),
        ("step.attempt === 2 && plan.status === 'executing'", True),
        ("decision in ['approve', 'skip']", True),
        ("rows[0].price === 7", True),
        ("exists(missing)", False),
        ("missing !== 1", True),
        ("missing === 1", False),
        ("found === '3'", False),
        ("kind > 1", False),
        ("found >", False),
        ("import os", False),
        ("", False),
    ],
)
def test_a_condition_holds_or_not(text: str, *, value: bool) -> None:
    assert evaluate_condition(text, SCOPE) is value


@given(text=st.text(max_size=80))
def test_a_condition_never_raises(text: str) -> None:
    assert evaluate_condition(text, SCOPE) in (True, False)


def test_reading_an_expression_says_where_it_is_wrong() -> None:
    with pytest.raises(InvalidExpression) as caught:
        read_expression("found >")

    assert caught.value.code == "INVALID_EXPRESSION"
    assert caught.value.position == 7
    assert "literal" in caught.value.expected


@pytest.mark.parametrize(
    ("statuses", "target", "skipped"),
    [
        ("completed pending pending pending", 3, (1, 2)),
        ("completed pending pending", 1, ()),
        ("completed pending in_progress pending", 3, (1,)),
        ("completed skipped failed pending", 3, ()),
    ],
)
def test_skip_to_skips_the_pending_steps_between(
    statuses: str, target: int, skipped: tuple[int, ...]
) -> None:
    assert resolve_branch("skip_to", {}, statuses.split(), 0, target) == Resolution(
        "skip_to", is_applied=True, skipped=skipped
    )


@pytest.mark.parametrize(
    ("completed", "target", "why_not"),
    [
        (1, None, "the target is no longer later"),
        (1, 1, "the target is no longer later"),
        (1, 0, "the target is no longer later"),
        (1, 4, "the target is no longer later"),
        (1, 2, "the target is no longer pending"),
    ],
)
def test_skip_to_a_target_that_does_not_fit_is_not_applied(
    completed: int, target: int | None, why_not: str
) -> None:
    statuses = ("pending", "completed", "in_progress", "pending")

    assert resolve_branch("skip_to", {}, statuses, completed, target) == Resolution(
        "skip_to", is_applied=False, why_not=why_not
    )


def test_add_steps_adds_its_rows_in_order() -> None:
    rows = ({"title": "a"}, {"title": "b"})

    assert resolve_branch("add_steps", {"steps": rows}, ("completed",), 0) == Resolution(
        "add_steps", is_applied=True, added=rows
    )


def test_fail_gives_the_reason() -> None:
    assert resolve_branch("fail", {"reason": "a dead end"}, ("completed",), 0) == Resolution(
        "fail", is_applied=True, reason="a dead end"
    )


def test_continue_does_nothing() -> None:
    assert resolve_branch("continue", {}, ("completed", "pending"), 0) == Resolution(
        "continue", is_applied=True
    )


def test_the_actions_are_the_four_of_the_specification() -> None:
    assert ACTIONS == ("skip_to", "add_steps", "fail", "continue")


def _submitted(statuses: Sequence[str], *conditions: Condition) -> tuple[Decision, str]:
    words = f"executing: in_progress* {' '.join(statuses)}"
    snapshot = standing(WORKFLOW, "step", words, {}).with_conditions({"1": conditions})
    event = Event("submit", ME, "1", {"fence": 1, "result": {"go": True}})
    decision = decide(WORKFLOW, look(WORKFLOW, snapshot, event), event)
    after = apply(WORKFLOW, snapshot, decision, lambda _, number: str(number + 1))
    return decision, " ".join(part.status for part in after.parts)


@given(statuses=st.lists(st.sampled_from(STEP.names()), max_size=5), target=st.integers(1, 6))
def test_the_engine_skips_exactly_what_resolve_branch_says(
    statuses: list[str], target: int
) -> None:
    # A step that waits for review would hold the plan, which is another standing altogether.
    steps = [status.replace("awaiting_input", "pending") for status in statuses]
    place = min(target, len(steps))
    condition = Condition(read_expression("go === true"), "skip_to", {}, str(place + 1))
    said = resolve_branch("skip_to", {}, ["completed", *steps], 0, place)
    _, after = _submitted(steps, condition)
    wanted = ["completed", *steps]
    for skipped in said.skipped:
        wanted[skipped] = "skipped"

    assert after.split() == wanted


def test_every_outcome_is_noted_and_only_the_first_true_one_acts() -> None:
    yes, no = read_expression("go === true"), read_expression("go === false")
    decision, after = _submitted(
        ["pending", "pending"],
        Condition(no, "fail"),
        Condition(yes, "skip_to", {}, "1"),
        Condition(yes, "fail"),
    )

    assert after == "completed pending pending"
    assert decision.notes["branches"] == [
        _noted("result.go === false", "fail", value=False, why_not="false"),
        _noted(
            "result.go === true", "skip_to", value=True, why_not="the target is no longer later"
        ),
        _noted("result.go === true", "fail", value=False, why_not="an earlier condition fired"),
    ]


def _noted(expression: str, action: str, *, value: bool, why_not: str) -> dict[str, object]:
    return {
        "expression": expression,
        "value": value,
        "action": action,
        "applied": value and not why_not,
        "why_not": why_not,
    }


def test_a_step_without_conditions_notes_nothing() -> None:
    decision, _ = _submitted(["pending"])

    assert decision.notes == {}
