"""An interview under way: what is open, what was asked, what was answered.

A session is a value: every function returns a new one, or raises and nothing has changed. The
winner offers batches, the user answers them; only what belongs to the batch that waits is taken,
so a late or repeated answer changes nothing. Follow-ups of the winner and those of audits are
counted apart, each up to the same budget. The last question is always a free one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from interlock.errors import InterlockError
from interlock.ticketing.answer import AnswerInvalid, Wrong, check, place, refuse, told
from interlock.ticketing.batch import BATCH, Asked, asked, wrong_options
from interlock.ticketing.checked import rows, text
from interlock.ticketing.interview import (
    COVERAGE,
    FINAL,
    FREE,
    PHASES,
    PROMPT,
    Question,
    next_number,
    numbered,
)
from interlock.ticketing.reply import (
    AI_SKIP,
    USER_SKIP,
    Reply,
    reply,
    skip,
    wrong_with_reply,
)

ANYTHING_ELSE: Final = "Is there anything else that we should know, and that nobody asked for?"


class StaleBatch(InterlockError):
    """The batch that was meant is not the one that waits for answers."""

    code = "STALE_BATCH"
    http = 409


class Batch(NamedTuple):
    """Questions that are put to the user together."""

    number: int
    questions: tuple[str, ...]
    commentary: str = ""
    is_final: bool = False


class Round(NamedTuple):
    """Questions that followed up, together."""

    number: int
    source: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """An interview as it stands; ``batch`` is what the user is asked now."""

    maximum: int
    budget: int
    questions: tuple[Question, ...]
    answers: Mapping[str, Reply] = field(default_factory=dict)
    batch: Batch | None = None
    batches: tuple[Batch, ...] = ()
    rounds: tuple[Round, ...] = ()
    is_complete: bool = False

    @property
    def open(self) -> tuple[Question, ...]:
        """The questions that are neither answered nor skipped."""
        return tuple(one for one in self.questions if one.id not in self.answers)

    @property
    def by_id(self) -> dict[str, Question]:
        """The questions by id."""
        return {one.id: one for one in self.questions}

    @property
    def final(self) -> Question | None:
        """The last, free question, once it was asked."""
        return next((one for one in self.questions if one.source == FINAL), None)

    def follow_ups_left(self, source: str = COVERAGE) -> int:
        """Return how many questions of a source may still follow up."""
        return max(0, self.budget - sum(one.source == source for one in self.questions))


class FollowedUp(NamedTuple):
    """A session with the questions of an audit, and how many of them were too many."""

    session: Session
    left_out: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What is told of those that were too many."""
        if not self.left_out:
            return ()
        which = "question was" if self.left_out == 1 else "questions were"
        return (f"{self.left_out} follow-up {which} left out: no more may be asked.",)


def begin(questions: Sequence[Question], maximum: int, budget: int) -> Session:
    """Begin an interview with compiled questions."""
    return Session(maximum=maximum, budget=budget, questions=tuple(questions))


# -- the winner's side -------------------------------------------------------------------------


def offer_batch(session: Session, answer: object, at: int) -> Session:
    """Take what the winner prepared: a batch that waits then, or the end of the interview.

    Where it wants to end before the last, free question was asked, that one is the batch.
    """
    if session.batch is not None or session.is_complete:
        raise _stale(session, "offered while")
    found = check(BATCH, answer)
    if "questions" not in found:
        return _ended(session, at)
    each = asked(found, "questions")
    is_final = found.get("is_final") is True
    refuse((
        *wrong_options(rows(found, "questions"), "questions"),
        *_wrong_ids(session, each),
        *(_wrong_final(session, each) if is_final else _wrong_new(session, each)),
    ))  # fmt: skip
    return _with_batch(session, each, text(found, "commentary"), is_final=is_final)


