"""Taking in an answer: by its task it becomes an outcome, points, or documents of the ticket.

Each function reads an answer and raises ``AnswerInvalid`` with all that is wrong. What it returns
is applied in one commit with the assignment, on the version of the ticket that it was judged on.
"""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from interlock.commands.ticket import execute
from interlock.commands.ticket.desk import Desk
from interlock.commands.ticket.execute import Takes
from interlock.commands.ticket.outcome import Taken
from interlock.commands.ticket.shown import alternatives, judged_of
from interlock.commands.ticket.warned import CHANGES, COMMANDS, NOTES, with_warnings, wrong_commands
from interlock.commands.ticket.words import documents_of
from interlock.service.order import Reply
from interlock.store.rows import dump
from interlock.ticketing import (
    beads,
    blueprint,
    canonical,
    coverage,
    interview,
    prd,
    repository,
    session_json,
    vote,
)
from interlock.ticketing.answer import check
from interlock.ticketing.changes import Change, Revised
from interlock.ticketing.checked import Json, rows, text
from interlock.ticketing.execution import judge
from interlock.ticketing.full_answers import filled
from interlock.ticketing.relevant_files import relevant_files
from interlock.ticketing.schemas import BEADS_DRAFT, PRD_DRAFT, answer_schema
from interlock.ticketing.session import Session, begin, follow_up, offer_batch

GAPS_FOUND: Final = coverage.GAPS_FOUND
BATCH_READY: Final = "BATCH_READY"
NO_DRAFTS: Final[Mapping[int, Json]] = {}
NAMES: Final = {"prd": "prd", "beads": "blueprint"}
"""Which document each domain refines and audits."""


async def take(desk: Desk, answer: Json, at: int) -> Taken:
    """Read an answer to the task of an assignment."""
    return await TAKES[desk.task.name](desk, answer, at)


def _session_text(session: Session) -> str:
    return dump(session_json.kept(session))


# -- the council -------------------------------------------------------------------------------


async def _scan(desk: Desk, answer: Json, _: int) -> Taken:
    found = relevant_files(answer, desk.unit.id)
    texts = {"relevant_files": canonical.write(found)}
    return Taken(answer, {"outcome": "RELEVANT_FILES_READY"}, texts)


def _drafted(draft: Json) -> Taken:
    return Taken(draft, {"digest": canonical.digest(dump(draft))})


async def _draft_interview(desk: Desk, answer: Json, _: int) -> Taken:
    questions = interview.draft(answer, desk.questions_max)
    return _drafted(interview.as_draft(questions))


async def _draft_prd(desk: Desk, answer: Json, at: int) -> Taken:
    found = check(PRD_DRAFT, answer)
    answers = rows(found, "full_answers")
    filled(await desk.document("interview"), answers, at)
    digest = documents_of(desk.unit)["interview"]
    document = prd.document(found["prd"], desk.unit.id, digest)
    return _drafted({"full_answers": answers, "prd": document})


async def _draft_beads(desk: Desk, answer: Json, _: int) -> Taken:
    found = check(BEADS_DRAFT, answer)
    digest = documents_of(desk.unit)["prd"]
    references = prd.references(await desk.document("prd"))
    return _drafted(blueprint.document(found["beads"], desk.unit.id, digest, references))


async def _vote(desk: Desk, answer: Json, _: int) -> Taken:
    points = vote.scores(desk.task.domain, answer, desk.order)
    members = cast("int", desk.fields["members"])
    kept: Reply = {
        **answer, "seed": desk.seed, "order": [desk.name_of(place) for place in desk.order],
        "points": {desk.name_of(place): given for place, given in points.items()},
    }  # fmt: skip
    return Taken(kept, {"scores": tuple(points.get(place, 0) for place in range(members))})


# -- interview ---------------------------------------------------------------------------------


async def _refine_interview(desk: Desk, answer: Json, _: int) -> Taken:
    drafts = await desk.drafts()
    before = _questions(drafts[desk.winner])
    ids = {
        label: [one.id for one in _questions(drafts[place])]
        for label, place in alternatives(desk).items()
    }
    refined = interview.refine(answer, before, ids, desk.questions_max)
    session = begin(refined.questions, desk.questions_max, desk.follow_up_budget)
    texts = {"session": _session_text(session)}
    texts |= _changes("interview", refined.changes)
    return Taken(answer, {"outcome": "READY"}, texts)


def _questions(draft: Json) -> tuple[interview.Question, ...]:
    return interview.draft(draft)


async def _batch(desk: Desk, answer: Json, at: int) -> Taken:
    session = offer_batch(await desk.session(), answer, at)
    texts = {"session": _session_text(session)}
    if not session.is_complete:
        return Taken(answer, {"outcome": BATCH_READY}, texts)
    texts["interview"] = desk.interview_text(session)
    return Taken(answer, {"outcome": "INTERVIEW_COMPLETE"}, texts)


async def _audit_interview(desk: Desk, answer: Json, _: int) -> Taken:
    session = await desk.session()
    turn = coverage.Turn(desk.audit_number, desk.audits_max, session.follow_ups_left())
    verdict = coverage.judged("interview", answer, turn)
    if verdict.outcome == GAPS_FOUND:
        followed = follow_up(session, verdict.follow_ups)
        verdict = verdict.noting(followed.notes)
        audited = await _audited(desk, answer, verdict, turn)
        audited.texts["session"] = _session_text(followed.session)
        return audited
    audited = await _audited(desk, answer, verdict, turn)
    audited.args["digest"] = documents_of(desk.unit)["interview"]
    if verdict.why == coverage.BUDGET_SPENT:
        audited.args["follow_ups_left"] = 0
    return audited


