"""The questions of an interview: drafted by the council, refined by the winner.

Questions are Q01, Q02, ... in the order foundation, structure, assembly. A draft is numbered by
us. In a refinement a question that stays keeps its id, a new one gets an id above all others, and
the list of changes must say exactly what happened. How they are asked is in ``session``.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from interlock.ticketing.answer import Wrong, check, place, refuse, told
from interlock.ticketing.changes import CHANGES, Change, attributed, difference
from interlock.ticketing.checked import Json, rows, text
from interlock.ticketing.form import choice, line, listed, shape

PHASES: Final = ("foundation", "structure", "assembly")
QUESTIONS_MAX: Final = 50
FOLLOW_UP_PERCENT: Final = 20

COMPILED: Final = "compiled"
PROMPT: Final = "prompt_follow_up"
COVERAGE: Final = "coverage_follow_up"
FINAL: Final = "final_free_form"
"""Where a question comes from: the council, the winner while asking, an audit, the last one."""

FREE: Final = "free_text"
SINGLE: Final = "single_choice"
MULTIPLE: Final = "multiple_choice"
YES_NO: Final = "yes_no"

ID: Final = re.compile(r"[Qq]?[ _-]?0*([1-9][0-9]{0,3})")

PHASE: Final = choice(
    PHASES,
    "foundation: what and why; structure: how it is put together; assembly: details and delivery.",
)
QUESTION: Final = line("One question to the user, that stands by itself.", 2000)


class Option(NamedTuple):
    """One answer that can be chosen."""

    id: str
    label: str


class Question(NamedTuple):
    """A question; ``round`` is the number of the follow-up round it belongs to, else 0."""

    id: str
    phase: str
    prompt: str
    source: str = COMPILED
    round: int = 0
    answer_type: str = FREE
    options: tuple[Option, ...] = ()


class Refined(NamedTuple):
    """Compiled questions, and what was changed to get there."""

    questions: tuple[Question, ...]
    changes: tuple[Change, ...]


def follow_ups_max(maximum: int, percent: int = FOLLOW_UP_PERCENT) -> int:
    """Return how many questions may follow up: a part of the maximum, at least one if any."""
    return max(1, maximum * percent // 100) if percent > 0 else 0


def draft_schema(maximum: int = QUESTIONS_MAX) -> Json:
    """Return the schema of a draft with at most so many questions."""
    fields = {"id": line("Q01, Q02, ... in order.", 20), "phase": PHASE, "question": QUESTION}
    about = f"At most {maximum} questions, fewer if fewer do; foundation, structure, assembly."
    return shape({"questions": listed(shape(fields, ("id",)), about, 1, maximum)})


def refine_schema(maximum: int = QUESTIONS_MAX) -> Json:
    """Return the schema of a refinement: all questions, and what was changed."""
    about = (
        "Keep the id of every question that stays. A new one gets an id above all in your draft."
    )
    fields = {"id": line(about, 20), "phase": PHASE, "question": QUESTION}
    about = f"All questions, at most {maximum}, in the order foundation, structure, assembly."
    return shape({
        "questions": listed(shape(fields), about, 1, maximum),
        "changes": CHANGES,
    })  # fmt: skip


def numbered(number: int) -> str:
    """Return the id of a question by its number."""
    return f"Q{number:02d}"


def normal_id(said: str) -> str:
    """Return an id as we write it, or what was said where it is none: q7 is Q07."""
    found = ID.fullmatch(said.strip())
    return numbered(int(found[1])) if found else said.strip()


def draft(answer: object, maximum: int = QUESTIONS_MAX) -> tuple[Question, ...]:
    """Read a member's draft; questions are sorted by phase and numbered by us."""
    found = rows(check(draft_schema(maximum), answer), "questions")
    refuse(tuple(_repeated(found)))
    ordered = sorted(found, key=lambda row: PHASES.index(text(row, "phase")))
    return tuple(
        Question(numbered(number), text(row, "phase"), text(row, "question"))
        for number, row in enumerate(ordered, 1)
    )


def _repeated(found: Sequence[Json]) -> Iterator[Wrong]:
    seen: set[str] = set()
    for number, row in enumerate(found):
        plain = " ".join(text(row, "question").lower().split())
        if plain in seen:
            where = place("questions", number, "question")
            yield Wrong(where, "a question that is not there already", told(row["question"]))
        seen.add(plain)


def refine(
    answer: object,
    before: Sequence[Question],
    drafts: Mapping[str, Collection[str]],
    maximum: int = QUESTIONS_MAX,
) -> Refined:
    """Read the winner's refinement of its draft; ``drafts`` are the ids in the others, by label."""
    told_all = check(refine_schema(maximum), answer)
    found = rows(told_all, "questions")
    wrong = [*_repeated(found), *_misnamed(found, before)]
    refuse(wrong)
    ordered = sorted(found, key=lambda row: PHASES.index(text(row, "phase")))
    after = tuple(
        Question(normal_id(text(row, "id")), text(row, "phase"), text(row, "question"))
        for row in ordered
    )
    declared = [{**row, "item": normal_id(text(row, "item"))} for row in rows(told_all, "changes")]
    labelled = {label: {normal_id(item) for item in ids} for label, ids in drafts.items()}
    result = attributed(
        [_normal_inspiration(row) for row in declared],
        difference(items(before), items(after)),
        labelled,
    )
    refuse((*result.astray, *result.undeclared))
    return Refined(after, result.changes)


def _normal_inspiration(row: Json) -> Json:
    came = row.get("inspiration")
    if not isinstance(came, Mapping):
        return row
    return {**row, "inspiration": {**came, "item": normal_id(text(came, "item"))}}


def _misnamed(found: Sequence[Json], before: Sequence[Question]) -> Iterator[Wrong]:
    known = {question.id for question in before}
    highest = max((_number(name) for name in known), default=0)
    seen: set[str] = set()
    for number, row in enumerate(found):
        where, name = place("questions", number, "id"), normal_id(text(row, "id"))
        if not ID.fullmatch(name):
            yield Wrong(where, "an id like Q07", told(row["id"]))
        elif name in seen:
            yield Wrong(where, "each id once", told(row["id"]))
        elif name not in known and _number(name) <= highest:
            yield Wrong(where, f"an id of the draft, or one above {numbered(highest)}", told(name))
        seen.add(name)


def _number(name: str) -> int:
    return int(name.removeprefix("Q"))


def next_number(questions: Sequence[Question]) -> int:
    """Return the number of the next question that is added."""
    return max((_number(question.id) for question in questions), default=0) + 1


def items(questions: Sequence[Question]) -> dict[str, Json]:
    """Return questions by id, as they are compared."""
    return {one.id: {"phase": one.phase, "question": one.prompt} for one in questions}


def as_draft(questions: Sequence[Question]) -> dict[str, object]:
    """Return questions as a document that others vote on."""
    return {
        "questions": [
            {"id": one.id, "phase": one.phase, "question": one.prompt} for one in questions
        ]
    }
