"""A session is kept and read again as the same, wherever a talk wanders."""

import json
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.batch import Asked
from interlock.ticketing.session import (
    Session,
    StaleBatch,
    answer_batch,
    complete,
    edit_answer,
    follow_up,
    offer_batch,
    skip_all,
    skip_question,
)
from interlock.ticketing.session_json import kept, restored
from tests.ticketing.talks import AT, COLOURS, LAST, a_session, a_whole_talk, ask, batch, words


def test_a_whole_talk_is_kept_and_restored() -> None:
    talk = a_whole_talk()

    text = json.dumps(kept(talk))
    assert restored(json.loads(text)) == talk


IDS = st.sampled_from(["", "Q01", "Q02", "Q03", "Q04", "Q05", "Q06", "Q99"])
ASKS = st.builds(ask, IDS) | st.builds(
    lambda name: ask(name, "single_choice", options=COLOURS), IDS
)
BATCHES = st.lists(ASKS, min_size=1, max_size=3).map(lambda each: batch(*each))
OFFERS = BATCHES | st.just(LAST) | st.just({"complete": True})
REPLIES = st.sampled_from([words("x"), words(""), {"selected_option_ids": ["o1"]}])
NEW = Asked("", "Gap?", "assembly", "free_text", ())
MOVES = st.one_of(
    st.tuples(st.just("offer"), OFFERS),
    st.tuples(st.just("answer"), st.integers(1, 5), st.dictionaries(IDS, REPLIES, max_size=3)),
    st.tuples(st.just("skip"), IDS),
    st.tuples(st.just("edit"), IDS, REPLIES),
    st.tuples(st.just("follow"), st.integers(0, 3)),
    st.tuples(st.just("end"), st.sampled_from([skip_all, complete])),
)


def moved(session: Session, move: tuple[object, ...]) -> Session:
    match move:
        case ("offer", offered):
            return offer_batch(session, offered, AT)
        case ("answer", int(number), dict(answers)):
            return answer_batch(session, number, answers, AT)
        case ("skip", str(name)):
            return skip_question(session, name, AT)
        case ("edit", str(name), given):
            return edit_answer(session, name, given, AT)
        case ("follow", int(count)):
            return follow_up(session, [NEW] * count).session
        case _:
            return skip_all(session, AT) if move[1] is skip_all else complete(session, AT)


@given(st.lists(MOVES, max_size=20))
def test_wherever_a_talk_wanders_it_stays_whole(moves: list[tuple[object, ...]]) -> None:
    session = a_session()
    for move in moves:
        before = session
        with suppress(AnswerInvalid, StaleBatch):
            session = moved(session, move)

        ids = [one.id for one in session.questions]
        assert len(set(ids)) == len(ids)
        assert ids[: len(before.questions)] == [one.id for one in before.questions]
        assert set(before.answers) <= set(session.answers) <= set(ids)
        waiting = [session.batch] if session.batch else []
        numbers = [one.number for one in (*session.batches, *waiting)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert not session.is_complete or (session.batch is None and not session.open)
        assert min(session.follow_ups_left(), session.follow_ups_left("prompt_follow_up")) >= 0
        assert restored(json.loads(json.dumps(kept(session)))) == session