def _ended(session: Session, at: int) -> Session:
    owed = [one.id for one in session.open if one.source == COVERAGE]
    if owed:
        expected = f"the follow-up questions of the audit first: {', '.join(owed)}"
        refuse((Wrong(place("complete"), expected, "true"),))
    if session.final is not None:
        return complete(session, at)
    last = Asked("", ANYTHING_ELSE, PHASES[-1], FREE, ())
    return _with_batch(session, (last,), "", is_final=True)


def _wrong_ids(session: Session, each: Sequence[Asked]) -> Iterator[Wrong]:
    is_open = {one.id for one in session.open}
    seen: set[str] = set()
    for number, one in enumerate(each):
        where = place("questions", number, "id")
        if one.id and one.id not in is_open:
            known = "an open question" if one.id not in session.by_id else "one not answered yet"
            yield Wrong(where, f"{known} (or no id for a new one)", told(one.id))
        elif one.id in seen:
            yield Wrong(where, "each question once", told(one.id))
        seen.add(one.id or f"new {number}")


def _wrong_new(session: Session, each: Sequence[Asked]) -> Iterator[Wrong]:
    """Yield what is wrong with questions of the winner's own."""
    left = session.follow_ups_left(PROMPT)
    owed = {one.id for one in session.open if one.source == COVERAGE}
    for number, one in enumerate(each):
        where = place("questions", number)
        if session.final is not None and one.id not in owed:
            yield Wrong(
                where, "a follow-up of the audit: the last question was asked", told(one.id)
            )
        elif not one.id and not one.phase:
            yield Wrong(
                f"{where}.phase", f"one of {', '.join(PHASES)} for a new question", "nothing"
            )
        elif not one.id:
            left -= 1
            if left < 0:
                expected = f"an open question: the {session.budget} follow-ups are used up"
                yield Wrong(where, expected, "a new question")


def _wrong_final(session: Session, each: Sequence[Asked]) -> Iterator[Wrong]:
    if session.final is not None:
        yield Wrong(place("is_final"), "false: the last question was asked already", "true")
    if len(each) != 1:
        yield Wrong(place("questions"), "one question, as it is the last", f"a list of {len(each)}")
    if each[0].answer_type != FREE:
        yield Wrong(place("questions", 0, "answer_type"), FREE, told(each[0].answer_type))


def _with_batch(
    session: Session, each: Sequence[Asked], commentary: str, *, is_final: bool
) -> Session:
    new = [one for one in each if not one.id]
    source = FINAL if is_final else PROMPT
    added, rounds = _added(session, new, source)
    names = iter(question.id for question in added)
    ids = tuple(one.id or next(names) for one in each)
    asked_now = {one.id: one for one in each if one.id}
    kept = tuple(
        _adapted(one, asked_now.get(one.id), is_final=is_final) for one in session.questions
    )
    batch = Batch(len(session.batches) + 1, ids, commentary, is_final=is_final)
    return replace(session, questions=(*kept, *added), rounds=rounds, batch=batch)


def _adapted(question: Question, now: Asked | None, *, is_final: bool) -> Question:
    """Return a question as the winner put it; its id and phase stay."""
    if now is None:
        return question
    return question._replace(
        prompt=now.prompt,
        answer_type=now.answer_type,
        options=now.options,
        source=FINAL if is_final else question.source,
    )


def _added(
    session: Session, new: Sequence[Asked], source: str
) -> tuple[tuple[Question, ...], tuple[Round, ...]]:
    """Return new questions with their ids, and all rounds; the last question is in no round."""
    if not new:
        return (), session.rounds
    number = 0 if source == FINAL else len(session.rounds) + 1
    first = next_number(session.questions)
    added = tuple(
        Question(
            numbered(first + place_), one.phase or PHASES[-1], one.prompt, source, number,
            one.answer_type, one.options,
        )
        for place_, one in enumerate(new)
    )  # fmt: skip
    if not number:
        return added, session.rounds
    return added, (*session.rounds, Round(number, source, tuple(one.id for one in added)))


