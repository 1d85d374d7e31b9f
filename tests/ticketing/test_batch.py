"""Questions as they are put to the user: types, options, and their limits."""

import pytest

from interlock.ticketing.answer import wrong_with
from interlock.ticketing.batch import BATCH, Asked, asked, wrong_options
from interlock.ticketing.checked import Json
from interlock.ticketing.interview import Option


def question(kind: str, options: list[str] | None = None) -> Json:
    more = {} if options is None else {"options": options}
    return {"id": "q1", "question": "Which?", "answer_type": kind, **more}


def letters(count: int) -> list[str]:
    return [f"Choice {number}" for number in range(count)]


def test_options_get_ids_and_yes_or_no_is_a_choice_of_ours() -> None:
    document = {
        "questions": [
            question("single_choice", ["Red", " Blue "]),
            question("yes_no"),
            {"question": "Why?", "phase": "assembly", "answer_type": "free_text", "options": []},
        ]
    }

    assert wrong_with(BATCH, document) == ()
    assert asked(document, "questions") == (
        Asked("Q01", "Which?", "", "single_choice", (Option("o1", "Red"), Option("o2", "Blue"))),
        Asked("Q01", "Which?", "", "yes_no", (Option("yes", "Yes"), Option("no", "No"))),
        Asked("", "Why?", "assembly", "free_text", ()),
    )


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        ("single_choice", None, "2 to 10 options for single_choice"),
        ("single_choice", letters(1), "2 to 10 options for single_choice"),
        ("single_choice", letters(11), "2 to 10 options for single_choice"),
        ("multiple_choice", letters(1), "2 to 15 options for multiple_choice"),
        ("multiple_choice", ["Red", "red"], "options that differ"),
        ("free_text", letters(2), "no options for free_text"),
        ("yes_no", letters(2), "no options for yes_no"),
    ],
)
def test_options_that_do_not_fit_the_type_are_wrong(
    kind: str, options: list[str] | None, expected: str
) -> None:
    rows = [question("free_text"), question(kind, options)]

    found = list(wrong_options(rows, "questions"))
    assert [(one.path, one.expected) for one in found] == [("$.questions[1].options", expected)]


@pytest.mark.parametrize(
    ("kind", "count"), [("single_choice", 2), ("single_choice", 10), ("multiple_choice", 15)]
)
def test_options_up_to_the_limit_are_right(kind: str, count: int) -> None:
    assert list(wrong_options([question(kind, letters(count))], "questions")) == []


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ({"questions": []}, "$.questions"),
        ({"questions": [question("yes_no")] * 4}, "$.questions"),
        ({"questions": [question("number")]}, "$.questions[0].answer_type"),
        ({"questions": [question("multiple_choice", letters(16))]}, "$.questions[0].options"),
        ({}, "$"),
        ({"questions": [question("yes_no")], "complete": True}, "$"),
        ({"complete": False}, "$.complete"),
    ],
)
def test_a_batch_of_another_form_is_wrong(answer: Json, path: str) -> None:
    assert [one.path for one in wrong_with(BATCH, answer)] == [path]
