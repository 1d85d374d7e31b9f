"""Assignments: how work leaves the server. Nobody here calls a model; work is offered and claimed.

Entering a phase archives the assignments of the round before and offers new ones: one a member
where the council works, else a single one. A lease that runs out gives the assignment back at
once; only the deadline of the whole round lets it expire for good. An answer that is no good may
be mended so many times; then the assignment has failed. Where a phase allows several attempts,
whoever holds its work tries again, with the phase's time from the beginning.
"""

from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.forms import Functions, In
from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.workflow import Field, PartKind, lease
from interlock.workflows.ticket.phases import BLOCKED, BOUND, BY_NAME, ROUNDS, VOTES

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

COMPLETED: Final = "completed"
TIMED_OUT: Final = "timed_out"
WITHDRAWN: Final = "withdrawn"
"""What is said of a member's work; one that has failed says why. Withdrawn is what nobody waited
for any more.
"""

ASSIGNMENT_KIND: Final = PartKind(
    machine=ASSIGNMENT,
    fields=(
        *lease("claimed"),
        # How often an answer to it was no good.
        Field("rejected", 0, during=("offered", "claimed", "expired")),
        # How many attempts have failed; whoever holds it tries again.
        Field("tries", 0, during=("offered", "claimed", "expired")),
        # Who should do it and what it is. The rules need neither: the phase says both. A member
        # is known by name to whoever looks for work, and by place to the rules of the council.
        Field("role", "", is_read=False),
        Field("task", "", is_read=False),
        # Where it was offered: a late answer is judged by that, wherever the ticket is by then.
        Field("phase", "", is_read=False),
        Field("member", "", is_read=False),
        Field("place", 0, is_read=False),
        # Where the tree is that it is done in; empty where anybody can do it.
        Field("site", "", is_read=False),
        # What was learnt from attempts that failed.
        Field("notes", (), is_read=False),
        # Why nothing came of it.
        Field("failure", is_read=False),
    ),
    is_ordered=False,
    # Half of a usual round: the work of whoever has died is done by somebody else before it ends.
    lease_ms=10 * 60 * 1000,
    claim="claim_work",
    claimable=In("part", ("offered",)),
    verbs={
        "submit": "submit_work",
        "heartbeat": "heartbeat_work",
        "release": "release_work",
        "fail": "fail_work",
        "lapse": "lapse_work",
    },
)


def offer_work(draft: Draft) -> None:
    """Archive the last round and offer the work of the phase the ticket is in.

    Its time begins: that of a round is told from the one before by its number.
    """
    draft.drop_all("assignment", reason="next round")
    draft.write("unit", "round", cast("int", draft.unit.fields["round"]) + 1)
    phase = BY_NAME[draft.unit.status]
    for place in _places(draft):
        fields = {
            **ASSIGNMENT_KIND.defaults(),
            "role": phase.role,
            "task": phase.task,
            "phase": phase.name,
            "member": "" if phase.role == "workspace" else name_of(draft, place),
            "place": place,
            "site": draft.unit.fields["site"] if phase.name in BOUND else "",
        }
        draft.create(New("assignment", ASSIGNMENT.initial, fields))


def _places(draft: Draft) -> tuple[int, ...]:
    """Return the places of the members who get work: all in a round, else whose turn it is."""
    members = cast("int", draft.unit.fields["members"])
    if draft.unit.status in ROUNDS:
        # The only member has won already; there is nothing to vote on.
        is_won = draft.unit.status in VOTES and members == 1
        return () if is_won else tuple(range(members))
    is_winner = BY_NAME[draft.unit.status].role == "winner"
    return (cast("int", draft.unit.fields["winner"]) if is_winner else 0,)


def name_of(draft: Draft, place: int) -> str:
    """Return what a member is called; a council that nobody has named goes by its places."""
    roster = cast("tuple[str, ...]", draft.unit.fields["roster"])
    return roster[place] if place < len(roster) else str(place)


def end_round(draft: Draft) -> None:
    """No work is open any more where the ticket stays, so no time runs."""
    draft.write("unit", "round", 0)


def _expire_round(draft: Draft) -> None:
    draft.move_all("assignment", "expire", "deadline")
    if draft.unit.status in ROUNDS:
        outcomes = cast("tuple[str, ...]", draft.unit.fields["outcomes"])
        draft.write("unit", "outcomes", tuple(one or TIMED_OUT for one in outcomes))
    _end_restoring(draft)


def _end_restoring(draft: Draft) -> None:
    """A ticket that could not be restored stays blocked, and nothing more is under way."""
    if draft.unit.status == BLOCKED:
        end_round(draft)


def _rejected(draft: Draft) -> int:
    return cast("int", draft.part.fields["rejected"])


def _is_no_good(draft: Draft) -> bool:
    """Say whether no better answer may be tried."""
    return _rejected(draft) > cast("int", draft.unit.fields["structured_retries"])


def _count_rejected(draft: Draft) -> None:
    draft.write("part", "rejected", _rejected(draft) + 1)


def _count_attempt(draft: Draft) -> None:
    draft.write("part", "tries", cast("int", draft.part.fields["tries"]) + 1)
    note_attempt(draft)


def note_attempt(draft: Draft) -> None:
    """Keep why an attempt has failed, and what its holder says about it, for the next one."""
    args = draft.event.args
    why = str(args.get("class") or args.get("reason") or "interrupted")
    note = {"attempt": draft.part.fields["tries"], "reason": why, "note": args.get("note", "")}
    known = cast("tuple[object, ...]", draft.part.fields["notes"])
    draft.write("part", "notes", (*known, note))


def _has_spent_attempts(draft: Draft) -> bool:
    tries = cast("int", draft.part.fields["tries"])
    return tries >= cast("int", draft.unit.fields["tries_max"])


def _renew_round(draft: Draft) -> None:
    """The time of the work begins anew: that of a round is told by its number."""
    draft.write("unit", "round", cast("int", draft.unit.fields["round"]) + 1)


def _note_failure(draft: Draft) -> None:
    args = draft.event.args
    failure = args.get("failure", "failed")
    draft.write("part", "failure", {"class": failure, "message": args.get("reason", "")})
    note_outcome(draft, str(failure))
    _end_restoring(draft)


def note_outcome(draft: Draft, outcome: str) -> None:
    """Keep what has become of a member's work, where the council works."""
    outcomes = list(cast("tuple[str, ...]", draft.unit.fields["outcomes"]))
    place = cast("int", draft.part.fields["place"])
    if draft.unit.status in ROUNDS and place < len(outcomes):
        outcomes[place] = outcome
        draft.write("unit", "outcomes", tuple(outcomes))


ASSIGNMENT_FUNCTIONS: Final[Functions] = {
    "offer_work": offer_work,
    "expire_round": _expire_round,
    "end_round": end_round,
    "answer_is_no_good": _is_no_good,
    "count_rejected": _count_rejected,
    "count_attempt": _count_attempt,
    "tries_are_spent": _has_spent_attempts,
    "renew_round": _renew_round,
    "note_failure": _note_failure,
}
