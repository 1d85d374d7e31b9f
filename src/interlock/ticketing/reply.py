"""One answer to one question: chosen, in words, or skipped.

Words are always possible, beside a choice or in its place. An answer that says nothing is a skip.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from interlock.ticketing.answer import Wrong, place, told, wrong_with
from interlock.ticketing.checked import Json, text, texts
from interlock.ticketing.form import lines, remark, shape
from interlock.ticketing.interview import FREE, MULTIPLE, Question

USER: Final = "user"
USER_SKIP: Final = "user_skip"
AI_SKIP: Final = "ai_skip"
"""Who an answer is from: the user, a user who skipped it, the council in the user's place."""

REPLY: Final = shape(
    {
        "selected_option_ids": lines("Ids of what is chosen; none for a question without options."),
        "free_text": remark("The answer in words; always possible."),
    },
    optional=("selected_option_ids", "free_text"),
)


class Reply(NamedTuple):
    """An answer. ``at`` is UTC in milliseconds, ``batch`` the number of the batch it came with."""

    is_skipped: bool
    selected: tuple[str, ...]
    text: str
    by: str
    at: int
    batch: int = 0


def instant(at: int) -> str:
    """Return a point in time as text."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def skip(by: str, at: int, batch: int = 0) -> Reply:
    """Return the answer of somebody who does not give one."""
    return Reply(is_skipped=True, selected=(), text="", by=by, at=at, batch=batch)


def reply(question: Question, given: Json, at: int, batch: int = 0) -> Reply:
    """Return an answer of the user that nothing is wrong with."""
    selected = tuple(dict.fromkeys(texts(given, "selected_option_ids")))
    words = text(given, "free_text")
    if not selected and not words:
        return skip(USER_SKIP, at, batch)
    # In the order of the options, so that the same choice is always the same answer.
    chosen = tuple(option.id for option in question.options if option.id in selected)
    return Reply(is_skipped=False, selected=chosen, text=words, by=USER, at=at, batch=batch)


def wrong_with_reply(question: Question, given: object, *way: str | int) -> tuple[Wrong, ...]:
    """Return what is wrong with an answer that stands at the end of a way."""
    found = wrong_with(REPLY, given)
    if found or not isinstance(given, Mapping):
        return tuple(one._replace(path=place(*way) + one.path[1:]) for one in found)
    return tuple(_wrong_choice(question, given, way))


def _wrong_choice(question: Question, given: Json, way: tuple[str | int, ...]) -> Iterator[Wrong]:
    selected = texts(given, "selected_option_ids")
    known = [option.id for option in question.options]
    where = (*way, "selected_option_ids")
    for number, one in enumerate(selected):
        if one not in known:
            expected = f"one of {', '.join(known)}" if known else "nothing: it has no options"
            yield Wrong(place(*where, number), expected, told(one))
    if question.answer_type not in (FREE, MULTIPLE) and len(set(selected)) > 1:
        yield Wrong(place(*where), "one option", told(selected))
