"""How an event is told: who, what, every move with its cause, and why a thing was refused."""

import pytest

from interlock.cli.demo.stage import ANN, CLOCK, Stage, agent
from interlock.kernel.snapshot import Condition, new_part
from interlock.workflows.plan.branching import read_expression
from interlock.workflows.plan.workflow import WORKFLOW

ME = agent("laptop")
Captured = pytest.CaptureFixture[str]


def _begun(capsys: Captured, *conditions: Condition) -> Stage:
    parts = {name: new_part(WORKFLOW, "step") for name in ("a", "b")}
    stage = Stage(WORKFLOW, {}, parts, {"a": conditions} if conditions else None)
    assert capsys.readouterr().out == "  begin           the plan is planning\n"
    return stage


def _told(capsys: Captured) -> list[str]:
    head, *rest = capsys.readouterr().out.splitlines()
    return [head.strip(), *(line.strip() for line in rest)]


def test_every_move_is_told_with_the_event_that_caused_it(capsys: Captured) -> None:
    _begun(capsys).send(ME, "claim", "a")

    assert _told(capsys) == [
        "agent laptop    claim a",
        "plan: planning --begin--> executing  (claim)",
        "a: pending --start--> in_progress  (claim)",
    ]


def test_reasons_and_small_arguments_are_told(capsys: Captured) -> None:
    stage = _begun(capsys)
    stage.send(ME, "claim", "a")
    capsys.readouterr()
    stage.send(ANN, "take_over", "a", reason="it is late", result={"big": 1})

    assert _told(capsys)[:2] == [
        "user ann        take_over a  (reason it is late)",
        "a: in_progress --fail--> failed  (take_over, taken_over)",
    ]


def test_a_lift_is_named_as_the_cause(capsys: Captured) -> None:
    stage = _begun(capsys)
    stage.send(ME, "claim", "a")
    capsys.readouterr()
    stage.send(ME, "request_review", "a")

    assert _told(capsys)[-1] == "plan: executing --review--> awaiting_review  (lift: a step asks)"


def test_a_cascade_is_named_as_the_cause_and_all_it_moves_are_named(capsys: Captured) -> None:
    stage = _begun(capsys)
    stage.send(ANN, "fail_plan", reason="no more")

    assert _told(capsys)[1:] == [
        "plan: planning --fail_plan--> failed  (fail_plan)",
        "a, b: pending --close--> skipped  (cascade: close the steps, plan_failed)",
    ]


def test_a_condition_is_told_with_what_it_did(capsys: Captured) -> None:
    yes = read_expression("go === true")
    stage = _begun(capsys, Condition(yes, "skip_to", {}, "a"), Condition(yes, "continue"))
    stage.send(ME, "claim", "a")
    capsys.readouterr()
    stage.send(ME, "submit", "a", fence=1, result={"go": True})

    assert _told(capsys)[1:3] == [
        "condition result.go === true: nothing, the target is no longer later",
        "condition result.go === true: nothing, an earlier condition fired",
    ]


def test_parts_that_come_and_go_are_told(capsys: Captured) -> None:
    stage = _begun(capsys)
    stage.send(ME, "add_steps", steps=[{"title": "wider"}, {}])
    stage.send(ME, "remove_step", "b")

    assert _told(capsys)[1:] == [
        "step-3 'wider', step-4 are made, pending",
        "agent laptop    remove_step b",
        "b is taken out  (removed)",
    ]


def test_where_nothing_moves_the_fields_are_told(capsys: Captured) -> None:
    stage = _begun(capsys)
    stage.send(ME, "claim", "a")
    stage.send(ME, "claim", "b")
    stage.send(CLOCK, "lapse", "a")
    capsys.readouterr()
    stage.send(ME, "heartbeat", "a", fence=1)
    stage.send(ME, "update_plan")

    assert _told(capsys)[1:] == [
        "plan: stalled --resume--> executing  (heartbeat)",
        "agent laptop    update_plan",
        "nothing moves",
    ]


def test_a_refusal_is_told_with_code_reason_and_way_on(capsys: Captured) -> None:
    _begun(capsys).refused(CLOCK, "claim", "a")
    head, told = _told(capsys)

    assert head == "system clock    claim a"
    assert told.startswith("refused: NOT_ALLOWED. claim is not for system to send")
    assert "Legal now: get_next_step" in told
