"""Going back to a gate that was passed: the interview, the PRD, the blueprint, the setup plan.

An approved interview or PRD is edited and approved again in one command: what was drafted from
the old one is archived, beads included. A blueprint or a setup plan is reopened only out of
BLOCKED_ERROR, so that a bad one is no dead end, and then waits at its gate to be mended.
"""

from typing import Final

from interlock.kernel.forms import Either, In, Not
from interlock.kernel.rules import Do, Fire, Guard, Rule
from interlock.workflows.ticket.guards import OPEN, PEOPLE_DECIDE, came_from, phase_is
from interlock.workflows.ticket.machine import (
    AFTER_INTERVIEW,
    AFTER_PRD,
    BEFORE_CODING,
    PEOPLE,
    SETTING_UP,
)
from interlock.workflows.ticket.phases import BLOCKED
from interlock.workflows.ticket.planning_rules import SEEN


def _passed(*phases: str) -> tuple[Guard, Guard]:
    """Return the guards that admit these phases, and a blocked ticket that came from them."""
    refused = (
        "CANNOT_REOPEN",
        "An artifact can be reopened once its gate was passed, and before PRE_FLIGHT_CHECK.",
        "At its own gate save an edit with save_artifact; later on cancel and start anew.",
    )
    return (
        Guard(In("unit", (*phases, BLOCKED)), *refused),
        Guard(Either((Not(In("unit", (BLOCKED,))), came_from(*phases))), *refused),
    )


def _came(*phases: str) -> Guard:
    return Guard(
        came_from(*phases),
        "CANNOT_REOPEN",
        "This can be reopened only where its own approval was what came before.",
        "Retry, or cancel and start anew.",
    )


# fmt: off
REOPEN_RULES: Final = (
    Rule(
        "reopen_interview", "ticket", PEOPLE, command="reopen interview",
        doc="Approve an edited interview; everything that was drafted from the old one starts anew.",
        guards=(OPEN, *_passed(*AFTER_INTERVIEW), PEOPLE_DECIDE),
        walk=(
            Fire("unit", "REOPEN_INTERVIEW", reason="reopened"), Do("archive_beads"),
            Fire("unit", "APPROVE", reason="reopened"),
        ),
        examples=SEEN,
    ),
    Rule(
        "reopen_prd", "ticket", PEOPLE, command="reopen prd",
        doc="Approve an edited PRD; everything that was drafted from the old one starts anew.",
        guards=(OPEN, *_passed(*AFTER_PRD), PEOPLE_DECIDE),
        walk=(
            Fire("unit", "REOPEN_PRD", reason="reopened"), Do("archive_beads"),
            Fire("unit", "APPROVE", reason="reopened"),
        ),
        examples=SEEN,
    ),
    Rule(
        "reopen_beads", "ticket", PEOPLE, command="reopen beads",
        doc="Go back to the approval of the blueprint, to mend it; the beads are kept for editing.",
        guards=(OPEN, phase_is(BLOCKED), PEOPLE_DECIDE, _came(*BEFORE_CODING)),
        walk=(Fire("unit", "REOPEN_BEADS", reason="reopened"), Do("show_artifact")),
        examples=SEEN,
    ),
    Rule(
        "reopen_setup", "ticket", PEOPLE, command="reopen setup",
        doc="Go back to the approval of the setup plan, to mend it.",
        guards=(OPEN, phase_is(BLOCKED), PEOPLE_DECIDE, _came(*SETTING_UP)),
        walk=(
            Fire("unit", "REOPEN_SETUP", reason="reopened"), Do("hold_plan"), Do("show_artifact"),
        ),
        examples=SEEN,
    ),
)
# fmt: on
