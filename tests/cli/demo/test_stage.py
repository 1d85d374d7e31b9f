"""The stage of the demo: the same ``decide`` as everywhere, and records that fold to the unit."""

import pytest

from interlock.cli.demo.stage import ANN, CLOCK, WORKS, Stage, agent
from interlock.kernel.refusal import Refusal
from interlock.kernel.snapshot import new_part
from interlock.workflows.plan.workflow import WORKFLOW

ME = agent("laptop")


@pytest.fixture
def stage() -> Stage:
    return Stage(WORKFLOW, {}, {name: new_part(WORKFLOW, "step") for name in ("a", "b")})


def test_the_cast() -> None:
    assert [actor.kind for actor in (ANN, CLOCK, WORKS, ME)] == [
        "user",
        "system",
        "worker",
        "agent",
    ]


def test_an_event_moves_the_unit_and_is_counted(stage: Stage) -> None:
    decision = stage.send(ME, "claim", "a")

    assert (decision.at, stage.sent) == (1, 1)
    assert (stage.now.unit.status, stage.now.part("a").status) == ("executing", "in_progress")
    assert stage.fence("a") == 1


def test_an_event_that_should_be_accepted_must_be(stage: Stage) -> None:
    with pytest.raises(Refusal, match="INVALID_TRANSITION"):
        stage.send(ME, "retry_step", "a")


def test_a_refusal_changes_nothing_but_is_counted(stage: Stage) -> None:
    before = stage.now.key()

    assert stage.refused(CLOCK, "claim", "a") == "NOT_ALLOWED"
    assert (stage.now.key(), stage.refusals, stage.sent) == (before, 1, 0)


def test_an_event_that_should_be_refused_must_be(stage: Stage) -> None:
    with pytest.raises(AssertionError, match="claim should have been refused"):
        stage.refused(ME, "claim", "a")


def test_the_queue_hands_out_the_first_step_that_is_free(stage: Stage) -> None:
    assert stage.head("step") == "a"
    stage.send(ME, "claim", "a")
    assert stage.head("step") == "b"
    stage.send(ME, "claim", "b")
    with pytest.raises(TypeError, match="the queue of step is empty"):
        stage.head("step")


def test_new_parts_are_numbered_by_kind(stage: Stage) -> None:
    stage.send(ME, "add_steps", steps=[{}, {}])

    assert stage.now.ids == ("a", "b", "step-3", "step-4")
    assert stage.newest("step") == "step-4"


def test_the_records_fold_from_nothing_to_the_same_unit(stage: Stage) -> None:
    stage.send(ME, "claim", "a")
    stage.send(ME, "submit", "a", fence=1)

    assert stage.close() == "2 events, 0 refused, 3 moves; 8 records fold to the same unit"


def test_a_record_that_is_lost_is_noticed(stage: Stage) -> None:
    stage.send(ME, "claim", "a")
    stage.log.pop()
    with pytest.raises(AssertionError, match="does not reproduce"):
        stage.close()
