"""Interviews for the tests: three questions, and batches that a winner might offer."""

from interlock.ticketing.checked import Json
from interlock.ticketing.interview import Question
from interlock.ticketing.session import Session, answer_batch, begin, offer_batch

QUESTIONS = (
    Question("Q01", "foundation", "What is it for?"),
    Question("Q02", "structure", "Which colour?"),
    Question("Q03", "assembly", "Should it log?"),
)
COLOURS = ["Red", "Blue"]
AT = 1_800_000_000_000


def a_session(maximum: int = 10, budget: int = 2) -> Session:
    """Return an interview that has just begun."""
    return begin(QUESTIONS, maximum, budget)


def ask(name: str, kind: str = "free_text", question: str = "Really?", **more: object) -> Json:
    """Return a question of a batch; one without a name is new."""
    known = {"id": name} if name else {"phase": "structure"}
    return {**known, "question": question, "answer_type": kind, **more}


def batch(*questions: Json, **more: object) -> Json:
    """Return a batch that a winner might offer."""
    return {"questions": list(questions), **more}


LAST = batch(ask("", question="Anything else?"), is_final=True)


def answered(session: Session, offered: Json, **answers: Json) -> Session:
    """Return the session after a batch was offered and answered."""
    now = offer_batch(session, offered, AT)
    number = now.batch.number if now.batch else 0
    return answer_batch(now, number, answers, AT)


def words(text: str) -> Json:
    """Return an answer in words."""
    return {"free_text": text}


def a_whole_talk() -> Session:
    """Return an interview with every answer type, one skip, a follow-up and the last question."""
    now = answered(a_session(), batch(ask("Q01", question="What for, then?")), Q01=words("Fun"))
    now = answered(
        now,
        batch(
            ask("Q02", "multiple_choice", options=COLOURS),
            ask("Q03", "yes_no"),
            ask("", "single_choice", "Which level?", options=["Low", "High"]),
        ),
        Q02={"selected_option_ids": ["o2", "o1"]},
        Q03={"selected_option_ids": ["yes"], "free_text": "but little"},
    )
    now = answered(now, LAST, Q05=words("No."))
    return offer_batch(now, {"complete": True}, AT)
