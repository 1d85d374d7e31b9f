"""The interview as a document: always made by us from the session, and edited by a person.

A person may change words and answers; what the document is, where it came from and which
questions there are stays. Approval is no part of it: that is kept with the digest of the text.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from interlock.ticketing.answer import Wrong, check, place, refuse, told
from interlock.ticketing.batch import TYPES
from interlock.ticketing.checked import Json, part, rows, text, texts
from interlock.ticketing.form import choice, described, flag, lines, listed, remark, shape
from interlock.ticketing.interview import (
    COMPILED,
    COVERAGE,
    FINAL,
    PHASE,
    PROMPT,
    QUESTION,
    Option,
    Question,
)
from interlock.ticketing.reply import (
    AI_SKIP,
    USER,
    USER_SKIP,
    Reply,
    instant,
    skip,
    wrong_with_reply,
)
from interlock.ticketing.session import Session

VERSION: Final = 1
WORD: Final[Json] = {"type": "string", "maxLength": 500}
COUNT: Final[Json] = {"type": ["integer", "null"]}

ANSWER: Final = shape({
    "skipped": flag("Whether there is no answer."),
    "selected_option_ids": lines("Ids of the options that were chosen."),
    "free_text": remark("The answer in words."),
    "answered_by": choice((USER, USER_SKIP, AI_SKIP), "Who answered or skipped."),
    "answered_at": described({"type": ["string", "null"]}, "When."),
})  # fmt: skip
DOCUMENT: Final = shape({
    "schema_version": {"const": VERSION},
    "ticket_id": WORD,
    "artifact": {"const": "interview"},
    "generated_by": shape({"winner": WORD, "canonicalization": WORD}),
    "questions": listed(
        shape({
            "id": WORD,
            "phase": PHASE,
            "prompt": QUESTION,
            "source": choice((COMPILED, PROMPT, COVERAGE, FINAL), "Where it came from."),
            "follow_up_round": COUNT,
            "answer_type": choice(TYPES, "How it is answered."),
            "options": listed(shape({"id": WORD, "label": WORD}), "What can be chosen."),
            "answer": ANSWER,
        }),
        "All questions with their answers.",
        least=1,
    ),
    "follow_up_rounds": listed(
        shape({"round_number": COUNT, "source": WORD, "question_ids": lines("Ids.")}),
        "What was asked later.",
    ),
    "summary": shape({"final_free_form_answer": remark("The answer to the last question.")}),
})  # fmt: skip
"""The schema of the whole document, as a person may save it."""


def document(session: Session, ticket: str, winner: str) -> dict[str, object]:
    """Return the canonical interview."""
    final = session.final
    last = session.answers.get(final.id) if final else None
    return {
        "schema_version": VERSION,
        "ticket_id": ticket,
        "artifact": "interview",
        "generated_by": {"winner": winner, "canonicalization": "server_normalized"},
        "questions": [
            _question(one, session.answers.get(one.id, skip(AI_SKIP, 0)))
            for one in session.questions
        ],
        "follow_up_rounds": [
            {"round_number": one.number, "source": one.source, "question_ids": list(one.questions)}
            for one in session.rounds
        ],
        "summary": {"final_free_form_answer": last.text if last else ""},
    }


def _question(question: Question, answer: Reply) -> dict[str, object]:
    return {
        "id": question.id,
        "phase": question.phase,
        "prompt": question.prompt,
        "source": question.source,
        "follow_up_round": question.round or None,
        "answer_type": question.answer_type,
        "options": [option._asdict() for option in question.options],
        "answer": told_answer(answer),
    }


def told_answer(answer: Reply) -> dict[str, object]:
    """Return an answer as it stands in a document."""
    return {
        "skipped": answer.is_skipped,
        "selected_option_ids": list(answer.selected),
        "free_text": answer.text,
        "answered_by": answer.by,
        "answered_at": instant(answer.at) if answer.at else None,
    }


def question_of(row: Json) -> Question:
    """Return the question in a row of a document."""
    return Question(
        id=text(row, "id"),
        phase=text(row, "phase"),
        prompt=text(row, "prompt"),
        source=text(row, "source"),
        answer_type=text(row, "answer_type"),
        options=tuple(Option(text(one, "id"), text(one, "label")) for one in rows(row, "options")),
    )


def is_skipped(row: Json) -> bool:
    """Say whether the question in a row of a document has no answer."""
    return part(row, "answer").get("skipped") is True


FIXED: Final = ("id", "phase", "source", "follow_up_round", "answer_type", "options")
"""What of a question no edit changes."""


def edited(before: Json, after: object, at: int) -> dict[str, object]:
    """Return a document as a person edited it; raises ``AnswerInvalid`` with every mistake.

    Who answered follows from what was changed: an answer that differs is the user's.
    """
    now = check(DOCUMENT, after)
    was, rows_now = rows(before, "questions"), rows(now, "questions")
    refuse((*_wrong_questions(was, rows_now), *_wrong_answers(rows_now)))
    questions = [
        {**old, "prompt": text(one, "prompt"), "answer": _edited_answer(old, one, at)}
        for old, one in zip(was, rows_now, strict=True)
    ]
    last = next((one for one in questions if one.get("source") == FINAL), None)
    words = text(part(last, "answer"), "free_text") if last else ""
    return {**before, "questions": questions, "summary": {"final_free_form_answer": words}}


def _wrong_questions(was: list[Json], now: list[Json]) -> Iterator[Wrong]:
    ids = [text(one, "id") for one in was]
    if [text(one, "id") for one in now] != ids:
        expected = f"the questions {', '.join(ids)} in this order"
        yield Wrong(place("questions"), expected, ", ".join(text(one, "id") for one in now))
        return
    for number, (old, one) in enumerate(zip(was, now, strict=True)):
        for name in FIXED:
            if old.get(name) != one.get(name):
                where = place("questions", number, name)
                yield Wrong(where, f"{told(old.get(name))}, as it was", told(one.get(name)))


def _wrong_answers(now: list[Json]) -> Iterator[Wrong]:
    for number, row in enumerate(now):
        answer = part(row, "answer")
        given = {name: answer[name] for name in ("selected_option_ids", "free_text")}
        yield from wrong_with_reply(question_of(row), given, "questions", number, "answer")


def _edited_answer(old: Json, now: Json, at: int) -> Mapping[str, object]:
    was, answer = part(old, "answer"), part(now, "answer")
    selected, words = texts(answer, "selected_option_ids"), text(answer, "free_text")
    is_same = texts(was, "selected_option_ids") == selected and text(was, "free_text") == words
    is_skip = answer.get("skipped") is True
    if is_same and is_skip == is_skipped(old):
        return was
    # Whoever writes an answer means it, though the mark of the skip be left standing.
    if not (selected or words) or (is_same and is_skip):
        return told_answer(skip(USER_SKIP, at))
    return told_answer(
        Reply(is_skipped=False, selected=tuple(selected), text=words, by=USER, at=at)
    )
