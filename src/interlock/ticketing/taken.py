"""Answers about PRD and blueprint, taken whole: an answer comes in, documents come out.

Each function is for one task. It raises ``AnswerInvalid`` with the mistakes of every part of the
answer, by their paths in it. Answers about the interview are taken by ``interview`` and
``session``, votes by ``vote``.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from interlock.ticketing import blueprint, prd
from interlock.ticketing.answer import check
from interlock.ticketing.beads import expanded
from interlock.ticketing.changes import Revised
from interlock.ticketing.checked import Json, rows
from interlock.ticketing.coverage import GAPS_FOUND, Turn, Verdict, judged
from interlock.ticketing.full_answers import filled
from interlock.ticketing.schemas import answer_schema

Drafts = Mapping[str, Collection[str]]
"""The ids in the other drafts, by the label under which they were shown."""


class PrdDraft(NamedTuple):
    """What a member drafted: the interview with its gaps filled, and the PRD that follows."""

    full_answers: dict[str, object]
    prd: dict[str, object]


class Audited(NamedTuple):
    """What an audit leads to: with gaps a revision, at the end of the blueprint its beads."""

    verdict: Verdict
    revised: Revised | None = None
    beads: dict[str, object] | None = None


class Origin(NamedTuple):
    """Which ticket a document belongs to, and the digest of the document that it came from."""

    ticket: str
    digest: str


def prd_draft(answer: object, interview: Json, origin: Origin, at: int) -> PrdDraft:
    """Take a member's draft of the PRD."""
    found = check(answer_schema("prd", "draft"), answer)
    full = filled(interview, rows(found, "full_answers"), at)
    return PrdDraft(full, prd.document(found["prd"], origin.ticket, origin.digest))


def prd_refine(answer: object, before: Json, drafts: Drafts) -> Revised:
    """Take the winner's refinement of its PRD."""
    found = check(answer_schema("prd", "refine"), answer)
    return prd.revised(found["prd"], rows(found, "changes"), before, drafts)


def prd_audit(answer: object, before: Json, turn: Turn) -> Audited:
    """Take an audit of the PRD."""
    verdict = judged("prd", answer, turn)
    found = check(answer_schema("prd", "audit"), answer)
    if verdict.outcome != GAPS_FOUND:
        return Audited(verdict)
    return Audited(verdict, prd.revised(found["prd"], rows(found, "changes"), before, {}))


def beads_draft(answer: object, origin: Origin, references: Collection[str]) -> dict[str, object]:
    """Take a member's draft of the blueprint; ``references`` are the ids in the PRD."""
    found = check(answer_schema("beads", "draft"), answer)
    return blueprint.document(found["beads"], origin.ticket, origin.digest, references)


def beads_refine(
    answer: object, before: Json, drafts: Drafts, references: Collection[str]
) -> Revised:
    """Take the winner's refinement of its blueprint."""
    found = check(answer_schema("beads", "refine"), answer)
    changes = rows(found, "changes")
    return blueprint.revised(found["beads"], changes, before, drafts, references)


def beads_audit(answer: object, before: Json, turn: Turn, references: Collection[str]) -> Audited:
    """Take an audit of the blueprint; the last one, or a clean one, brings the beads."""
    verdict = judged("beads", answer, turn)
    found = check(answer_schema("beads", "audit"), answer)
    if verdict.outcome != GAPS_FOUND:
        return Audited(verdict, beads=expanded(before, found["expansion"]))
    changes = rows(found, "changes")
    return Audited(verdict, blueprint.revised(found["beads"], changes, before, {}, references))
