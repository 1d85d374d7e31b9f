"""Coverage: how often an artifact is audited for gaps before a person gets to see it anyway.

Reaching a cap is no error: the gaps that are left go to the approval page as warnings. The
interview's audits are counted over the whole interview, whatever is retried in between; those of
the PRD and of the blueprint in each attempt of their phase. Gaps found by the last audit that is
allowed fire COVERAGE_LIMIT_REACHED in place of GAPS_FOUND, so five audits mean four revisions.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.forms import Functions
from interlock.kernel.workflow import Field
from interlock.workflows.ticket.bead import read_beads
from interlock.workflows.ticket.phases import ANSWERS, AUDITS, BLOCKED

INTERVIEW: Final = "VERIFYING_INTERVIEW_COVERAGE"
PRD: Final = "VERIFYING_PRD_COVERAGE"
BEADS: Final = "VERIFYING_BEADS_COVERAGE"

AUDITS_MAX: Final[Mapping[str, int]] = MappingProxyType({INTERVIEW: 2, PRD: 5, BEADS: 5})

COVERAGE_FIELDS: Final = (
    Field("interview_audits", 0, during=(ANSWERS, INTERVIEW, BLOCKED)),
    Field("audits", 0, during=(PRD, BEADS)),
)


def _counter(phase: str) -> str:
    return "interview_audits" if phase in (INTERVIEW, ANSWERS) else "audits"


def _gaps_are_final(draft: Draft) -> bool:
    phase = draft.unit.status
    if phase not in AUDITS or draft.event.args.get("outcome") != "GAPS_FOUND":
        return False
    if phase == INTERVIEW and draft.event.args.get("follow_ups_left") == 0:
        return True
    return cast("int", draft.unit.fields[_counter(phase)]) + 1 >= AUDITS_MAX[phase]


def _count_audit(draft: Draft) -> None:
    counter = _counter(draft.unit.status)
    draft.write("unit", counter, cast("int", draft.unit.fields[counter]) + 1)


def _blueprint_fits(draft: Draft) -> bool:
    """Where the answer leads to the blueprint's approval it must bring the beads along."""
    if draft.unit.status != BEADS:
        return True
    if draft.event.args.get("outcome") == "GAPS_FOUND" and not _gaps_are_final(draft):
        return True
    return read_beads(draft) is not None


COVERAGE_FUNCTIONS: Final[Functions] = {
    "gaps_are_final": _gaps_are_final,
    "count_audit": _count_audit,
    "blueprint_fits": _blueprint_fits,
}
