"""How an event is told: who, what, every move with its cause, and why a thing was refused."""

import pytest

from interlock.cli.demo.stage import ANN, CLOCK, Stage, agent
from interlock.cli.demo.telling import say
from interlock.service.create import NewBranch
from tests.cli.demo.conftest import Theatre

ME = agent("laptop")
Captured = pytest.CaptureFixture[str]


def _begun(theatre: Theatre, capsys: Captured, *branches: NewBranch) -> Stage:
    stage = theatre.begun(*branches)
    assert capsys.readouterr().out == f"  begin           {stage.unit}: the plan is planning\n"
    return stage


def _told(capsys: Captured) -> list[str]:
    head, *rest = capsys.readouterr().out.splitlines()
    return [head.strip(), *(line.strip() for line in rest)]


def test_a_line_says_who_did_what(capsys: Captured) -> None:
    say("ann", "accepts it  [yes]")

    assert capsys.readouterr().out == "  ann      accepts it  [yes]\n"


def test_every_move_is_told_with_the_event_that_caused_it(
    theatre: Theatre, capsys: Captured
) -> None:
    _begun(theatre, capsys).claim(ME, "step")

    assert _told(capsys) == [
        "agent laptop    claim a",
        "plan: planning --begin--> executing  (claim)",
        "a: pending --start--> in_progress  (claim)",
    ]


def test_reasons_and_small_arguments_are_told(theatre: Theatre, capsys: Captured) -> None:
    stage = _begun(theatre, capsys)
    a = stage.claim(ME, "step")
    capsys.readouterr()
    stage.send(ANN, "take_over", a, reason="it is late", result={"big": 1})

    assert _told(capsys)[:2] == [
        "user ann        take_over a  (reason it is late)",
        "a: in_progress --fail--> failed  (take_over, taken_over)",
    ]


def test_a_lift_is_named_as_the_cause(theatre: Theatre, capsys: Captured) -> None:
    stage = _begun(theatre, capsys)
    a = stage.claim(ME, "step")
    capsys.readouterr()
    stage.send(ME, "request_review", a)

    assert _told(capsys)[-1] == "plan: executing --review--> awaiting_review  (lift: a step asks)"


def test_a_cascade_is_named_as_the_cause_and_all_it_moves_are_named(
    theatre: Theatre, capsys: Captured
) -> None:
    stage = _begun(theatre, capsys)
    stage.send(ANN, "fail_plan", reason="no more")

    assert _told(capsys)[1:] == [
        "plan: planning --fail_plan--> failed  (fail_plan)",
        "a, b: pending --close--> skipped  (cascade: close the steps, plan_failed)",
    ]


def test_a_condition_is_told_with_what_it_did(theatre: Theatre, capsys: Captured) -> None:
    yes = "go === true"
    back, on = NewBranch(0, yes, "skip_to", target=0), NewBranch(0, yes, "continue")
    stage = _begun(theatre, capsys, back, on)
    a = stage.claim(ME, "step")
    capsys.readouterr()
    stage.send(ME, "submit", a, result={"go": True})

    assert _told(capsys)[1:3] == [
        "condition result.go === true: nothing, the target is no longer later",
        "condition result.go === true: nothing, an earlier condition fired",
    ]


def test_parts_that_come_and_go_are_told(theatre: Theatre, capsys: Captured) -> None:
    stage = _begun(theatre, capsys)
    stage.send(ME, "add_steps", steps=[{"title": "wider"}, {}])
    stage.send(ME, "remove_step", stage.part("b"))

    assert _told(capsys)[1:] == [
        "#3 'wider', #4 are made, pending",
        "agent laptop    remove_step b",
        "b is taken out  (removed)",
    ]


def test_where_nothing_moves_the_fields_are_told(theatre: Theatre, capsys: Captured) -> None:
    stage = _begun(theatre, capsys)
    a = stage.claim(ME, "step")
    stage.claim(ME, "step")
    stage.send(CLOCK, "lapse", a)
    capsys.readouterr()
    stage.send(ME, "heartbeat", a)
    stage.send(ME, "update_plan")

    assert _told(capsys)[1:] == [
        "plan: stalled --resume--> executing  (heartbeat)",
        "agent laptop    update_plan",
        "nothing moves",
    ]


def test_a_refusal_is_told_with_code_reason_and_way_on(theatre: Theatre, capsys: Captured) -> None:
    stage = _begun(theatre, capsys)
    stage.refused(CLOCK, "claim", stage.part("a"))
    head, told = _told(capsys)

    assert head == "system clock    claim a"
    assert told.startswith("refused: NOT_ALLOWED. claim is not for system to send")
    assert "Legal now, but not for system: get_next_step" in told
