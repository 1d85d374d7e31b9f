"""Full answers: every skipped question is filled, and nothing else changes."""

from copy import deepcopy
from typing import cast

import pytest

from interlock.ticketing.answer import AnswerInvalid, Wrong
from interlock.ticketing.checked import Json, part, rows
from interlock.ticketing.full_answers import filled, skipped, violations
from interlock.ticketing.interview_document import document
from interlock.ticketing.session import skip_all
from tests.ticketing.talks import AT, a_session, a_whole_talk, words

TALK = document(a_whole_talk(), "ticket-1", "ada")
LOW: Json = {"id": "q4", "answer": {"selected_option_ids": ["o1"]}}


def test_what_was_skipped_is_filled_and_marked() -> None:
    assert skipped(TALK) == ("Q04",)

    found = filled(TALK, [LOW], AT)
    assert skipped(found) == ()
    assert part(rows(found, "questions")[3], "answer") == {
        "skipped": False, "selected_option_ids": ["o1"], "free_text": "", "answered_by": "ai_skip",
        "answered_at": "2027-01-15T08:00:00Z",
    }  # fmt: skip
    assert violations(TALK, found) == ()


def test_nothing_skipped_needs_nothing_filled() -> None:
    found = filled(TALK, [LOW], AT)

    assert filled(found, [], AT) == found


@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        ([], [Wrong("$.full_answers", "an answer to Q04, which was skipped", "none")]),
        ([LOW, {"id": "Q01", "answer": words("x")}], [Wrong("$.full_answers[1].id", "a skipped question: the user answered this one", '"Q01"')]),
        ([LOW, {"id": "Q77", "answer": words("x")}], [Wrong("$.full_answers[1].id", "the id of a skipped question", '"Q77"')]),
        ([LOW, LOW], [Wrong("$.full_answers[1].id", "each question once", '"Q04"')]),
        ([{"id": "Q04", "answer": words(" ")}], [Wrong("$.full_answers[0].answer", "a concrete answer", "none")]),
        ([{"id": "Q04", "answer": {"selected_option_ids": ["o9"]}}], [Wrong("$.full_answers[0].answer.selected_option_ids[0]", "one of o1, o2", '"o9"')]),
    ],
    ids=["missing", "answered", "unknown", "twice", "blank", "option"],
)  # fmt: skip
def test_every_mistake_is_named(answers: list[Json], wrong: list[Wrong]) -> None:
    with pytest.raises(AnswerInvalid) as caught:
        filled(TALK, answers, AT)

    assert list(caught.value.wrong) == wrong


def test_all_skipped_means_all_filled() -> None:
    empty = document(skip_all(a_session(), AT), "ticket-1", "ada")

    found = filled(empty, [{"id": f"Q0{n}", "answer": words("x")} for n in (3, 1, 2)], AT)
    assert [row["id"] for row in rows(found, "questions")] == ["Q01", "Q02", "Q03"]
    assert skipped(found) == ()


def test_whatever_else_was_changed_is_named() -> None:
    after = deepcopy(filled(TALK, [LOW], AT))
    first = cast("dict[str, object]", rows(after, "questions")[0])
    first["prompt"] = "Other?"
    cast("dict[str, object]", first["answer"])["free_text"] = "Money"
    cast("dict[str, object]", rows(after, "questions")[3])["phase"] = "assembly"
    after["ticket_id"] = "ticket-2"
    after["extra"] = 1
    after["follow_up_rounds"] = []

    assert {one.path: one.found for one in violations(TALK, after)} == {
        "$.questions[0].prompt": '"Other?"',
        "$.questions[0].answer.free_text": '"Money"',
        "$.questions[3].phase": '"assembly"',
        "$.ticket_id": '"ticket-2"',
        "$.extra": "1",
        "$.follow_up_rounds": "an empty list",
    }


def test_a_question_that_is_gone_is_named() -> None:
    after = {**TALK, "questions": rows(TALK, "questions")[:4]}

    assert [one.path for one in violations(TALK, after)] == ["$.questions"]
