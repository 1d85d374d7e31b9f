"""Coverage: what an audit found, what follows from it, and what is kept of it.

An audit is clean or has gaps. Gaps are closed by follow-up questions (interview) or by a revision
(PRD, blueprint), which is the next candidate; the last audit that is allowed is followed by
neither. Reaching a cap is no error: the gaps that are left become warnings at the approval.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from interlock.ticketing.answer import Wrong, check, place, refuse, told
from interlock.ticketing.batch import FOLLOW_UPS, Asked, asked, wrong_options
from interlock.ticketing.beads import EXPANSION
from interlock.ticketing.blueprint import BEADS
from interlock.ticketing.changes import CHANGES
from interlock.ticketing.checked import Json, rows, text, texts
from interlock.ticketing.form import choice, described, lines, shape
from interlock.ticketing.prd import PRD

VERSION: Final = 1
CLEAN: Final = "clean"
GAPS: Final = "gaps"

COVERAGE_CLEAN: Final = "COVERAGE_CLEAN"
GAPS_FOUND: Final = "GAPS_FOUND"
LIMIT_REACHED: Final = "COVERAGE_LIMIT_REACHED"

AUDITS_SPENT: Final = "coverage_pass_limit_reached"
BUDGET_SPENT: Final = "follow_up_budget_exhausted"

RESULT: Final = {
    "status": choice((CLEAN, GAPS), "clean: nothing is missing; gaps: something is."),
    "gaps": lines("What is missing, each in one sentence that names the place. Empty if clean."),
}
REVISION: Final[Mapping[str, Json]] = {
    "prd": described(PRD, "With gaps, unless this is the last audit: the whole PRD, gaps closed."),
    "beads": described(BEADS, "With gaps, unless this is the last audit: all beads, gaps closed."),
}


class Turn(NamedTuple):
    """Which audit it is: the number of it, how many there may be, how much may follow up."""

    number: int
    most: int
    follow_ups_left: int = 0

    @property
    def is_last(self) -> bool:
        """Whether no other audit can follow."""
        return self.number >= self.most


class Verdict(NamedTuple):
    """What an audit leads to. ``why`` is empty unless a cap was reached."""

    outcome: str
    gaps: tuple[str, ...]
    why: str = ""
    follow_ups: tuple[Asked, ...] = ()
    notes: tuple[str, ...] = ()

    def noting(self, notes: Sequence[str]) -> "Verdict":
        """Return the same with more notes."""
        return self._replace(notes=(*self.notes, *notes))

    @property
    def warnings(self) -> tuple[str, ...]:
        """The gaps that go to the approval, because nothing is left to close them with."""
        return self.gaps if self.outcome == LIMIT_REACHED else ()


def audit_schema(domain: str) -> Json:
    """Return the schema of an audit's answer."""
    if domain == "interview":
        return shape({**RESULT, "follow_up_questions": FOLLOW_UPS}, ("follow_up_questions",))
    more: dict[str, Json] = {domain: REVISION[domain], "changes": CHANGES}
    if domain == "beads":
        about = "If clean, or in the last audit: what each bead of the blueprint adds."
        more["expansion"] = described(EXPANSION, about)
    return shape({**RESULT, **more}, optional=tuple(more))


def judged(domain: str, answer: object, turn: Turn) -> Verdict:
    """Return what an audit leads to; raises ``AnswerInvalid``.

    What comes along (a revision, an expansion) is only asked for here; its owner reads it.
    """
    found = check(audit_schema(domain), answer)
    gaps = tuple(texts(found, "gaps"))
    verdict = _verdict(domain, found, gaps, turn)
    refuse((*_wrong_status(found, gaps), *_wrong_extras(domain, found, verdict)))
    return verdict._replace(notes=tuple(_in_vain(domain, found, verdict)))


def _verdict(domain: str, found: Json, gaps: tuple[str, ...], turn: Turn) -> Verdict:
    if text(found, "status") == CLEAN:
        return Verdict(COVERAGE_CLEAN, ())
    if domain == "interview" and turn.follow_ups_left <= 0:
        return Verdict(LIMIT_REACHED, gaps, BUDGET_SPENT)
    if turn.is_last:
        return Verdict(LIMIT_REACHED, gaps, AUDITS_SPENT)
    return Verdict(GAPS_FOUND, gaps, "", asked(found, "follow_up_questions"))


def _wrong_status(found: Json, gaps: tuple[str, ...]) -> Iterator[Wrong]:
    is_clean = text(found, "status") == CLEAN
    if is_clean and gaps:
        yield Wrong(place("gaps"), "none, as the status is clean", told(gaps))
    if not is_clean and not gaps:
        yield Wrong(place("gaps"), "at least one, as the status is gaps", "an empty list")


def _wrong_extras(domain: str, found: Json, verdict: Verdict) -> Iterator[Wrong]:
    """Yield what must come along with this verdict and does not."""
    goes_on = verdict.outcome == GAPS_FOUND
    if domain == "interview":
        yield from wrong_options(rows(found, "follow_up_questions"), "follow_up_questions")
        if goes_on and not verdict.follow_ups:
            expected = "at least one question that would close a gap"
            yield Wrong(place("follow_up_questions"), expected, "none")
        return
    if goes_on and domain not in found:
        yield Wrong(place(domain), "a revision that closes the gaps", "nothing")
    if domain == "beads" and not goes_on and "expansion" not in found:
        yield Wrong(place("expansion"), "an entry for each bead", "nothing")


def _in_vain(domain: str, found: Json, verdict: Verdict) -> Iterator[str]:
    """Yield what came along and is not taken; an answer is not refused for it."""
    goes_on = verdict.outcome == GAPS_FOUND
    if not goes_on and domain in found:
        yield f"The revision was not taken: {_no_more(verdict)}."
    if goes_on and "expansion" in found:
        yield "The expansion was not taken: the blueprint is being revised."
    if not goes_on and rows(found, "follow_up_questions"):
        yield f"The follow-up questions were not taken: {_no_more(verdict)}."


def _no_more(verdict: Verdict) -> str:
    whys = {AUDITS_SPENT: "this was the last audit", BUDGET_SPENT: "no follow-up is left"}
    return whys.get(verdict.why, "nothing is missing")


# -- what is kept ------------------------------------------------------------------------------


def recorded(before: Json | None, domain: str, verdict: Verdict, turn: Turn) -> dict[str, object]:
    """Return the record of a domain's audits with one more; ``before`` is None for the first."""
    earlier = [] if before is None else rows(before, "audits")
    audit = {
        "number": turn.number,
        "candidate": candidate(before),
        "status": CLEAN if verdict.outcome == COVERAGE_CLEAN else GAPS,
        "gaps": list(verdict.gaps),
        "outcome": verdict.outcome,
        "why": verdict.why,
        "notes": list(verdict.notes),
    }
    return {
        "schema_version": VERSION,
        "artifact": f"coverage/{domain}",
        "audits_max": turn.most,
        "audits": [*earlier, audit],
        "remaining_gaps": list(verdict.warnings),
    }


def notes_of(record: Json) -> tuple[str, ...]:
    """Return what came along with audits and was not taken, each with the number of its audit."""
    return tuple(
        f"Audit {audit['number']}: {note}"
        for audit in rows(record, "audits")
        for note in texts(audit, "notes")
    )


def candidate(record: Json | None) -> int:
    """Return the number of the candidate that the next audit is about: a revision is a new one."""
    earlier = [] if record is None else rows(record, "audits")
    return 1 + sum(text(audit, "outcome") == GAPS_FOUND for audit in earlier)
