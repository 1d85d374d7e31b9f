"""Which phases and parts may stand together: the interlock's promises, checked after every event.

What holds while a ticket is in a phase still holds while it is blocked, as far as beads go: a
blocked ticket is judged by the phase it came from.
"""

from typing import Final

from interlock.kernel.forms import All, Any, Both, Count, Either, Form, Is, Not
from interlock.kernel.rules import Pair
from interlock.workflows.ticket.assignment import OPEN_WORK
from interlock.workflows.ticket.guards import came_from
from interlock.workflows.ticket.phases import (
    ANSWERS,
    BLOCKED,
    DELIVERING,
    ENDED,
    LIVE,
    OFFERING,
    ON_REQUEST,
    PLANNING,
    READYING,
    ROUNDS,
    RUNNING,
    SETUP,
    WORKING,
)

NO_BEADS: Final[Form] = Count("bead", (), "==", 0)
UNTOUCHED: Final[Form] = All("bead", ("pending",))
ALL_DONE: Final[Form] = All("bead", ("done",))
BEING_CODED: Final[Form] = Both((Count("bead", (), ">", 0), Not(ALL_DONE)))
NONE_FAILED: Final[Form] = Not(Any("bead", ("error",)))
WORK_OPEN: Final[Form] = Any("assignment", OPEN_WORK)

IDLE: Final = tuple(name for name in (*LIVE, *ENDED) if name not in (*OFFERING, *ON_REQUEST))
"""Where no assignment is ever open."""


def _if_from(phases: tuple[str, ...], holds: Form) -> Form:
    return Either((Not(came_from(*phases)), holds))


def _beads(name: str, phases: tuple[str, ...], holds: Form) -> tuple[Pair, Pair]:
    """Return a promise about beads, for the phases and for a ticket that is blocked there."""
    return (
        Pair(name, phases, holds),
        Pair(f"{name}, also while it is blocked", (BLOCKED,), _if_from(phases, holds)),
    )


PAIRS: Final = (
    Pair("a blocked ticket knows where it came from, or that this is lost", (BLOCKED,),
         Either((came_from(*RUNNING), Is("unit", "is_lost")))),
    *_beads("no beads before the blueprint", PLANNING, NO_BEADS),
    *_beads("no bead is begun before CODING", READYING, UNTOUCHED),
    *_beads("CODING has beads to do", ("CODING",), BEING_CODED),
    *_beads("beyond CODING every bead is done", DELIVERING, ALL_DONE),
    Pair("a completed ticket has only beads that are done", ("COMPLETED",), ALL_DONE),
    Pair("a bead in error blocks its ticket", ("CODING",), NONE_FAILED),
    Pair("only so many beads are in progress", ("CODING", BLOCKED),
         Count("bead", ("in_progress",), "<=", "parallel")),
    Pair("a canceled ticket has no bead in progress", ("CANCELED",),
         Not(Any("bead", ("in_progress",)))),
    Pair("an active phase has work open", WORKING, WORK_OPEN),
    Pair("questions wait, or are prepared", (ANSWERS,),
         Either((Both((Is("unit", "batch"), Not(WORK_OPEN))),
                 Both((Not(Is("unit", "batch")), WORK_OPEN))))),
    Pair("a setup plan waits, or is drafted", (SETUP,),
         Either((Both((Is("unit", "setup_ready"), Not(WORK_OPEN))),
                 Both((Not(Is("unit", "setup_ready")), WORK_OPEN))))),
    Pair("restoring is for CODING only", (BLOCKED,),
         Either((came_from("CODING"), Not(WORK_OPEN)))),
    Pair("no work is open where none is offered", IDLE,
         Not(Any("assignment", (*OPEN_WORK, "expired")))),
    Pair("one piece of work at a time", tuple(p for p in (*OFFERING, *ON_REQUEST) if p not in ROUNDS),
         Count("assignment", OPEN_WORK, "<=", 1)),
    Pair("one piece of work a member", ROUNDS, Count("assignment", (), "<=", "members")),
)  # fmt: skip