# -- PRD and blueprint -------------------------------------------------------------------------


async def _refine(desk: Desk, answer: Json, _: int) -> Taken:
    domain = desk.task.domain
    found = check(answer_schema(domain, "refine"), answer)
    drafts = await desk.drafts()
    revised = await _revised(desk, found, judged_of(domain, drafts[desk.winner]), drafts)
    texts = _candidate(domain, revised)
    if domain == "prd":
        texts["full_answers"] = canonical.write(await desk.full_answers(desk.winner))
    told = {CHANGES: revised.warnings, NOTES: (), COMMANDS: ()}
    more = with_warnings(desk.fields, domain, (), **told)
    return Taken(answer, {"outcome": "REFINED"}, texts, more)


async def _revised(
    desk: Desk, found: Json, before: Json, drafts: Mapping[int, Json] = NO_DRAFTS
) -> Revised:
    """Return a document after a refinement or a revision, with what was changed and by whom."""
    domain = desk.task.domain
    items = prd.items if domain == "prd" else blueprint.items
    ids = {
        label: list(items(judged_of(domain, drafts[place])))
        for label, place in alternatives(desk).items()
        if place in drafts
    }
    declared = rows(found, "changes")
    if domain == "prd":
        return prd.revised(found["prd"], declared, before, ids)
    references = prd.references(await desk.document("prd"))
    return blueprint.revised(found["beads"], declared, before, ids, references)


def _candidate(domain: str, revised: Revised) -> dict[str, str]:
    """Return a new candidate as it is kept, and what has changed."""
    texts = {NAMES[domain]: canonical.write(revised.document)}
    return texts | _changes(domain, revised.changes)


def _changes(domain: str, changes: Sequence[Change]) -> dict[str, str]:
    told = [one.as_json() for one in changes]
    return {f"changes/{domain}": canonical.write({"changes": told})}


async def _audit(desk: Desk, answer: Json, _: int) -> Taken:
    domain = desk.task.domain
    turn = coverage.Turn(desk.audit_number, desk.audits_max)
    verdict = coverage.judged(domain, answer, turn)
    before = await desk.document(NAMES[domain])
    if verdict.outcome == GAPS_FOUND:
        revised = await _revised(desk, answer, before)
        audited = await _audited(desk, answer, verdict.noting(revised.warnings), turn)
        audited.texts.update(_candidate(domain, revised))
        return audited
    audited = await _audited(desk, answer, verdict, turn)
    if domain == "prd":
        audited.args["digest"] = documents_of(desk.unit)["prd"]
        return audited
    document = beads.expanded(before, answer.get("expansion"))
    text = canonical.write(document)
    audited.texts["beads"] = text
    rows_ = beads.machine_rows(document, is_parallel=desk.is_parallel)
    audited.args.update({"digest": canonical.digest(text), "beads": rows_})
    commands = {COMMANDS: await wrong_commands(desk, document)}
    audited.more.update(with_warnings({**desk.fields, **audited.more}, domain, **commands))
    return audited


async def _audited(
    desk: Desk, answer: Json, verdict: coverage.Verdict, turn: coverage.Turn
) -> Taken:
    """Return what every audit comes to: its outcome, its record, and the gaps that are left.

    The machine counts audits itself: gaps that nothing can be done about are gaps to it, too.
    """
    domain = desk.task.domain
    name = f"coverage/{domain}"
    text = await desk.text(name) if turn.number > 1 else ""
    before = canonical.read(text) if text else None
    record = coverage.recorded(before, domain, verdict, turn)
    is_clean = verdict.outcome == coverage.COVERAGE_CLEAN
    outcome = coverage.COVERAGE_CLEAN if is_clean else GAPS_FOUND
    texts = {name: canonical.write(record)}
    notes = {NOTES: coverage.notes_of(record)}
    more = with_warnings(desk.fields, domain, verdict.warnings, **notes)
    return Taken(answer, {"outcome": outcome}, texts, more)


# -- the workspace -----------------------------------------------------------------------------


async def _init(desk: Desk, answer: Json, _: int) -> Taken:
    """Take the working tree as made; what the worker has listed of it is a document."""
    report = judge.read("init", answer)
    kept = {name: said for name, said in report.items() if name != repository.LISTING}
    texts: dict[str, str] = {}
    if repository.LISTING in report:
        found = repository.document(report[repository.LISTING], desk.unit.id)
        texts[repository.NAME] = canonical.write(found)
    base = text(report, "base_commit")
    tree = {"branch": text(report, "branch"), "base_commit": base, "head": base}
    more: Reply = {"site": text(report, "site"), "tree": tree} if base else {}
    return Taken(kept, {"outcome": "START"}, texts, more)


TAKES: Final[Mapping[str, Takes]] = {
    **execute.TAKES,
    "init": _init,
    "scan": _scan,
    "interview_draft": _draft_interview,
    "interview_vote": _vote,
    "interview_refine": _refine_interview,
    "interview_batch": _batch,
    "interview_audit": _audit_interview,
    "prd_draft": _draft_prd,
    "prd_vote": _vote,
    "prd_refine": _refine,
    "prd_audit": _audit,
    "beads_draft": _draft_beads,
    "beads_vote": _vote,
    "beads_refine": _refine,
    "beads_audit": _audit,
}
"""What is done with the answer to each task."""
