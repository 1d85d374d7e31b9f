"""What happens to assignments: claimed, answered, failed, lapsed, out of time.

Where one assignment is all the work of a phase, its answer names the outcome, which is the
ticket's event, and its failure is the phase's own failure event, else ERROR. In a council's round
an answer only counts; the round's end is lifted (``council``). The failure of a ``restore`` leaves
the ticket blocked as it was.
"""

from collections.abc import Mapping
from typing import Final

from interlock.kernel.draft import Draft
from interlock.kernel.forms import Both, Form, Functions, In, Is, Named, Not
from interlock.kernel.rules import Do, Fire, Guard, Rule
from interlock.workflows.ticket.assignment import end_round
from interlock.workflows.ticket.bead import BLUEPRINT
from interlock.workflows.ticket.guards import (
    BATCH_READY,
    BLUEPRINT_FITS,
    CLAIMED,
    MINE,
    OPEN,
    OUTCOME_FITS,
    SOMETHING_OPEN,
    TRIED_AGAIN,
)
from interlock.workflows.ticket.machine import CLOCK, FAILURES, HANDS
from interlock.workflows.ticket.phases import (
    ANSWERS,
    APPROVALS,
    AUDITS,
    OFFERING,
    REVIEW,
    ROUNDS,
    TRIED,
)

SHOWN: Final = "sha256:shown"
ONE_BEAD: Final = ({"title": "the only bead"},)

NAMED: Final[Form] = Not(Is("event", "outcome", (None, BATCH_READY)))
FINAL_GAPS: Final[Form] = Named("gaps_are_final")
GAPS: Final[Form] = Both((Is("event", "outcome", ("GAPS_FOUND",)), In("unit", (ANSWERS, *AUDITS))))
TO_APPROVE: Final[Form] = Both(
    # The report of the checks leads to a gate, but it is not what is approved there.
    (In("unit", APPROVALS), Not(Is("event", "outcome", ("CHECKS_PASSED",))))
)
NO_GOOD: Final[Form] = Named("answer_is_no_good")
FAILED: Final[Form] = In("part", ("failed",))
PLAN_READY: Final[Form] = Is("event", "outcome", ("EXECUTION_SETUP_PLAN_READY",))

NO_OWN_FAILURE: Final = tuple(
    phase for phase in (*OFFERING, REVIEW) if phase not in FAILURES and phase not in ROUNDS
)


def _blocks(reason: str, when: Form | None = None) -> tuple[Fire, ...]:
    """Return the stages that fire the phase's own failure event, else ERROR."""

    def there(*phases: str) -> Form:
        return In("unit", phases) if when is None else Both((In("unit", phases), when))

    return (
        *(
            Fire("unit", signal, when=there(phase), reason=reason)
            for phase, signal in FAILURES.items()
        ),
        Fire("unit", "ERROR", when=there(*NO_OWN_FAILURE), reason=reason),
    )


OUTCOMES: Final = (
    "START", "RELEVANT_FILES_READY", "READY", "BATCH_READY", "INTERVIEW_COMPLETE", "REFINED",
    "CHECKS_PASSED", "EXECUTION_SETUP_PLAN_READY", "EXECUTION_SETUP_READY", "TESTS_PASSED",
    "INTEGRATION_DONE", "PULL_REQUEST_READY", "MERGE_COMPLETE", "CLEANUP_DONE", "RETRY",
)  # fmt: skip
ANSWERED: Final[tuple[Mapping[str, object], ...]] = (
    {"digest": SHOWN},
    *({"outcome": outcome, "digest": SHOWN} for outcome in OUTCOMES),
    {"outcome": "RETRY", "finalise": True},
    {"outcome": "GAPS_FOUND", "digest": SHOWN, "beads": ONE_BEAD},
    {"outcome": "GAPS_FOUND", "digest": SHOWN, "follow_ups_left": 0},
    {"outcome": "COVERAGE_CLEAN", "digest": SHOWN, "beads": ONE_BEAD},
)


def _show(draft: Draft) -> None:
    draft.write("unit", "shown", str(draft.event.args.get("digest", "")))


def _hold_batch(draft: Draft) -> None:
    draft.write("unit", "batch", value=True)
    end_round(draft)


def _hold_plan(draft: Draft) -> None:
    draft.write("unit", "setup_ready", value=True)
    end_round(draft)


