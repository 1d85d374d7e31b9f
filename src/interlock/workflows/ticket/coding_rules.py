"""What happens to beads while the ticket is CODING.

A lease that runs out is a failed attempt. The last attempt that fails, or a working tree that
cannot be reset or committed, puts the bead in error, and with it the ticket (a lift).
"""

from typing import Final

from interlock.kernel.forms import Count, Either, Free, In, Named, Not
from interlock.kernel.rules import Do, Fire, Guard, Rule
from interlock.workflows.ticket.bead import UNHELD
from interlock.workflows.ticket.guards import HELD, MINE, OPEN, phase_is
from interlock.workflows.ticket.machine import CLOCK, HANDS

CODING: Final = phase_is("CODING")
BEGUN: Final = Guard(In("part", ("in_progress",)))
OPEN_BEAD: Final = Guard(In("part", ("pending", "in_progress")))
UNBLOCKED: Final = Guard(
    Either((Not(In("part", ("pending",))), Free())),
    "BLOCKED_BY",
    "Beads that this one needs are not done yet.",
    "Finish those first; ticket_status names them.",
)
FREE_TO_TAKE: Final = Guard(
    UNHELD,
    "BEAD_HELD",
    "Somebody is at work on the bead.",
    "Call get_next_work for other work.",
)
WITHIN_LIMIT: Final = Guard(
    Either((Not(In("part", ("pending",))), Count("bead", ("in_progress",), "<", "parallel"))),
    "LIMIT_REACHED",
    "As many beads are in progress as the ticket allows at once.",
    "Submit one of them first.",
)

END_ATTEMPT: Final = (
    Do("count_try"),
    Fire("part", "fail", when=Named("attempts_are_spent"), reason="attempts_spent"),
    Fire("part", "retry", when=In("part", ("in_progress",)), reason="attempt_failed"),
)

# fmt: off
CODING_RULES: Final = (
    Rule(
        "claim_bead", "bead", HANDS, command="get_next_work",
        doc="Hand the next bead out, with a lease; one left in progress by a finalising retry goes first.",
        guards=(OPEN, CODING, OPEN_BEAD, UNBLOCKED, FREE_TO_TAKE, WITHIN_LIMIT),
        walk=(
            Do("forget_green", when=In("part", ("pending",))),
            Fire("part", "start", maybe=True), Do("grant_lease"),
        ),
        sees=("next",),
    ),
    Rule(
        "submit_bead", "bead", HANDS, command="submit_work", lease=True,
        doc="The bead's tests are green and its commit is made: it is done.",
        guards=(OPEN, CODING, BEGUN, HELD, MINE),
        walk=(Fire("part", "complete"), Fire("unit", "BEAD_COMPLETE")),
        sees=("part",),
    ),
    Rule(
        "heartbeat_bead", "bead", HANDS, command="heartbeat_work", lease=True,
        doc="A sign of life: the lease is extended, nothing else changes.",
        guards=(OPEN, CODING, BEGUN, HELD, MINE),
        sees=("part",),
    ),
    Rule(
        "fail_bead", "bead", HANDS, command="fail_work", lease=True,
        doc="The attempt failed: the bead waits for the next one, or is in error when none is left.",
        guards=(OPEN, CODING, BEGUN, HELD, MINE),
        walk=END_ATTEMPT,
        sees=("part",),
        examples=({"reason": "tests_failed"}, {"reason": "reset_failed"}),
    ),
    Rule(
        "lapse_bead", "bead", CLOCK, command="",
        doc="The clock says that the lease ran out, which is a failed attempt.",
        guards=(OPEN, CODING, BEGUN, HELD),
        walk=END_ATTEMPT,
        sees=("part",),
    ),
)
# fmt: on
