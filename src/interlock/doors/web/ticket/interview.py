"""The interview as a form: the questions that wait with every way to answer, and what was said.

Words are always possible, beside a choice or in its place. A question without an answer is left
to the council. Sending is in ``talk``; here a session becomes what the page shows, and what was
filled in becomes answers again.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from interlock.doors.web.csrf import Form
from interlock.ticketing import session_json
from interlock.ticketing.interview import MULTIPLE, Option, Question
from interlock.ticketing.session import Session

TEXT: Final = "text-"
PICK: Final = "pick-"
"""How the fields of a question begin: its words, and what is chosen."""

SOURCES: Final = {
    "prompt_follow_up": "asked on by the winner",
    "coverage_follow_up": "asked by the coverage check",
    "final_free_form": "the last one",
}


class Asked(NamedTuple):
    """A question, with what was answered so far."""

    id: str
    prompt: str
    phase: str
    kind: str
    options: tuple[Option, ...]
    source: str
    is_answered: bool
    is_skipped: bool
    picked: tuple[str, ...]
    text: str
    by: str

    @property
    def said(self) -> str:
        """The answer in a line."""
        labels = [one.label for one in self.options if one.id in self.picked]
        return "; ".join([*labels, *([self.text] if self.text else [])])


class Turn(NamedTuple):
    """A batch, with what its author said about it."""

    number: int
    commentary: str
    is_final: bool
    questions: tuple[Asked, ...]


class Interview(NamedTuple):
    """The interview as it stands."""

    waiting: Turn | None
    earlier: tuple[Turn, ...]
    # What was asked in no batch: left to the council, or not asked yet.
    rest: tuple[Asked, ...]
    answered: int
    total: int
    is_complete: bool


def interview_of(text: str) -> Interview | None:
    """Lay a kept session out; None where there is none yet."""
    if not text:
        return None
    session = session_json.restored(json.loads(text))
    told = {one.id: _asked(one, session) for one in session.questions}
    batches = [*session.batches, *([session.batch] if session.batch else [])]
    turns = [
        Turn(one.number, one.commentary, one.is_final, tuple(told[name] for name in one.questions))
        for one in batches
    ]
    shown = {question.id for turn in turns for question in turn.questions}
    return Interview(
        turns.pop() if session.batch else None, tuple(turns),
        tuple(one for name, one in told.items() if name not in shown),
        len(session.answers), len(session.questions), session.is_complete,
    )  # fmt: skip


def _asked(question: Question, session: Session) -> Asked:
    answer = session.answers.get(question.id)
    return Asked(
        question.id, question.prompt, question.phase, question.answer_type, question.options,
        SOURCES.get(question.source, ""), answer is not None,
        answer is not None and answer.is_skipped,
        () if answer is None else answer.selected, "" if answer is None else answer.text,
        "" if answer is None else answer.by,
    )  # fmt: skip


# -- what was filled in ------------------------------------------------------------------------


def given(form: Form, questions: Sequence[Asked]) -> list[dict[str, object]]:
    """Return the answers that a form holds to these questions; one that says nothing is none."""
    found: list[dict[str, object]] = [
        {"question_id": one.id, "selected": picked(form, one), "text": words(form, one.id)}
        for one in questions
    ]
    return [one for one in found if one["selected"] or one["text"]]


def words(form: Form, question: str) -> str:
    """Return what was written to a question."""
    return form.get(f"{TEXT}{question}", "").strip().replace("\r\n", "\n")


def picked(form: Form, question: Asked) -> list[str]:
    """Return what was chosen of the options of a question."""
    if question.kind == MULTIPLE:
        names = [one.id for one in question.options]
        return [name for name in names if f"{PICK}{question.id}-{name}" in form]
    chosen = form.get(f"{PICK}{question.id}", "")
    return [chosen] if chosen else []


def filled(form: Form, question: Asked) -> Asked:
    """Return a question with what was filled in, so that nothing is written twice."""
    names = (f"{TEXT}{question.id}", f"{PICK}{question.id}")
    if not any(name.startswith(names) for name in form):
        return question
    return question._replace(picked=tuple(picked(form, question)), text=words(form, question.id))


def unplaced(form: Form, questions: Sequence[Asked]) -> Mapping[str, str]:
    """Return what was written to questions that do not wait any more, so that it is not lost."""
    known = {f"{TEXT}{one.id}" for one in questions}
    return {
        name.removeprefix(TEXT): text
        for name, text in form.items()
        if name.startswith(TEXT) and name not in known and text.strip()
    }
