"""Assignments: how work leaves the server. Nobody here calls a model; work is offered and claimed.

Entering a phase archives the assignments of the round before and offers new ones: one a member
where the council works, else a single one. A lease that runs out gives the assignment back at
once; only the deadline of the whole round lets it expire for good.
"""

from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.forms import Functions, In
from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.workflow import Field, PartKind, lease
from interlock.workflows.ticket.phases import BY_NAME, ROUNDS, VOTES

# fmt: off
ASSIGNMENT: Final = Machine(
    name="assignment",
    initial="offered",
    statuses=(
        Status("offered",   "active",   "Offered"),
        Status("claimed",   "active",   "Claimed"),
        Status("expired",   "active",   "Expired"),
        Status("submitted", "terminal", "Submitted", is_success=True),
        Status("failed",    "terminal", "Failed"),
        Status("cancelled", "terminal", "Cancelled"),
    ),
    edges=edges(
        # from                    signal    to
        ("offered",                "claim",  "claimed"),
        ("claimed",                "submit", "submitted"),
        ("claimed",                "fail",   "failed"),
        ("claimed",                "lapse",  "expired"),
        ("expired",                "offer",  "offered"),
        ("offered claimed",        "expire", "expired"),
        ("offered claimed expired", "cancel", "cancelled"),
    ),
)
# fmt: on

OPEN_WORK: Final = ("offered", "claimed")
"""Somebody has it, or can still take it."""

OVER: Final = ("submitted", "failed", "expired")
"""Nothing more comes of it in this round."""

ASSIGNMENT_KIND: Final = PartKind(
    machine=ASSIGNMENT,
    fields=(
        *lease("claimed"),
        # Who should do it and what it is. The rules need neither: the phase says both.
        Field("role", "", is_read=False),
        Field("task", "", is_read=False),
        Field("member", 0, is_read=False),
    ),
    is_ordered=False,
    claim="claim_work",
    claimable=In("part", ("offered",)),
    verbs={
        "submit": "submit_work",
        "heartbeat": "heartbeat_work",
        "fail": "fail_work",
        "lapse": "lapse_work",
    },
)


def offer_work(draft: Draft) -> None:
    """Archive the last round and offer the work of the phase the ticket is in."""
    draft.drop_all("assignment", reason="next round")
    phase = BY_NAME[draft.unit.status]
    for member in range(_size(draft)):
        fields = {
            **ASSIGNMENT_KIND.defaults(),
            "role": phase.role,
            "task": phase.task,
            "member": member,
        }
        draft.create(New("assignment", ASSIGNMENT.initial, fields))


def _size(draft: Draft) -> int:
    members = cast("int", draft.unit.fields["members"])
    if draft.unit.status not in ROUNDS:
        return 1
    # The only member has won already; there is nothing to vote on.
    return 0 if draft.unit.status in VOTES and members == 1 else members


def _expire_round(draft: Draft) -> None:
    draft.move_all("assignment", "expire", "deadline")


ASSIGNMENT_FUNCTIONS: Final[Functions] = {
    "offer_work": offer_work,
    "expire_round": _expire_round,
}
