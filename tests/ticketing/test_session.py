"""An interview under way: batches, answers, skips, follow-ups, and what comes too late."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.batch import Asked
from interlock.ticketing.checked import Json
from interlock.ticketing.reply import skip
from interlock.ticketing.session import (
    ANYTHING_ELSE,
    Batch,
    Round,
    StaleBatch,
    answer_batch,
    complete,
    edit_answer,
    follow_up,
    offer_batch,
    skip_all,
    skip_question,
)
from tests.ticketing.talks import (
    AT,
    COLOURS,
    LAST,
    QUESTIONS,
    a_session,
    a_whole_talk,
    answered,
    ask,
    batch,
    words,
)

FOLLOW_UPS = tuple(Asked("", f"Gap {n}?", "structure", "free_text", ()) for n in range(3))
DONE = {"complete": True}


def wrongs(change: Callable[[], object]) -> list[tuple[str, str]]:
    """Return where a change is refused, and what was expected there."""
    with pytest.raises(AnswerInvalid) as caught:
        change()
    return [(one.path, one.expected) for one in caught.value.wrong]


# -- batches -----------------------------------------------------------------------------------


def test_a_batch_asks_open_questions_in_the_words_of_the_winner() -> None:
    offered = batch(ask("q2", "single_choice", "Colour?", options=COLOURS), commentary="Now looks.")

    now = offer_batch(a_session(), offered, AT)
    assert now.batch == Batch(1, ("Q02",), "Now looks.")
    assert now.by_id["Q02"].prompt == "Colour?"
    assert now.by_id["Q02"].phase == "structure"
    assert [one.label for one in now.by_id["Q02"].options] == COLOURS
    assert now.rounds == ()


def test_a_new_question_of_the_winner_follows_up() -> None:
    now = offer_batch(a_session(), batch(ask("Q01"), ask(""), ask("")), AT)

    assert now.batch == Batch(1, ("Q01", "Q04", "Q05"))
    assert now.rounds == (Round(1, "prompt_follow_up", ("Q04", "Q05")),)
    assert now.follow_ups_left("prompt_follow_up") == 0
    assert now.follow_ups_left() == 2


def test_follow_ups_of_the_winner_end_with_the_budget() -> None:
    full = answered(a_session(budget=1), batch(ask("")))

    assert wrongs(lambda: offer_batch(full, batch(ask("Q01"), ask("")), AT)) == [
        ("$.questions[1]", "an open question: the 1 follow-ups are used up")
    ]


@pytest.mark.parametrize(
    ("offered", "path"),
    [
        (batch(ask("Q09")), "$.questions[0].id"),
        (batch(ask("Q02"), ask("Q2")), "$.questions[1].id"),
        (batch(ask("Q01")), "$.questions[0].id"),
        (batch(ask("Q02", "single_choice", options=["One"])), "$.questions[0].options"),
        (batch({"question": "New?", "answer_type": "yes_no"}), "$.questions[0].phase"),
        (batch(ask("Q02"), ask("Q03"), is_final=True), "$.questions"),
        (batch(ask("Q02", "yes_no"), is_final=True), "$.questions[0].answer_type"),
        (batch(ask("Q02"), mood="good"), "$.mood"),
    ],
    ids=["unknown", "twice", "answered", "options", "no phase", "two last", "last type", "field"],
)
def test_a_batch_that_may_not_be_asked_is_refused(offered: Json, path: str) -> None:
    session = answered(a_session(), batch(ask("Q01")), Q01=words("Fun"))

    assert [where for where, _ in wrongs(lambda: offer_batch(session, offered, AT))] == [path]


def test_only_one_batch_waits_at_a_time() -> None:
    waiting = offer_batch(a_session(), batch(ask("Q01")), AT)

    with pytest.raises(StaleBatch, match="batch 1 waits for answers"):
        offer_batch(waiting, batch(ask("Q02")), AT)
    with pytest.raises(StaleBatch, match="the interview is complete"):
        offer_batch(a_whole_talk(), batch(ask("Q02")), AT)


def test_the_last_question_is_asked_by_us_where_the_winner_forgot_it() -> None:
    now = offer_batch(a_session(), DONE, AT)

    assert now.batch == Batch(1, ("Q04",), is_final=True)
    assert now.final is not None
    assert now.final.prompt == ANYTHING_ELSE
    assert not now.is_complete
    assert now.rounds == ()


def test_an_open_question_can_be_the_last() -> None:
    now = offer_batch(a_session(), batch(ask("Q03"), is_final=True), AT)

    assert now.final is not None
    assert now.final.id == "Q03"


def test_after_the_last_question_only_an_audit_asks() -> None:
    session = answered(a_session(), LAST)

    assert wrongs(lambda: offer_batch(session, batch(ask("Q01"), ask("")), AT)) == [
        ("$.questions[0]", "a follow-up of the audit: the last question was asked"),
        ("$.questions[1]", "a follow-up of the audit: the last question was asked"),
    ]
    assert wrongs(lambda: offer_batch(session, LAST, AT)) == [
        ("$.is_final", "false: the last question was asked already")
    ]


def test_what_was_never_asked_is_left_to_the_council() -> None:
    session = answered(a_session(), LAST, Q04=words("No."))

    now = offer_batch(session, DONE, AT)
    assert now.is_complete
    assert now.batch is None
    assert {now.answers[name] for name in ("Q01", "Q02", "Q03")} == {skip("ai_skip", AT)}
    assert complete(session, AT) == now


# -- answers -----------------------------------------------------------------------------------


def test_answers_are_taken_and_what_is_missing_or_blank_is_skipped() -> None:
    offered = batch(ask("Q01"), ask("Q02", "single_choice", options=COLOURS), ask("Q03", "yes_no"))

    now = answered(a_session(), offered, Q01=words(" Fun "), Q02=words(" "))
    assert now.answers["Q01"].text == "Fun"
    assert now.answers["Q02"] == now.answers["Q03"] == skip("user_skip", AT, 1)
    assert now.batch is None
    assert [one.number for one in now.batches] == [1]


def test_every_wrong_answer_is_told_and_none_is_taken() -> None:
    session = offer_batch(
        a_session(), batch(ask("Q01"), ask("Q02", "single_choice", options=COLOURS)), AT
    )
    answers: Json = {
        "Q01": words("Fun"),
        "Q02": {"selected_option_ids": ["o1", "o7"]},
        "Q03": words("early"),
    }

    assert wrongs(lambda: answer_batch(session, 1, answers, AT)) == [
        ("$.answers.Q02.selected_option_ids[1]", "one of o1, o2"),
        ("$.answers.Q02.selected_option_ids", "one option"),
        ("$.answers.Q03", "one of Q01, Q02"),
    ]
    assert session.answers == {}


def test_a_batch_is_answered_once() -> None:
    first = offer_batch(a_session(), batch(ask("Q01")), AT)
    then = answer_batch(first, 1, {"Q01": words("Fun")}, AT)
    second = offer_batch(then, batch(ask("Q02")), AT)

    with pytest.raises(StaleBatch, match=r"answered with 1 while no batch waits"):
        answer_batch(then, 1, {"Q01": words("Money")}, AT)
    with pytest.raises(StaleBatch, match=r"answered with 1 while batch 2 waits"):
        answer_batch(second, 1, {"Q02": words("late")}, AT)
    with pytest.raises(StaleBatch, match=r"answered with 3 while batch 2 waits"):
        answer_batch(second, 3, {"Q02": words("early")}, AT)
    assert second.answers["Q01"].text == "Fun"


def test_a_question_of_the_batch_can_be_skipped_and_answered_after_all() -> None:
    session = offer_batch(a_session(), batch(ask("Q01"), ask("Q02")), AT)

    now = skip_question(session, "Q01", AT - 5)
    assert now.batch == session.batch
    assert answer_batch(now, 1, {}, AT).answers == {
        "Q01": skip("user_skip", AT - 5, 1),
        "Q02": skip("user_skip", AT, 1),
    }
    assert answer_batch(now, 1, {"Q01": words("Fun")}, AT).answers["Q01"].text == "Fun"


def test_only_what_is_asked_now_can_be_skipped() -> None:
    session = offer_batch(a_session(), batch(ask("Q01")), AT)

    assert wrongs(lambda: skip_question(session, "Q02", AT)) == [
        ("$.question_id", "a question of the batch (Q01)")
    ]
    assert wrongs(lambda: skip_question(a_session(), "Q02", AT))[0][1].endswith("no batch waits)")


def test_skipping_all_ends_the_interview_and_keeps_what_was_answered() -> None:
    session = answered(a_session(), batch(ask("Q01")), Q01=words("Fun"))
    waiting = offer_batch(session, batch(ask("Q02")), AT)

    now = skip_all(waiting, AT)
    assert now.is_complete
    assert now.batch is None
    assert now.open == ()
    assert now.answers["Q01"].text == "Fun"
    assert now.answers["Q02"] == now.answers["Q03"] == skip("user_skip", AT)


def test_an_earlier_answer_can_be_changed_and_a_blank_one_is_a_skip() -> None:
    session = answered(a_session(), batch(ask("Q01"), ask("Q02")), Q01=words("Fun"))

    now = edit_answer(session, "Q01", words(""), AT + 9)
    assert now.answers["Q01"] == skip("user_skip", AT + 9, 1)
    now = edit_answer(now, "Q02", words("Green"), AT + 9)
    assert (now.answers["Q02"].text, now.answers["Q02"].batch) == ("Green", 1)


def test_only_what_was_answered_or_skipped_before_can_be_changed() -> None:
    expected = "a question that was answered or skipped in an earlier batch"
    waiting = skip_question(offer_batch(a_session(), batch(ask("Q01")), AT), "Q01", AT)

    for name in ("Q01", "Q02", "Q99"):
        found = wrongs(lambda name=name: edit_answer(waiting, name, words("x"), AT))  # type: ignore[misc]
        assert found == [("$.question_id", expected)]


def test_a_changed_answer_is_judged_like_any_other() -> None:
    session = answered(a_session(), batch(ask("Q02", "single_choice", options=COLOURS)))

    assert wrongs(lambda: edit_answer(session, "Q02", {"selected_option_ids": ["o3"]}, AT)) == [
        ("$.answer.selected_option_ids[0]", "one of o1, o2")
    ]


# -- follow-ups --------------------------------------------------------------------------------


def test_an_audit_follows_up_within_the_budget() -> None:
    found = follow_up(a_whole_talk(), FOLLOW_UPS)
    now = found.session

    assert found.left_out == 1
    assert found.notes == ("1 follow-up question was left out: no more may be asked.",)
    assert [one.id for one in now.open] == ["Q06", "Q07"]
    assert now.rounds[-1] == Round(2, "coverage_follow_up", ("Q06", "Q07"))
    assert now.follow_ups_left() == 0
    assert not now.is_complete


def test_without_a_budget_nothing_follows_up() -> None:
    session = replace(a_whole_talk(), budget=0)

    assert follow_up(session, FOLLOW_UPS) == (session, 3)


def test_follow_ups_of_an_audit_must_be_asked_before_the_end() -> None:
    session = follow_up(a_whole_talk(), FOLLOW_UPS[:1]).session

    assert wrongs(lambda: offer_batch(session, DONE, AT)) == [
        ("$.complete", "the follow-up questions of the audit first: Q06")
    ]
    now = offer_batch(answered(session, batch(ask("Q06")), Q06=words("Yes.")), DONE, AT)
    assert now.is_complete
    assert now.answers["Q06"].batch == 4


def test_a_whole_talk_is_counted_right() -> None:
    talk = a_whole_talk()

    assert talk.is_complete
    assert [one.number for one in talk.batches] == [1, 2, 3]
    assert [one.by for one in talk.answers.values()] == ["user"] * 1 + ["user_skip"] + ["user"] * 3
    assert talk.maximum == 10
    assert tuple(one.id for one in talk.questions[:3]) == tuple(one.id for one in QUESTIONS)
