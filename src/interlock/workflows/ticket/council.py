"""The council's rounds: drafts and votes, when a round is over, and when it has failed.

A round is over when every member has submitted, failed or run out of time. It carries on with a
quorum of answers. It is given up as soon as a quorum can no longer be reached: what the others
are still writing could not change that, and nobody but a person could go on from there.
"""

from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.forms import All, Both, Count, Form, Functions, In, Is
from interlock.kernel.rules import Lift
from interlock.workflows.ticket.assignment import OPEN_WORK, OVER
from interlock.workflows.ticket.phases import ROUNDS

MEMBERS_MAX: Final = 10
QUORUM_USUAL: Final = 2


def quorum(members: int) -> int:
    """Return how many answers a council of this size needs unless it is told otherwise."""
    return min(QUORUM_USUAL, members)


def _council_fits(draft: Draft) -> bool:
    fields = draft.unit.fields
    members, needed = cast("int", fields["members"]), cast("int", fields["quorum"])
    return 1 <= needed <= members <= MEMBERS_MAX


COUNCIL_FUNCTIONS: Final[Functions] = {"council_fits": _council_fits}

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
