"""What is refused, with the code and the words a caller gets. Guards that several rules share.

Rules list them in the order in which a caller can act on them: has the ticket ended, does the
event fit the phase, may this caller decide, is what was sent good.
"""

from typing import Final

from interlock.kernel.draft import Draft
from interlock.kernel.forms import Any, By, Either, Form, Functions, In, Is, Named, Not
from interlock.kernel.rules import USER, WORKER, Guard
from interlock.workflows.ticket.assignment import OPEN_WORK
from interlock.workflows.ticket.bead import BLUEPRINT, read_beads
from interlock.workflows.ticket.phases import (
    ANSWERS,
    BLOCKED,
    EDITABLE,
    LIVE,
    ROUNDS,
    SETUP,
    TRIED,
)

BATCH_READY: Final = "BATCH_READY"
"""The winner has prepared questions. No edge: the ticket waits for answers before and after."""


def phase_is(*phases: str) -> Guard:
    """Return the guard that admits these phases only."""
    return Guard(In("unit", phases))


def came_from(*phases: str | None) -> Form:
    """Return the test that the ticket is blocked and was in one of these phases before."""
    return Is("unit", "previous", phases)


OPEN: Final = Guard(
    In("unit", LIVE),
    "TICKET_TERMINAL",
    "The ticket has ended; nothing was applied.",
    "Read it with ticket_status, or create a new ticket.",
)
PEOPLE_DECIDE: Final = Guard(
    Either((By((USER,)), Is("unit", "policy", ("relay",)))),
    "HUMAN_REQUIRED",
    "This ticket is decided by people; an agent's token cannot decide.",
    "Ask a person to decide on the ticket's page or with `interlock decide`.",
)
FRESH: Final = Guard(
    Named("digest_is_fresh"),
    "STALE_APPROVAL",
    "What was reviewed has changed since, or the approval does not say what was reviewed.",
    "Look at the artifact again and send the digest shown there.",
)
NOTHING_OFFERED: Final = Guard(
    Not(Any("assignment", OPEN_WORK)),
    "ALREADY_OFFERED",
    "This was asked for before and the work is still under way.",
    "Wait until it has been submitted, has failed or has run out of time.",
)

# -- planning ----------------------------------------------------------------------------------

COUNCIL_FITS: Final = Guard(
    Named("council_fits"),
    "BAD_COUNCIL",
    "A council has 1 to 10 members, and its quorum is at least 1 and at most their number.",
    "Change the members or the quorum with edit_ticket, then start.",
)
IN_DRAFT: Final = Guard(
    In("unit", ("DRAFT",)),
    "LOCKED",
    "The ticket was started, which locked its configuration.",
    "Use raise_budget for its limits; for anything else create a new ticket.",
)
NOT_STARTED: Final = Guard(
    Not(Any("assignment", OPEN_WORK)),
    "LOCKED",
    "The ticket is being started, which locked its configuration.",
    "Use raise_budget for its limits, or wait: a start that fails unlocks it on retry.",
)
BATCH_IS_READY: Final = Guard(
    Is("unit", "batch"),
    "NO_BATCH",
    "No questions are waiting for an answer: the next batch is being prepared.",
    "Wait for the batch, or skip_all.",
)
EDITABLE_PHASE: Final = Guard(
    In("unit", EDITABLE),
    "NOT_EDITABLE",
    "The artifacts of this phase can no longer be changed.",
    "While the ticket is blocked before CODING, reopen the blueprint or the setup plan.",
)
PLAN_IS_READY: Final = Guard(
    Either((Not(In("unit", (SETUP,))), Is("unit", "setup_ready"))),
    "SETUP_PLAN_MISSING",
    "The setup plan is still being drafted.",
    "Wait until it is ready; ticket_status shows who works on it.",
)
NOTHING_DRAFTED: Final = Guard(
    Is("unit", "setup_ready"),
    "ALREADY_OFFERED",
    "A setup plan is being drafted right now.",
    "Wait until it is ready, then regenerate it if it is no good.",
)
BEADS_FIT: Final = Guard(
    Either((Not(In("unit", BLUEPRINT)), Named("beads_fit"))),
    "BAD_BEADS",
    "A blueprint has 1 to 500 beads, and each may need earlier ones only.",
    "Send all the beads in an order in which none needs a later one.",
)

# -- work --------------------------------------------------------------------------------------

CLAIMED: Final = Guard(
    In("part", ("claimed",)),
    "STALE_LEASE",
    "The assignment is not yours any more; the answer was not applied and is kept as late.",
    "Call get_next_work for other work.",
)
MINE: Final = Guard(
    Named("lease_is_mine"),
    "STALE_LEASE",
    "The lease is not yours any more; the answer was not applied and is kept as late.",
    "Call get_next_work for other work.",
)
HELD: Final = Guard(
    Not(Is("part", "holder", (None,))),
    "STALE_LEASE",
    "Nobody holds the bead any more; the answer was not applied and is kept as late.",
    "Call get_next_work to claim it again.",
)
TRIED_AGAIN: Final = Guard(
    In("unit", TRIED),
    "BAD_OUTCOME",
    "The work of this phase has one attempt.",
    "Hand in what came of it, or give it up with fail_work.",
)
OUTCOME_FITS: Final = Guard(
    Named("outcome_fits"),
    "BAD_OUTCOME",
    "The phase has no such outcome.",
    "Send one of the outcomes that the assignment names; a council's answers have none.",
)
BLUEPRINT_FITS: Final = Guard(
    Named("blueprint_fits"),
    "BAD_BEADS",
    "The audited blueprint goes to approval as beads: 1 to 500, each needing earlier ones only.",
    "Send all the beads in an order in which none needs a later one.",
)
SOMETHING_OPEN: Final = Guard(
    Any("assignment", OPEN_WORK),
    "NOTHING_DUE",
    "No work is open, so no deadline can pass.",
    "Nothing needs to be done.",
)

# -- blocked -----------------------------------------------------------------------------------

HAS_PREVIOUS: Final = Guard(
    Either((Not(In("unit", (BLOCKED,))), Not(came_from(None)))),
    "NO_PREVIOUS_STATUS",
    "Nothing says where the ticket was before it was blocked, so no phase is safe to go back to.",
    "Cancel it and create a new ticket.",
)

# -- functions ---------------------------------------------------------------------------------


def _digest_is_fresh(draft: Draft) -> bool:
    digest = draft.event.args.get("digest")
    return bool(digest) and digest == draft.gate_digest()


def _outcome_fits(draft: Draft) -> bool:
    outcome, phase = draft.event.args.get("outcome"), draft.unit.status
    if phase in ROUNDS:
        return outcome is None
    if outcome == BATCH_READY:
        return phase == ANSWERS
    edge = draft.flow.table.edges[draft.flow.unit.name].get((phase, str(outcome)))
    return edge is not None and WORKER in edge.actors and edge.target != BLOCKED


def _beads_fit(draft: Draft) -> bool:
    return read_beads(draft) is not None


GUARD_FUNCTIONS: Final[Functions] = {
    "digest_is_fresh": _digest_is_fresh,
    "outcome_fits": _outcome_fits,
    "beads_fit": _beads_fit,
}
