"""The row of a command: who calls, in which session, under which key."""

from datetime import date
from hashlib import sha256

import pytest

from interlock.commands.all import COMMANDS
from interlock.commands.row import done, in_session, key_of, moves, named, where_of
from interlock.kernel.refusal import Legal
from interlock.store.script import Key
from interlock.wire.envelope import Asking, Shape
from interlock.wire.plan import HeldStep, PlanRef
from interlock.wire.work import HeldWork
from tests.stage import ADA, BOB, Stage, staged


def held(**told: object) -> HeldStep:
    return HeldStep.model_validate({"step_id": "plan-0.1", "lease": "i.1", **told})


def test_only_what_needs_no_more_than_reading_is_a_read() -> None:
    assert COMMANDS["explain"].is_read
    assert not COMMANDS["get_next_step"].is_read


def test_a_row_knows_its_method_its_path_and_what_stands_in_it() -> None:
    row = COMMANDS["get_next_step"]

    assert (row.method, row.path, row.in_path) == ("POST", "/plans/{plan_id}/next", ("plan_id",))


def test_only_what_begins_a_unit_makes_one() -> None:
    assert COMMANDS["create_research_plan"].makes_unit
    assert not COMMANDS["store_research"].makes_unit


def test_without_a_request_id_there_is_no_key() -> None:
    assert key_of("heartbeat_step", ADA, held()) is None
    assert key_of("get_plan_status", ADA, PlanRef(plan_id="plan-0")) is None


def test_the_same_question_has_the_same_key_whatever_the_session() -> None:
    first = key_of("heartbeat_step", ADA, held(request_id="r", session_id="s1"))
    second = key_of("heartbeat_step", ADA, held(request_id="r", session_id="s2"))

    assert first == second
    assert first is not None
    assert (first.principal, first.request) == ("ada", "r")


def test_the_same_question_under_another_id_is_the_same_question() -> None:
    first = key_of("heartbeat_step", ADA, held(request_id="r"))
    second = key_of("heartbeat_step", ADA, held(request_id="q"))

    assert first is not None
    assert first._replace(request="q") == second


def test_a_question_is_known_by_its_values_as_they_are_sent() -> None:
    class Dated(Asking):
        until: date

    asked = Dated(until=date(2026, 1, 2), request_id="r")
    known = sha256(b'["wait",{"until":"2026-01-02"}]').hexdigest()

    assert key_of("wait", ADA, asked) == Key("ada", "r", known)


def test_another_question_is_told_apart_and_so_is_another_command() -> None:
    asked = {
        key_of("heartbeat_step", ADA, held(request_id="r")),
        key_of("heartbeat_step", ADA, held(request_id="r", note="n")),
        key_of("release_step", ADA, held(request_id="r")),
        key_of("heartbeat_step", ADA, held(request_id="q")),
        key_of("heartbeat_step", BOB, held(request_id="r")),
        key_of(
            "heartbeat_work",
            ADA,
            HeldWork.model_validate({"part_id": "plan-0.1", "lease": "i.1", "request_id": "r"}),
        ),
    }

    assert len(asked) == 6


@pytest.mark.parametrize(("session", "expected"), [("s1", "s1"), (None, "")])
def test_a_call_is_made_in_the_session_it_names(session: str | None, expected: str) -> None:
    caller = in_session(ADA, held(session_id=session))

    assert caller.session == expected
    assert (caller.id, caller.scopes) == (ADA.id, ADA.scopes)


def test_a_call_that_can_name_no_session_is_made_in_the_one_of_the_caller() -> None:
    class Bare(Shape):
        pass

    assert in_session(ADA, Bare()) == ADA


def test_what_may_be_sent_is_named_once_and_what_only_the_clock_sends_has_no_name() -> None:
    rows = (
        Legal("claim", "get_next_step", ("agent", "user")),
        Legal("claim_first", "get_next_step", ("agent",)),
        Legal("end", "fail_plan", ("user",)),
        Legal("lapse", "", ("system",)),
    )

    assert named(*rows) == ["get_next_step", "fail_plan"]


@staged
async def test_a_caller_is_told_what_it_may_send_with_what_is_in_hand_first(stage: Stage) -> None:
    plan = await stage.plan(1, review_policy="human")
    await stage.claim(plan)
    whole, running = await stage.whole(plan), stage.engine.running(plan)
    step = whole.parts[0]

    told = moves(running, whole.row, "agent", step)
    assert "submit_step_result" in told
    assert set(moves(running, whole.row, "agent")) < set(told)
    assert moves(running, whole.row, "system") == []
    more = moves(running, whole.row, "agent", step, Legal("look", "look_first", ("agent",)))
    assert "look_first" in more
    assert [name for name in more if name != "look_first"] == told
    people = moves(running, whole.row, "user")
    assert people
    assert set(people) <= set(moves(running, whole.row, "user", step))
    assert where_of(whole.row, "agent", step).part is step.part


def test_a_command_that_moves_no_unit_answers_in_the_same_form() -> None:
    assert done({"id": 7}, "look at it") == {
        "status": "ok", "next_action": "look at it", "legal_moves": [],
        "data": {"id": 7}, "warnings": [],
    }  # fmt: skip
    assert done({})["next_action"] == ""
