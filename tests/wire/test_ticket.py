"""The shapes of the ticket's commands: what must be said, and how much may be."""

import pytest
from pydantic import ValidationError

from interlock.wire.envelope import Asking, Shape
from interlock.wire.ticket import (
    AnswerBatch,
    CreateTicket,
    EditTicket,
    ListTickets,
    RaiseBudget,
    Reopen,
    ReportMerge,
    Retry,
    SaveArtifact,
    TicketRef,
)

SHA = "a" * 40


@pytest.mark.parametrize(
    ("shape", "wrong"),
    [
        (CreateTicket, {"project_id": "project-1", "title": ""}),
        (CreateTicket, {"project_id": "project-1", "title": "t", "policy": "nobody"}),
        (CreateTicket, {"project_id": "project-1", "title": "t" * 501}),
        (CreateTicket, {"project_id": "project-1", "title": "t", "description": "d" * 50_001}),
        (EditTicket, {"ticket_id": "ticket-1", "description": "d" * 50_001}),
        (Retry, {"ticket_id": "ticket-1", "note": "n" * 20_001}),
        (AnswerBatch, {"ticket_id": "ticket-1", "batch": 0}),
        (AnswerBatch, {"ticket_id": "ticket-1", "batch": 1, "answers": [{"text": "x"}]}),
        (SaveArtifact, {"ticket_id": "ticket-1", "content": "a: 1"}),
        (Reopen, {"ticket_id": "ticket-1", "artifact": "tree", "reason": "r"}),
        (RaiseBudget, {"ticket_id": "ticket-1", "tokens": -1}),
        (ReportMerge, {"ticket_id": "t", "merge_commit": "main", "base_head": SHA, "head": SHA}),
        (ListTickets, {"limit": 201}),
    ],
)
def test_what_does_not_fit_is_refused(shape: type[Shape], wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        shape.model_validate(wrong)


def test_what_just_fits_is_taken() -> None:
    CreateTicket.model_validate(
        {"project_id": "p", "title": "t" * 500, "description": "d" * 50_000}
    )
    assert Retry.model_validate({"ticket_id": "ticket-1", "note": "n" * 20_000}).note


def test_an_answer_may_be_words_options_or_neither() -> None:
    told = AnswerBatch.model_validate({
        "ticket_id": "ticket-1", "batch": 1,
        "answers": [{"question_id": "Q01"}, {"question_id": "Q02", "selected": ["a"]}],
    })  # fmt: skip

    assert [(one.selected, one.text) for one in told.answers] == [((), ""), (("a",), "")]


def test_reads_take_no_request_id() -> None:
    assert not issubclass(TicketRef, Asking)
    assert CreateTicket.model_validate({"project_id": "p", "title": "t"}).policy == "human"
