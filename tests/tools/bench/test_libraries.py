"""The peers do the same as we: same statuses, same moves, guards that refuse, changes recorded."""

import pytest
from statemachine.exceptions import TransitionNotAllowed

from tools.bench.libraries import (
    CLAIM_GUARDS,
    SUBMIT_GUARDS,
    PlanMachine,
    Step,
    StepMachine,
    Work,
    with_statemachine,
    with_transitions,
)
from tools.bench.plan import Entrant, ours

ENTRANTS: dict[str, Entrant] = {
    "ours": ours,
    "transitions": with_transitions,
    "statemachine": with_statemachine,
}


@pytest.mark.parametrize("name", ENTRANTS)
@pytest.mark.parametrize("steps", [1, 3])
def test_the_entrants_do_the_same(name: str, steps: int) -> None:
    assert ENTRANTS[name](steps)() == ("completed", ["completed"] * steps, 2 * steps)


def test_the_status_is_derived_from_counts() -> None:
    work = Work(2)
    work.shift("pending", "in_progress")

    assert (work.derived(), work.counts) == ("executing", {"pending": 1, "in_progress": 1})
    work.shift("in_progress", "awaiting_input")
    assert work.derived() == "awaiting_review"
    work.shift("awaiting_input", "completed")
    work.shift("pending", "skipped")
    assert work.derived() == "completed"
    assert len(work.log) == 4


@pytest.mark.parametrize("plan", ["completed", "awaiting_review"])
def test_a_pair_that_may_not_stand_is_noticed(plan: str) -> None:
    with pytest.raises(AssertionError, match=plan):
        Work(1).check(plan)


def test_every_guard_is_a_question_of_both_libraries() -> None:
    guards = {*CLAIM_GUARDS, *SUBMIT_GUARDS}

    assert [name for name in guards if not hasattr(Step, name)] == []
    assert [name for name in guards if not hasattr(StepMachine, name)] == []


def test_a_guard_refuses() -> None:
    plan, work = PlanMachine(), Work(1)
    step = StepMachine(work, plan)
    step.waits = 1
    with pytest.raises(TransitionNotAllowed):
        step.claim(actor="agent", fence=0)

    assert (step.status(), step.holder, work.log) == ("pending", None, [])
