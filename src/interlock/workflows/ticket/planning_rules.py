"""What a person does until CODING begins: start, answer, save, approve.

Starting only locks the configuration and offers the making of the working tree. Saving keeps the
gate open and shows the new version; approving names the version that was looked at.
"""

from typing import Final

from interlock.kernel.draft import Draft
from interlock.kernel.forms import Functions, In
from interlock.kernel.rules import Do, Fire, Rule
from interlock.workflows.ticket.bead import BLUEPRINT
from interlock.workflows.ticket.guards import (
    BATCH_IS_READY,
    BEADS_FIT,
    COUNCIL_FITS,
    EDITABLE_PHASE,
    FRESH,
    IN_DRAFT,
    NOT_STARTED,
    NOTHING_DRAFTED,
    NOTHING_OFFERED,
    OPEN,
    PEOPLE_DECIDE,
    PLAN_IS_READY,
    phase_is,
)
from interlock.workflows.ticket.machine import PEOPLE
from interlock.workflows.ticket.phases import ANSWERS, APPROVALS, SETUP
from interlock.workflows.ticket.work_rules import ONE_BEAD, SHOWN

SEEN: Final = ({"digest": SHOWN},)


WORDS: Final = ("name", "description", "project", "note")
"""What people write about a ticket until it is started."""

LOCKED: Final = (
    "members",
    "quorum",
    "structured_retries",
    "round_s",
    "tries_max",
    "parallel",
    "roster",
    "config",
    "budget",
)
"""What starting locks: the council and its limits, and the rest of the configuration."""

CONTENT: Final = (*WORDS, "seed", "config", "documents", "warnings")
"""What no rule reads: the words, the configuration, the documents by name, what was left open."""


def _keep_words(draft: Draft) -> None:
    for name in (*WORDS, "policy"):
        if name in draft.event.args:
            draft.write("unit", name, draft.event.args[name])


def _lock(draft: Draft) -> None:
    for name in LOCKED:
        if name in draft.event.args:
            draft.write("unit", name, draft.event.args[name])


def _take_batch(draft: Draft) -> None:
    draft.write("unit", "batch", value=False)


def _discard_plan(draft: Draft) -> None:
    draft.write("unit", "setup_ready", value=False)


PLANNING_FUNCTIONS: Final[Functions] = {
    "keep_words": _keep_words,
    "lock_configuration": _lock,
    "take_batch": _take_batch,
    "discard_plan": _discard_plan,
}

# fmt: off
PLANNING_RULES: Final = (
    Rule(
        "edit_ticket", "ticket", PEOPLE, command="edit_ticket",
        doc="Change what the ticket says, or its project; no status changes.",
        guards=(OPEN, IN_DRAFT, NOT_STARTED),
        walk=(Do("keep_words"),),
    ),
    Rule(
        "start", "ticket", PEOPLE, command="start",
        doc="Lock the configuration and offer the making of the working tree; START fires when it is there.",
        guards=(OPEN, phase_is("DRAFT"), PEOPLE_DECIDE, COUNCIL_FITS, NOTHING_OFFERED),
        walk=(Do("lock_configuration"), Do("offer_work")),
    ),
    Rule(
        "answer_batch", "ticket", PEOPLE, command="answer_batch",
        doc="Answer the questions that wait; the winner prepares the next ones or ends the interview.",
        guards=(OPEN, phase_is(ANSWERS), PEOPLE_DECIDE, BATCH_IS_READY),
        walk=(Do("take_batch"), Fire("unit", "BATCH_ANSWERED")),
    ),
    Rule(
        "skip_question", "ticket", PEOPLE, command="skip_question",
        doc="Leave one question of the batch to the council; no status changes.",
        guards=(OPEN, phase_is(ANSWERS), PEOPLE_DECIDE, BATCH_IS_READY),
    ),
    Rule(
        "edit_answer", "ticket", PEOPLE, command="edit_answer",
        doc="Change an earlier answer while the interview goes on; no status changes.",
        guards=(OPEN, phase_is(ANSWERS), PEOPLE_DECIDE),
    ),
    Rule(
        "skip_all", "ticket", PEOPLE, command="skip_all",
        doc="End the interview here; what was not answered is left to the council.",
        guards=(OPEN, phase_is(ANSWERS), PEOPLE_DECIDE),
        walk=(Fire("unit", "SKIP_ALL_TO_APPROVAL"), Do("show_artifact")),
        examples=SEEN,
    ),
    Rule(
        "save_artifact", "ticket", PEOPLE, command="save_artifact",
        doc="Save an edit as a new version of what is to be approved; the gate stays.",
        guards=(OPEN, EDITABLE_PHASE, phase_is(*APPROVALS), PEOPLE_DECIDE, PLAN_IS_READY, BEADS_FIT),
        walk=(Do("show_artifact"), Do("make_beads", when=In("unit", BLUEPRINT))),
        examples=({"digest": SHOWN, "beads": ONE_BEAD},),
    ),
    Rule(
        "approve", "ticket", PEOPLE, command="approve",
        doc="Approve what was shown, named by its digest.",
        guards=(OPEN, phase_is(*APPROVALS), PEOPLE_DECIDE, PLAN_IS_READY, FRESH),
        walk=(
            Fire("unit", "APPROVE", when=In("unit", tuple(p for p in APPROVALS if p != SETUP))),
            Fire("unit", "APPROVE_EXECUTION_SETUP_PLAN", when=In("unit", (SETUP,))),
        ),
        sees=("gate",), examples=SEEN,
    ),
    Rule(
        "regenerate_setup_plan", "ticket", PEOPLE, command="regenerate_setup_plan",
        doc="Have the setup plan drafted again.",
        guards=(OPEN, phase_is(SETUP), PEOPLE_DECIDE, NOTHING_DRAFTED),
        walk=(Do("discard_plan"), Fire("unit", "REGENERATE_EXECUTION_SETUP_PLAN")),
    ),
)
# fmt: on
