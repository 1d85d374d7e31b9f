"""The council's rounds: drafts and votes, when a round is over, and when it has failed.

A round is over when every member has submitted, failed or run out of time. It carries on with a
quorum of answers. It is given up as soon as a quorum can no longer be reached: what the others
are still writing could not change that, and nobody but a person could go on from there.

A vote brings the points it gives, a number for each member's draft. They are added up as votes
come in; the highest sum wins. Of equal ones the earliest in the council wins, and the main
implementer is the first.
"""

from collections.abc import Sequence
from operator import add
from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.forms import All, Both, Count, Form, Functions, In, Is
from interlock.kernel.rules import Lift
from interlock.workflows.ticket.assignment import COMPLETED, OPEN_WORK, OVER, note_outcome
from interlock.workflows.ticket.phases import ROUNDS, VOTES

MEMBERS_MAX: Final = 10
QUORUM_USUAL: Final = 2


def quorum(members: int) -> int:
    """Return how many answers a council of this size needs unless it is told otherwise."""
    return min(QUORUM_USUAL, members)


def _council_fits(draft: Draft) -> bool:
    told = {**draft.unit.fields, **draft.event.args}
    members, needed = cast("int", told["members"]), cast("int", told["quorum"])
    return 1 <= needed <= members <= MEMBERS_MAX


def _convene(draft: Draft) -> None:
    """Begin a round: nobody has drafted or answered anything, no point was given."""
    if draft.unit.status not in VOTES:
        draft.write("unit", "drafts", ())
    draft.write("unit", "totals", ())
    draft.write("unit", "outcomes", ("",) * cast("int", draft.unit.fields["members"]))


def _by_member(draft: Draft, field: str, empty: object) -> list[object]:
    """Return a field that has a value for each member, in their order."""
    found = cast("tuple[object, ...]", draft.unit.fields[field])
    return [*found, *[empty] * (cast("int", draft.unit.fields["members"]) - len(found))]


def _count_answer(draft: Draft) -> None:
    args = draft.event.args
    note_outcome(draft, COMPLETED)
    if draft.unit.status in VOTES:
        totals = cast("list[int]", _by_member(draft, "totals", 0))
        points = cast("Sequence[int]", args.get("scores") or (0,) * len(totals))
        draft.write("unit", "totals", tuple(map(add, totals, points)))
    else:
        drafts = _by_member(draft, "drafts", "")
        drafts[cast("int", draft.part.fields["place"])] = args.get("digest", "")
        draft.write("unit", "drafts", tuple(drafts))


def _pick_winner(draft: Draft) -> None:
    """The highest sum among those who have drafted; ``max`` keeps the first of equal ones."""
    totals = cast("list[int]", _by_member(draft, "totals", 0))
    drafts = enumerate(_by_member(draft, "drafts", ""))
    places = [place for place, digest in drafts if digest]
    draft.write("unit", "winner", max(places, key=lambda place: totals[place], default=0))


COUNCIL_FUNCTIONS: Final[Functions] = {
    "council_fits": _council_fits,
    "convene": _convene,
    "count_answer": _count_answer,
    "pick_winner": _pick_winner,
}

ENOUGH: Final[Form] = Both(
    (All("assignment", OVER), Count("assignment", ("submitted",), ">=", "quorum"))
)
OUT_OF_REACH: Final[Form] = Both(
    (In("unit", ROUNDS), Count("assignment", (*OPEN_WORK, "submitted"), "<", "quorum"))
)

COUNCIL_LIFTS: Final = (
    # Before the others: a vote of one has no assignments, so it would seem to lack its quorum.
    Lift("the only member wins", Is("unit", "members", (1,)), "WINNER_SELECTED",
         reason="only_member"),
    Lift("the questions are drafted", ENOUGH, "QUESTIONS_READY"),
    Lift("the drafts are in", ENOUGH, "DRAFTS_READY"),
    Lift("the votes are in", ENOUGH, "WINNER_SELECTED"),
    Lift("no quorum", OUT_OF_REACH, "ERROR", reason="QUORUM_NOT_MET"),
)  # fmt: skip
