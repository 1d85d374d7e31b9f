"""The one envelope and the one form of an error: whole, closed to unknown words, fit for JSON."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from interlock.errors import InterlockError
from interlock.kernel.decide import decide
from interlock.kernel.look import look
from interlock.kernel.refusal import Refusal
from interlock.kernel.seen import Actor, Event
from interlock.kernel.snapshot import begin, new_part
from interlock.kernel.transition import InvalidTransition
from interlock.service.errors import Conflict, NotFound
from interlock.wire.envelope import Asking, Envelope, Problem, problem
from interlock.workflows.plan.transitions import transition_plan
from interlock.workflows.plan.workflow import WORKFLOW


def refusal() -> Refusal:
    """Return what a heartbeat with an old lease is refused with."""
    held = new_part(WORKFLOW, "step", {"holder": "bob", "fence": 2})
    first = begin(WORKFLOW)
    unit = replace(first.unit, status="executing")
    first = replace(first, unit=unit, parts=(replace(held, status="in_progress"),), ids=("1",))
    event = Event("heartbeat", Actor("agent", "ada"), "1", {"fence": 1})
    with pytest.raises(Refusal) as no:
        decide(WORKFLOW, look(WORKFLOW, first, event), event)
    return no.value


def test_unknown_words_are_refused() -> None:
    with pytest.raises(ValidationError, match="extra_forbidden"):
        Envelope.model_validate({"status": "ok", "stauts": "ok"})


def test_a_shape_cannot_be_changed() -> None:
    envelope = Envelope.model_validate({"status": "ok"})

    with pytest.raises(ValidationError, match="frozen"):
        envelope.__setattr__("status", "bad")


def test_what_is_not_there_is_not_said() -> None:
    envelope = Envelope.model_validate({"status": "ok"})
    told = envelope.model_dump(mode="json", exclude_none=True)

    assert told == {
        "status": "ok",
        "next_action": "",
        "legal_moves": [],
        "data": {},
        "warnings": [],
    }


@pytest.mark.parametrize("name", ["request_id", "session_id"])
@pytest.mark.parametrize("value", ["", "x" * 201, 5])
def test_ids_of_requests_and_sessions_have_a_size(name: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Asking.model_validate({name: value})


def test_a_refusal_is_told_with_what_is_legal_and_without_what_only_the_clock_sends() -> None:
    no = refusal()
    told = problem(no)

    assert (told.code, told.retryable) == ("STALE_LEASE", False)
    assert told.message
    assert told.fix
    assert "lapse" not in [row.event for row in no.legal]
    assert "take_over_step" in told.legal_moves
    assert len(set(told.legal_moves)) == len(told.legal_moves)
    assert all(told.legal_moves)


def test_an_error_without_moves_has_none() -> None:
    with pytest.raises(InvalidTransition) as no:
        transition_plan("planning", "completed")

    assert problem(no.value).legal_moves == ()
    assert problem(NotFound("x")) == Problem(
        code="NOT_FOUND", message="There is no 'x'.", fix="Check the id; list what there is."
    )
    assert problem(Conflict("again")).retryable


def test_an_error_of_no_kind_is_internal() -> None:
    assert problem(InterlockError("what?")).code == "INTERNAL"
