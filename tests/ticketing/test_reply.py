"""One answer to one question: chosen, in words, skipped, or wrong."""

import pytest

from interlock.ticketing.answer import Wrong
from interlock.ticketing.interview import Option, Question
from interlock.ticketing.reply import Reply, instant, reply, skip, wrong_with_reply

OPTIONS = (Option("o1", "Red"), Option("o2", "Blue"))
SINGLE = Question("Q01", "structure", "Which?", answer_type="single_choice", options=OPTIONS)
MULTIPLE = SINGLE._replace(answer_type="multiple_choice")
FREE = Question("Q02", "structure", "Why?")


def test_a_choice_stands_in_the_order_of_the_options() -> None:
    given = {"selected_option_ids": ["o2", "o1", "o2"], "free_text": " both "}

    assert wrong_with_reply(MULTIPLE, given) == ()
    assert reply(MULTIPLE, given, at=5, batch=2) == Reply(
        is_skipped=False, selected=("o1", "o2"), text="both", by="user", at=5, batch=2
    )


def test_words_are_possible_in_place_of_a_choice() -> None:
    given = {"free_text": "green"}

    assert wrong_with_reply(SINGLE, given) == ()
    assert reply(SINGLE, given, at=5).text == "green"


@pytest.mark.parametrize("given", [{}, {"free_text": " \n"}, {"selected_option_ids": []}])
def test_an_answer_that_says_nothing_is_a_skip(given: dict[str, object]) -> None:
    assert reply(SINGLE, given, at=5, batch=1) == skip("user_skip", 5, 1)


@pytest.mark.parametrize(
    ("question", "given", "wrong"),
    [
        (SINGLE, {"selected_option_ids": ["o9"]}, Wrong("$.a[0].selected_option_ids[0]", "one of o1, o2", '"o9"')),
        (FREE, {"selected_option_ids": ["o1"]}, Wrong("$.a[0].selected_option_ids[0]", "nothing: it has no options", '"o1"')),
        (SINGLE, {"selected_option_ids": ["o1", "o2"]}, Wrong("$.a[0].selected_option_ids", "one option", "a list of 2")),
        (FREE, {"text": "x"}, Wrong("$.a[0].text", "no such field; there are: selected_option_ids, free_text", '"x"')),
        (FREE, {"free_text": 1}, Wrong("$.a[0].free_text", "text", "1")),
        (FREE, "x", Wrong("$.a[0]", "an object", '"x"')),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_at_its_place(
    question: Question, given: object, wrong: Wrong
) -> None:
    assert wrong_with_reply(question, given, "a", 0) == (wrong,)


def test_a_point_in_time_is_told_in_utc() -> None:
    assert instant(0) == "1970-01-01T00:00:00Z"
    assert instant(1_800_000_000_999) == "2027-01-15T08:00:00Z"
