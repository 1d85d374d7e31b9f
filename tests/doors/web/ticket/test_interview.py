"""The interview as a form: what waits, what was said, and what was filled in."""

import json

from interlock.doors.web.ticket.interview import Asked, filled, given, interview_of, unplaced
from interlock.store.rows import dump
from interlock.ticketing import session_json
from interlock.ticketing.interview import Option, Question
from interlock.ticketing.session import answer_batch, begin, offer_batch
from tests.doors.web.ticket.scenes import BATCH, COMMENTARY

QUESTIONS = (Question("Q01", "foundation", "Which?"), Question("Q02", "structure", "Where?"))
OPTIONS = (Option("o1", "red"), Option("o2", "green"))
MANY = Asked("Q02", "Where?", "structure", "multiple_choice", OPTIONS, "", is_answered=False,
             is_skipped=False, picked=(), text="", by="")  # fmt: skip
ONE = MANY._replace(id="Q01", kind="single_choice")


def _kept(*, is_answered: bool) -> str:
    session = begin(QUESTIONS, 50, 10)
    session = offer_batch(session, {"questions": list(BATCH), "commentary": COMMENTARY}, 1)
    if is_answered:
        session = answer_batch(session, 1, {"Q01": {"selected_option_ids": ["o2"]}}, 2)
    return dump(session_json.kept(session))


def test_the_batch_that_waits_has_all_ways_to_answer() -> None:
    found = interview_of(_kept(is_answered=False))
    assert found is not None
    assert found.waiting is not None

    assert [one.kind for one in found.waiting.questions] == [
        "single_choice", "multiple_choice", "yes_no",
    ]  # fmt: skip
    assert found.waiting.commentary == COMMENTARY
    assert found.waiting.questions[2].source == "asked on by the winner"
    assert (found.answered, found.total, found.earlier) == (0, 3, ())


def test_what_was_said_is_told_in_words_and_what_was_not_is_left_to_the_council() -> None:
    found = interview_of(_kept(is_answered=True))
    assert found is not None
    (turn,) = found.earlier

    assert found.waiting is None
    assert turn.questions[0].said == "green"
    assert [one.is_skipped for one in turn.questions] == [False, True, True]
    assert (found.answered, found.total) == (3, 3)
    assert interview_of("") is None
    assert json.loads(_kept(is_answered=True))["batch"] is None


def test_a_form_becomes_answers_and_nothing_is_no_answer() -> None:
    form = {"pick-Q02-o2": "on", "pick-Q02-o9": "on", "text-Q02": " a\r\nb ", "pick-Q01": ""}

    assert given(form, (ONE, MANY)) == [{"question_id": "Q02", "selected": ["o2"], "text": "a\nb"}]
    assert given({"pick-Q01": "o1"}, (ONE,)) == [
        {"question_id": "Q01", "selected": ["o1"], "text": ""}
    ]


def test_what_was_filled_in_stays_and_what_has_no_place_any_more_is_told() -> None:
    form = {"pick-Q02-o1": "on", "text-Q02": "x", "text-Q09": "old words", "text-Q08": " "}

    assert filled(form, MANY)[8:10] == (("o1",), "x")
    assert filled(form, ONE) == ONE
    assert unplaced(form, (ONE, MANY)) == {"Q09": "old words"}