WORK_FUNCTIONS: Final[Functions] = {
    "show_artifact": _show,
    "hold_batch": _hold_batch,
    "hold_plan": _hold_plan,
}

# fmt: off
WORK_RULES: Final = (
    Rule(
        "claim_work", "assignment", HANDS, command="get_next_work",
        doc="Hand an offered assignment out, with a lease.",
        guards=(OPEN, Guard(In("part", ("offered",)))),
        walk=(Fire("part", "claim"), Do("grant_lease")),
        sees=("next",),
    ),
    Rule(
        "submit_work", "assignment", HANDS, command="submit_work", lease=True,
        doc="Answer an assignment; where it is all the work of the phase, the outcome moves the ticket.",
        guards=(OPEN, CLAIMED, MINE, OUTCOME_FITS, BLUEPRINT_FITS),
        walk=(
            Fire("part", "submit"),
            Fire("unit", "", from_arg="outcome", when=Both((NAMED, Not(FINAL_GAPS)))),
            Fire("unit", "COVERAGE_LIMIT_REACHED", when=FINAL_GAPS),
            Do("count_answer", when=In("unit", ROUNDS)),
            Do("count_audit", when=GAPS),
            Do("hold_batch", when=Is("event", "outcome", (BATCH_READY,))),
            Do("hold_plan", when=PLAN_READY),
            # Merging is offered only when a person asks for it.
            Do("end_round", when=In("unit", (REVIEW,))),
            Do("show_artifact", when=TO_APPROVE),
            Do("make_beads", when=In("unit", BLUEPRINT)),
        ),
        sees=("part",), examples=ANSWERED,
    ),
    Rule(
        "heartbeat_work", "assignment", HANDS, command="heartbeat_work", lease=True,
        doc="A sign of life: the lease is extended, nothing else changes.",
        guards=(OPEN, CLAIMED, MINE),
        sees=("part",),
    ),
    Rule(
        "fail_work", "assignment", HANDS, command="fail_work", lease=True,
        doc="Give an assignment up; where it is all the work of the phase, the ticket is blocked.",
        guards=(OPEN, CLAIMED, MINE),
        walk=(Fire("part", "fail"), Do("note_failure"), *_blocks("work_failed")),
        sees=("part",),
    ),
    Rule(
        "reject_work", "assignment", HANDS, command="submit_work", lease=True,
        doc="An answer that is no good: it may be mended so many times, then the assignment has failed.",
        guards=(OPEN, CLAIMED, MINE),
        walk=(
            Do("count_rejected"),
            Fire("part", "fail", when=NO_GOOD, reason="invalid_output"),
            Do("note_failure", when=FAILED),
            *_blocks("invalid_output", FAILED),
        ),
        sees=("part",),
    ),
    Rule(
        "retry_work", "assignment", HANDS, command="submit_work", lease=True,
        doc="An attempt that failed: its holder tries again in time that begins anew, until all are spent.",
        guards=(OPEN, CLAIMED, MINE, TRIED_AGAIN),
        walk=(
            Do("count_attempt"),
            Fire("part", "fail", when=Named("tries_are_spent"), reason="attempts_spent"),
            Do("note_failure", when=FAILED),
            *(
                Fire("unit", FAILURES[phase], when=Both((In("unit", (phase,)), FAILED)), reason="attempts_spent")
                for phase in TRIED
            ),
            Do("renew_round", when=In("part", ("claimed",))),
        ),
        sees=("part",),
    ),
    Rule(
        "release_work", "assignment", HANDS, command="release_work", lease=True,
        doc="Give an assignment back, so that somebody else can take it.",
        guards=(OPEN, CLAIMED, MINE),
        walk=(Fire("part", "lapse", reason="given_back"), Fire("part", "offer", reason="given_back")),
        sees=("part",),
    ),
    Rule(
        "lapse_work", "assignment", CLOCK, command="",
        doc="The clock says that the lease ran out: the assignment is offered again.",
        guards=(OPEN, CLAIMED),
        walk=(Fire("part", "lapse", reason="lease_expired"), Fire("part", "offer", reason="lease_expired")),
        sees=("part",),
    ),
    Rule(
        "deadline", "ticket", CLOCK, command="",
        doc="The clock says that the time for the phase's work is over: what is open expires.",
        guards=(OPEN, SOMETHING_OPEN),
        walk=(Do("expire_round"), *_blocks("deadline")),
    ),
)
# fmt: on
