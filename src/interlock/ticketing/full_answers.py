"""Full answers: what the user skipped, filled in by a member of the council before it drafts.

Only skipped questions may change, and each of them must be answered. Everything else stays as it
is, letter by letter.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from interlock.ticketing.answer import Wrong, place, refuse, told
from interlock.ticketing.checked import Json, part, rows, text, texts
from interlock.ticketing.form import line, listed, shape
from interlock.ticketing.interview import normal_id
from interlock.ticketing.interview_document import is_skipped, question_of, told_answer
from interlock.ticketing.reply import AI_SKIP, REPLY, Reply, wrong_with_reply

FIELD: Final = "full_answers"

FULL_ANSWERS: Final = listed(
    shape({"id": line("The id of a skipped question.", 20), "answer": REPLY}),
    "An answer to every question that the user skipped, and to no other; empty if none was.",
)


def skipped(interview: Json) -> tuple[str, ...]:
    """Return the ids of the questions that have no answer."""
    return tuple(text(row, "id") for row in rows(interview, "questions") if is_skipped(row))


def filled(interview: Json, answers: Sequence[Json], at: int) -> dict[str, object]:
    """Return the interview with the gaps filled; raises ``AnswerInvalid`` with every mistake."""
    given = {normal_id(text(row, "id")): part(row, "answer") for row in answers}
    refuse((*_wrong_answers(interview, answers), *_missing(interview, given)))
    questions = [
        {**row, "answer": _answer(row, given[text(row, "id")], at)} if is_skipped(row) else row
        for row in rows(interview, "questions")
    ]
    return {**interview, "questions": questions}


def _wrong_answers(interview: Json, answers: Sequence[Json]) -> Iterator[Wrong]:
    questions = {text(row, "id"): row for row in rows(interview, "questions")}
    seen: set[str] = set()
    for number, row in enumerate(answers):
        name = normal_id(text(row, "id"))
        where = place(FIELD, number, "id")
        if name not in questions:
            yield Wrong(where, "the id of a skipped question", told(row["id"]))
        elif not is_skipped(questions[name]):
            yield Wrong(where, "a skipped question: the user answered this one", told(name))
        elif name in seen:
            yield Wrong(where, "each question once", told(name))
        else:
            yield from _wrong_answer(questions[name], part(row, "answer"), number)
        seen.add(name)


def _wrong_answer(row: Json, given: Json, number: int) -> Iterator[Wrong]:
    way = (FIELD, number, "answer")
    yield from wrong_with_reply(question_of(row), given, *way)
    if not text(given, "free_text") and not texts(given, "selected_option_ids"):
        yield Wrong(place(*way), "a concrete answer", "none")


def _missing(interview: Json, given: Mapping[str, Json]) -> Iterator[Wrong]:
    for name in skipped(interview):
        if name not in given:
            yield Wrong(place(FIELD), f"an answer to {name}, which was skipped", "none")


def _answer(row: Json, given: Json, at: int) -> dict[str, object]:
    selected = texts(given, "selected_option_ids")
    return told_answer(
        Reply(
            is_skipped=False,
            selected=tuple(one.id for one in question_of(row).options if one.id in selected),
            text=text(given, "free_text"),
            by=AI_SKIP,
            at=at,
        )
    )


def violations(before: Json, after: Json) -> tuple[Wrong, ...]:
    """Return what differs between two interviews beyond answers to skipped questions."""
    free = {
        place("questions", number, "answer")
        for number, row in enumerate(rows(before, "questions"))
        if is_skipped(row)
    }
    return tuple(_differences(before, after, (), free))


def _differences(
    before: object, after: object, way: tuple[str | int, ...], free: set[str]
) -> Iterator[Wrong]:
    if place(*way) in free or before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in {**before, **after}:
            yield from _differences(before.get(name), after.get(name), (*way, name), free)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _differences(one, other, (*way, number), free)
    else:
        yield Wrong(place(*way), f"{told(before)}, as it was", told(after))
