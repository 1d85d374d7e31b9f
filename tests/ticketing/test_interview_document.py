"""The interview as a document: made from the session, edited by a person within limits."""

from copy import deepcopy
from typing import cast

import pytest

from interlock.ticketing.answer import AnswerInvalid, wrong_with
from interlock.ticketing.canonical import read, write
from interlock.ticketing.checked import part, rows
from interlock.ticketing.interview_document import DOCUMENT, document, edited, is_skipped
from tests.ticketing.talks import AT, a_session, a_whole_talk

BEFORE = document(a_whole_talk(), "ticket-1", "ada")


def with_answer(number: int, **fields: object) -> dict[str, object]:
    """Return the document with an answer changed."""
    after = deepcopy(BEFORE)
    answer = part(rows(after, "questions")[number], "answer")
    cast("dict[str, object]", answer).update(fields)
    return after


def test_the_document_tells_the_whole_talk() -> None:
    questions = rows(BEFORE, "questions")

    assert [one["id"] for one in questions] == ["Q01", "Q02", "Q03", "Q04", "Q05"]
    assert questions[1] == {
        "id": "Q02", "phase": "structure", "prompt": "Really?", "source": "compiled",
        "follow_up_round": None, "answer_type": "multiple_choice",
        "options": [{"id": "o1", "label": "Red"}, {"id": "o2", "label": "Blue"}],
        "answer": {
            "skipped": False, "selected_option_ids": ["o1", "o2"], "free_text": "",
            "answered_by": "user", "answered_at": "2027-01-15T08:00:00Z",
        },
    }  # fmt: skip
    assert [is_skipped(one) for one in questions] == [False, False, False, True, False]
    assert BEFORE["follow_up_rounds"] == [
        {"round_number": 1, "source": "prompt_follow_up", "question_ids": ["Q04"]}
    ]
    assert BEFORE["summary"] == {"final_free_form_answer": "No."}


def test_the_document_fits_its_schema_and_its_text() -> None:
    assert wrong_with(DOCUMENT, BEFORE) == ()
    assert read(write(BEFORE)) == BEFORE


def test_an_open_question_reads_as_skipped_without_a_time() -> None:
    found = rows(document(a_session(), "ticket-1", "ada"), "questions")[0]

    assert part(found, "answer")["answered_at"] is None
    assert is_skipped(found)


def test_an_untouched_document_is_the_same_after_an_edit() -> None:
    assert edited(BEFORE, deepcopy(BEFORE), AT + 99) == BEFORE


def test_a_changed_answer_is_the_users_from_then_on() -> None:
    after = with_answer(3, free_text=" Very low ")

    now = edited(BEFORE, after, AT + 5000)
    assert part(rows(now, "questions")[3], "answer") == {
        "skipped": False, "selected_option_ids": [], "free_text": "Very low",
        "answered_by": "user", "answered_at": "2027-01-15T08:00:05Z",
    }  # fmt: skip


@pytest.mark.parametrize("fields", [{"skipped": True}, {"free_text": ""}])
def test_an_answer_can_be_taken_back(fields: dict[str, object]) -> None:
    now = edited(BEFORE, with_answer(0, **fields), AT)

    assert part(rows(now, "questions")[0], "answer")["answered_by"] == "user_skip"
    assert is_skipped(rows(now, "questions")[0])


def test_the_summary_follows_the_last_answer_and_origins_stay() -> None:
    after = {**with_answer(4, free_text="Hurry."), "ticket_id": "ticket-2"}

    now = edited(BEFORE, after, AT)
    assert now["summary"] == {"final_free_form_answer": "Hurry."}
    assert now["ticket_id"] == "ticket-1"
    assert list(now) == list(BEFORE)


def changed(number: int, name: str, value: object) -> dict[str, object]:
    after = deepcopy(BEFORE)
    cast("dict[str, object]", rows(after, "questions")[number])[name] = value
    return after


@pytest.mark.parametrize(
    ("after", "path"),
    [
        ({**BEFORE, "questions": rows(BEFORE, "questions")[:4]}, "$.questions"),
        (changed(0, "id", "Q09"), "$.questions"),
        (changed(0, "phase", "assembly"), "$.questions[0].phase"),
        (changed(1, "options", []), "$.questions[1].options"),
        (changed(0, "prompt", " "), "$.questions[0].prompt"),
        (changed(0, "mood", "good"), "$.questions[0].mood"),
        (with_answer(1, selected_option_ids=["o9"]), "$.questions[1].answer.selected_option_ids[0]"),
        (with_answer(2, selected_option_ids=["yes", "no"]), "$.questions[2].answer.selected_option_ids"),
        ({**BEFORE, "artifact": "prd"}, "$.artifact"),
    ],
)  # fmt: skip
def test_what_no_edit_may_change_is_refused_by_place(after: object, path: str) -> None:
    with pytest.raises(AnswerInvalid) as caught:
        edited(BEFORE, after, AT)

    assert path in [one.path for one in caught.value.wrong]


def test_the_words_of_a_question_can_be_mended() -> None:
    now = edited(BEFORE, changed(0, "prompt", "What is it really for?"), AT)

    assert rows(now, "questions")[0]["prompt"] == "What is it really for?"
