"""What refuses an event of a mission: the guards that several rules share, with their texts.

A row of guards names first what a caller can act on. Where a guard says in which status an event
is legal it is a plain ``In``, so that the checker and the refusal texts know it too.
"""

from typing import Final

from interlock.kernel.draft import Draft
from interlock.kernel.forms import Any, By, Either, Functions, In, Is, Named, Not
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER, Guard
from interlock.workflows.guards import digest_is_fresh
from interlock.workflows.mission.machines import ACTIVE_HOP, ENDED, LIVE

AGENTS: Final = frozenset({AGENT, WORKER})
PERSON: Final = frozenset({USER})
CLOCK: Final = frozenset({SYSTEM})
DECIDERS: Final = frozenset({USER, AGENT})
"""Who may bring a decision: a person, or an agent that relays one where the policy allows it."""
EITHER: Final = frozenset({USER, AGENT, WORKER})


def mission_is(*statuses: str) -> Guard:
    """Return the guard that the mission is in one of these statuses."""
    return Guard(In("unit", statuses))


def part_is(*statuses: str) -> Guard:
    """Return the guard that the part is in one of these statuses."""
    return Guard(In("part", statuses))


OPEN: Final = Guard(
    In("unit", LIVE),
    "MISSION_TERMINAL",
    "The mission has ended; nothing was applied.",
    "Read it with mission_status, or start it anew with reset_mission.",
)
OVER: Final = Guard(
    In("unit", ENDED),
    "MISSION_LIVE",
    "The mission has not ended yet.",
    "Cancel it or let it end, then reset it.",
)
PEOPLE_DECIDE: Final = Guard(
    Either((By((USER,)), Is("unit", "policy", ("relay",)))),
    "HUMAN_REQUIRED",
    "People decide about this mission; an agent's token cannot.",
    "Ask a person to decide in the inbox or with `interlock decide`.",
)
PEOPLE_END: Final = Guard(
    Either((By((USER,)), In("unit", LIVE))),
    "HUMAN_REQUIRED",
    "What has ended is left only by a person, never by a relayed decision.",
    "Ask a person to do it.",
)
FRESH: Final = Guard(
    Named("digest_is_fresh"),
    "STALE_APPROVAL",
    "What was shown has changed since, or the decision does not say what was shown.",
    "Look at it again and send the digest shown there.",
)
FRESH_DESIGN: Final = Guard(
    Either((Not(In("part", ("READY_TO_EXECUTE",))), Named("digest_is_fresh"))),
    "STALE_APPROVAL",
    "The design has changed since, or the decision does not say which design was shown.",
    "Look at the design again and send the digest shown there.",
)
NO_ACTIVE_HOP: Final = Guard(
    Not(Any("hop", ACTIVE_HOP)),
    "HOP_OPEN",
    "The mission has an active hop already; the first proposal wins.",
    "Revise the one that is open, or wait until it has been decided about.",
)
NOT_CURRENT: Final = Guard(
    Not(Named("hop_is_current")),
    "CURRENT_HOP",
    "The current hop of a live mission cannot be deleted.",
    "Cancel the hop with cascade: true, which cancels the mission, or repair it with fix_hop.",
)
CASCADE_SAID: Final = Guard(
    Either((Not(Named("hop_is_current")), Is("event", "cascade"))),
    "CASCADE_REQUIRED",
    "Cancelling the current hop cancels its mission.",
    "Send cascade: true if that is meant; request_changes keeps the mission going.",
)
HELD: Final = Guard(
    Is("unit", "held"),
    "NOT_HELD",
    "The mission is not held: nothing waits to be repaired.",
    "Nothing needs to be repaired; mission_status says what comes next.",
)
CAN_BE_HELD: Final = Guard(
    In("unit", ("BUILDING_HOP", "EXECUTING_HOP")), HELD.code, HELD.message, HELD.fix
)
"""Where a mission is never held, nobody is told that a repair could be given up."""

GOING_ON: Final = Guard(
    Is("unit", "held", (False,)),
    "MISSION_HELD",
    "The mission is held until its failed hop is repaired.",
    "Wait for a person to call fix_hop or abandon_recovery.",
)
MINE: Final = Guard(
    Either((By((USER,)), Named("lease_is_mine"))),
    "STALE_LEASE",
    "The lease is not yours any more; nothing was applied, what came is kept as late.",
    "Call get_next_work for other work.",
)
LEASE_STANDS: Final = Guard(
    Named("lease_stands"),
    "STALE_LEASE",
    "That lease has ended; nothing was applied, what came is kept as late.",
    "Call get_next_work to claim the work again.",
)
LEASED: Final = Guard(
    Not(Is("part", "holder", (None,))),
    "STALE_LEASE",
    "Nobody has a lease on this any more; nothing was applied, what came is kept as late.",
    "Call get_next_work to claim it.",
)
TAKEABLE: Final = Guard(
    Named("lease_is_takeable"),
    "WORK_HELD",
    "Somebody holds this piece of work and their lease is alive.",
    "Call get_next_work for other work.",
)
CLEAN: Final = Guard(
    Named("chain_is_clean"),
    "VALIDATION_FAILED",
    "The chain is not valid; every error is listed with its place and how to mend it.",
    "Mend all the errors and submit the whole chain again.",
)


def _chain_is_clean(draft: Draft) -> bool:
    """Say whether the validation that the caller ran over the whole chain found nothing."""
    return not draft.event.args.get("errors")


def _hop_is_current(draft: Draft) -> bool:
    return draft.unit.fields["current"] == draft.event.part


def _lease_stands(draft: Draft) -> bool:
    """Say whether a fence that was sent belongs to a lease that has not been given back."""
    sent = draft.event.args.get("fence") is not None
    return not sent or draft.part.fields["holder"] is not None


def _end_lease(draft: Draft) -> None:
    draft.write("part", "holder", None)
    draft.write("part", "lapsed", value=False)


FUNCTIONS: Final[Functions] = {
    "digest_is_fresh": digest_is_fresh("policy"),
    "chain_is_clean": _chain_is_clean,
    "hop_is_current": _hop_is_current,
    "lease_stands": _lease_stands,
    "end_lease": _end_lease,
}