def follow_up(session: Session, questions: Sequence[Asked]) -> FollowedUp:
    """Take the questions of an audit as open ones, as many as the budget has left."""
    left = session.follow_ups_left(COVERAGE)
    added, rounds = _added(session, questions[:left], COVERAGE)
    now = replace(
        session,
        questions=(*session.questions, *added),
        rounds=rounds,
        is_complete=session.is_complete and not added,
    )
    return FollowedUp(now, len(questions) - len(added))


def complete(session: Session, at: int) -> Session:
    """End the interview: what was never asked is left to the council."""
    rest = {one.id: skip(AI_SKIP, at) for one in session.open}
    return _closed(replace(session, answers={**session.answers, **rest}, is_complete=True))


def _closed(session: Session) -> Session:
    if session.batch is None:
        return session
    return replace(session, batch=None, batches=(*session.batches, session.batch))


# -- the user's side ---------------------------------------------------------------------------


def answer_batch(
    session: Session, batch_number: int, answers: Mapping[str, object], at: int
) -> Session:
    """Take the user's answers to the batch that waits; a question without one is skipped."""
    batch = session.batch
    if batch is None or batch.number != batch_number:
        raise _stale(session, f"answered with {batch_number} while")
    by_id = session.by_id
    wrong: list[Wrong] = []
    taken: dict[str, Reply] = {}
    for name, given in answers.items():
        if name not in batch.questions:
            expected = f"one of {', '.join(batch.questions)}"
            wrong.append(Wrong(place("answers", name), expected, told(name)))
            continue
        wrong.extend(wrong_with_reply(by_id[name], given, "answers", name))
        if not wrong and isinstance(given, Mapping):
            taken[name] = reply(by_id[name], given, at, batch.number)
    refuse(wrong)
    missing = {
        name: session.answers.get(name) or skip(USER_SKIP, at, batch.number)
        for name in batch.questions
        if name not in taken
    }
    return _closed(replace(session, answers={**session.answers, **missing, **taken}))


def skip_question(session: Session, question: str, at: int) -> Session:
    """Leave one question of the batch that waits to the council; it can still be answered."""
    batch = session.batch
    if batch is None or question not in batch.questions:
        waits = ", ".join(batch.questions) if batch else "none: no batch waits"
        expected = f"a question of the batch ({waits})"
        raise AnswerInvalid((Wrong(place("question_id"), expected, told(question)),))
    return replace(
        session, answers={**session.answers, question: skip(USER_SKIP, at, batch.number)}
    )


def skip_all(session: Session, at: int) -> Session:
    """Skip everything that is open, and end the interview."""
    rest = {one.id: skip(USER_SKIP, at) for one in session.open}
    return _closed(replace(session, answers={**session.answers, **rest}, is_complete=True))


def edit_answer(session: Session, question: str, given: object, at: int) -> Session:
    """Change an earlier answer, or answer what was skipped; one that says nothing is a skip."""
    earlier = session.answers.get(question)
    waits = session.batch.questions if session.batch else ()
    if earlier is None or question in waits:
        expected = "a question that was answered or skipped in an earlier batch"
        raise AnswerInvalid((Wrong(place("question_id"), expected, told(question)),))
    asked_of = session.by_id[question]
    refuse(wrong_with_reply(asked_of, given, "answer"))
    now = reply(asked_of, given if isinstance(given, Mapping) else {}, at, earlier.batch)
    return replace(session, answers={**session.answers, question: now})


def _stale(session: Session, what: str) -> StaleBatch:
    if session.is_complete:
        stands = "the interview is complete"
    elif session.batch is None:
        stands = f"no batch waits ({len(session.batches)} were answered)"
    else:
        stands = f"batch {session.batch.number} waits for answers"
    fix = "Read the ticket again, and answer the batch that waits, by its number."
    return StaleBatch(f"A batch was {what} {stands}.", fix=fix)
