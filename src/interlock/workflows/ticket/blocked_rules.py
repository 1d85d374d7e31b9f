"""What goes wrong, and two ways out of BLOCKED_ERROR: retry and cancel (``reopen_rules`` has more).

RETRY re-enters exactly the phase that was left. For CODING it is only asked for here: a worker
first restores the working tree while the ticket is still blocked, and its success fires RETRY.
A ticket that does not know where it came from can only be cancelled.
"""

from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.entries import Move
from interlock.kernel.forms import Functions, In, Not
from interlock.kernel.rules import Do, Fire, Guard, Rule
from interlock.workflows.ticket.assignment import WITHDRAWN, end_round, name_of
from interlock.workflows.ticket.guards import (
    HAS_PREVIOUS,
    NOTHING_OFFERED,
    OPEN,
    PEOPLE_DECIDE,
    came_from,
    phase_is,
)
from interlock.workflows.ticket.machine import CANCELLABLE, CLOCK, DELIVERED, PEOPLE, PERSON
from interlock.workflows.ticket.phases import BLOCKED, ROUNDS, RUNNING

_DELIVERED: Final = (
    "DELIVERED",
    "The work is delivered, so the ticket cannot be cancelled any more.",
    "Use finish, after a retry if it is blocked.",
)
UNDELIVERED: Final = Guard(In("unit", CANCELLABLE), *_DELIVERED)
CAME_UNDELIVERED: Final = Guard(Not(came_from(DELIVERED)), *_DELIVERED)


def _remember(draft: Draft) -> None:
    moves = [e for e in draft.entries if isinstance(e, Move) and e.who == "unit"]
    draft.write("unit", "previous", moves[-1].source)
    draft.write("unit", "error", _error(draft, moves[-1]))
    draft.write("unit", "occurrence", cast("int", draft.unit.fields["occurrence"]) + 1)
    end_round(draft)


def _error(draft: Draft, move: Move) -> dict[str, object]:
    """Say what is wrong; where the council was at work also what has become of each member's."""
    args = draft.event.args
    # A failure event that belongs to a phase says more than why it was fired: INIT_FAILED.
    why = move.reason if move.signal == "ERROR" else move.signal
    code = str(args.get("code") or why or move.signal)
    message = str(args.get("message") or args.get("reason") or "")
    if move.source not in ROUNDS:
        return {"code": code, "message": message}
    outcomes = cast("tuple[str, ...]", draft.unit.fields["outcomes"])
    members = {
        name_of(draft, place): outcome or WITHDRAWN for place, outcome in enumerate(outcomes)
    }
    told = ", ".join(f"{name} {outcome}" for name, outcome in members.items())
    return {"code": code, "message": f"{message} ({told})".strip(), "members": members}


BLOCKED_FUNCTIONS: Final[Functions] = {"remember_phase": _remember}

# fmt: off
BLOCKED_RULES: Final = (
    Rule(
        "error", "ticket", CLOCK, command="",
        doc="A budget is spent, or the ticket was found corrupt: it is blocked until a person decides.",
        guards=(OPEN, phase_is(*RUNNING)),
        walk=(
            Fire("unit", "INIT_FAILED", when=In("unit", ("DRAFT",))),
            Fire("unit", "ERROR", when=Not(In("unit", (BLOCKED,)))),
        ),
        examples=({"code": "BUDGET_REACHED"},),
    ),
    Rule(
        "retry", "ticket", PEOPLE, command="retry",
        doc="Go back to the phase that was left; to CODING once the working tree is restored.",
        guards=(OPEN, phase_is(BLOCKED), PEOPLE_DECIDE, HAS_PREVIOUS, NOTHING_OFFERED),
        walk=(
            Do("keep_words"),
            Fire("unit", "RETRY", when=Not(came_from("CODING"))),
            Do("offer_work", when=In("unit", (BLOCKED,))),
        ),
    ),
    Rule(
        "raise_budget", "ticket", PERSON, command="raise_budget",
        doc="Raise a limit, the one setting that start does not lock; no status changes.",
        guards=(OPEN, HAS_PREVIOUS),
    ),
    Rule(
        "cancel", "ticket", PERSON, command="cancel",
        doc="Give the ticket up; what was made is kept.",
        guards=(OPEN, UNDELIVERED, CAME_UNDELIVERED),
        walk=(Fire("unit", "CANCEL"),),
    ),
)
# fmt: on
