"""A session as it is kept between two commands, and read again."""

from collections.abc import Mapping
from typing import Final

from interlock.ticketing.checked import Json, part, rows, text, texts
from interlock.ticketing.interview import Option, Question
from interlock.ticketing.reply import Reply
from interlock.ticketing.session import Batch, Round, Session

VERSION: Final = 1


def kept(session: Session) -> dict[str, object]:
    """Return a session as JSON."""
    return {
        "schema_version": VERSION,
        "maximum": session.maximum,
        "budget": session.budget,
        "questions": [
            {**one._asdict(), "options": [option._asdict() for option in one.options]}
            for one in session.questions
        ],
        "answers": {
            name: {**one._asdict(), "selected": list(one.selected)}
            for name, one in session.answers.items()
        },
        "batch": None if session.batch is None else _batch(session.batch),
        "batches": [_batch(one) for one in session.batches],
        "rounds": [{**one._asdict(), "questions": list(one.questions)} for one in session.rounds],
        "is_complete": session.is_complete,
    }


def _batch(batch: Batch) -> dict[str, object]:
    return {**batch._asdict(), "questions": list(batch.questions)}


def restored(document: Json) -> Session:
    """Return the session that was kept."""
    batch = document.get("batch")
    return Session(
        maximum=_number(document, "maximum"),
        budget=_number(document, "budget"),
        questions=tuple(map(_question, rows(document, "questions"))),
        answers={
            name: _reply(one)
            for name, one in part(document, "answers").items()
            if isinstance(one, Mapping)
        },
        batch=_read_batch(batch) if isinstance(batch, Mapping) else None,
        batches=tuple(map(_read_batch, rows(document, "batches"))),
        rounds=tuple(
            Round(_number(one, "number"), text(one, "source"), tuple(texts(one, "questions")))
            for one in rows(document, "rounds")
        ),
        is_complete=document.get("is_complete") is True,
    )


def _number(document: Json, name: str) -> int:
    value = document.get(name)
    return value if isinstance(value, int) else 0


def _question(row: Json) -> Question:
    options = (Option(text(one, "id"), text(one, "label")) for one in rows(row, "options"))
    return Question(
        id=text(row, "id"),
        phase=text(row, "phase"),
        prompt=text(row, "prompt"),
        source=text(row, "source"),
        round=_number(row, "round"),
        answer_type=text(row, "answer_type"),
        options=tuple(options),
    )


def _reply(row: Json) -> Reply:
    return Reply(
        is_skipped=row.get("is_skipped") is True,
        selected=tuple(texts(row, "selected")),
        text=text(row, "text"),
        by=text(row, "by"),
        at=_number(row, "at"),
        batch=_number(row, "batch"),
    )


def _read_batch(row: Json) -> Batch:
    return Batch(
        number=_number(row, "number"),
        questions=tuple(texts(row, "questions")),
        commentary=text(row, "commentary"),
        is_final=row.get("is_final") is True,
    )
