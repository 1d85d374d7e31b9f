"""The interview: a person answers the questions that wait, skips some or all, changes an answer.

The interview is a document of the ticket. What is said is judged on it as it stands at one version
of the ticket, and written on that version: of two answers to one batch the second is refused.
"""

from collections.abc import Callable, Mapping

from interlock.commands.deciding import may_decide, on_one_version
from interlock.commands.row import Call
from interlock.commands.ticket.papers import Papers, papers_of
from interlock.commands.ticket.words import about, answered, filed, ticket_named
from interlock.service.order import Asked, Order, Reply, Result, require_version
from interlock.service.run import Answer
from interlock.store.rows import dump
from interlock.ticketing import canonical, session_json
from interlock.ticketing.interview import Question
from interlock.ticketing.session import Session
from interlock.ticketing.session import answer_batch as answered_batch
from interlock.ticketing.session import edit_answer as edited_answer
from interlock.ticketing.session import skip_all as skipped_all
from interlock.ticketing.session import skip_question as skipped_question
from interlock.wire.ticket import AnswerBatch, EditAnswer, GivenAnswer, SkipAll, SkipQuestion

Said = Callable[[Session, int], Session]
"""What somebody says becomes of an interview at an instant."""


async def answer_batch(call: Call, asked: AnswerBatch) -> Answer:
    """Answer the questions that wait."""
    given = {one.question_id: _given(one) for one in asked.answers}

    def say(session: Session, at: int) -> Session:
        return answered_batch(session, asked.batch, given, at)

    return await _say(call, asked.ticket_id, "answer_batch", say)


def _given(answer: GivenAnswer | EditAnswer) -> Mapping[str, object]:
    return {"selected_option_ids": list(answer.selected), "free_text": answer.text}


async def skip_question(call: Call, asked: SkipQuestion) -> Answer:
    """Leave a question of the batch to the council."""

    def say(session: Session, at: int) -> Session:
        return skipped_question(session, asked.question_id, at)

    told = {"question": asked.question_id, "reason": asked.reason}
    return await _say(call, asked.ticket_id, "skip_question", say, told)


async def edit_answer(call: Call, asked: EditAnswer) -> Answer:
    """Change an earlier answer."""

    def say(session: Session, at: int) -> Session:
        return edited_answer(session, asked.question_id, _given(asked), at)

    return await _say(call, asked.ticket_id, "edit_answer", say, {"question": asked.question_id})


async def skip_all(call: Call, asked: SkipAll) -> Answer:
    """End the interview here."""
    return await _say(call, asked.ticket_id, "skip_all", skipped_all, {"reason": asked.reason})


async def _say(
    call: Call, ticket: str, event: str, say: Said, told: Mapping[str, object] | None = None
) -> Answer:
    may_decide(call)
    name = ticket_named(ticket)

    async def order_of() -> Order:
        papers = await papers_of(call, name)
        require_version(papers.unit, call.version)
        sent = Asked(event, told={word: text for word, text in (told or {}).items() if text})
        if papers.text_is_there("session"):
            sent = await _said(papers, sent, say)
        return about(call, name, (sent,), _word, papers.unit.version)

    return await on_one_version(call, name, order_of)


async def _said(papers: Papers, sent: Asked, say: Said) -> Asked:
    """Return the event with the interview as it is afterwards."""
    session = say(await papers.session(), papers.call.engine.store.now())
    texts = {"session": dump(session_json.kept(session))}
    args: Reply = {}
    if session.is_complete:
        texts["interview"] = papers.interview_text(session)
        args["digest"] = canonical.digest(texts["interview"])
    return sent._replace(args=args, also=(filed(papers.unit, texts),))


def _word(result: Result) -> Reply:
    return answered(result, {})


# -- telling -----------------------------------------------------------------------------------


def batch_told(session: Session) -> Reply:
    """Tell the questions that wait."""
    batch = session.batch
    if batch is None:
        return {}
    by_id = session.by_id
    return {
        "number": batch.number, "commentary": batch.commentary, "is_final": batch.is_final,
        "questions": [question_told(by_id[name], session) for name in batch.questions],
        "open": len(session.open), "answered": len(session.answers),
    }  # fmt: skip


def question_told(question: Question, session: Session) -> Reply:
    """Tell a question, with what was answered so far."""
    told: Reply = {
        "id": question.id, "question": question.prompt, "phase": question.phase,
        "answer_type": question.answer_type, "source": question.source,
    }  # fmt: skip
    if question.options:
        told["options"] = [one._asdict() for one in question.options]
    answer = session.answers.get(question.id)
    if answer is not None:
        told["answer"] = {
            "selected": list(answer.selected), "text": answer.text, "skipped": answer.is_skipped,
            "by": answer.by,
        }  # fmt: skip
    return told
