"""The ticket's legal pairs said a second time, in plain Python, and every small ticket to try them.

Written from sections 2 and 3 of the specification, not from the tables: where the two disagree
about a ticket, one of them is wrong.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from interlock.kernel.draft import Draft
from interlock.kernel.refusal import IllegalPair
from interlock.kernel.seen import Actor, Event, Seen, Unit
from interlock.kernel.settle import check_pairs
from interlock.kernel.workflow import Workflow

PLANNED = (
    "DRAFT", "SCANNING_RELEVANT_FILES", "COUNCIL_DELIBERATING", "COUNCIL_VOTING_INTERVIEW",
    "COMPILING_INTERVIEW", "WAITING_INTERVIEW_ANSWERS", "VERIFYING_INTERVIEW_COVERAGE",
    "WAITING_INTERVIEW_APPROVAL", "DRAFTING_PRD", "COUNCIL_VOTING_PRD", "REFINING_PRD",
    "VERIFYING_PRD_COVERAGE", "WAITING_PRD_APPROVAL", "DRAFTING_BEADS", "COUNCIL_VOTING_BEADS",
    "REFINING_BEADS", "VERIFYING_BEADS_COVERAGE",
)  # fmt: skip
READY = (
    "WAITING_BEADS_APPROVAL", "PRE_FLIGHT_CHECK", "WAITING_EXECUTION_SETUP_APPROVAL",
    "PREPARING_EXECUTION_ENV",
)  # fmt: skip
BEYOND = (
    "RUNNING_FINAL_TEST", "INTEGRATING_CHANGES", "CREATING_PULL_REQUEST", "WAITING_PR_REVIEW",
    "CLEANING_ENV",
)  # fmt: skip
PHASES = (*PLANNED, *READY, "CODING", *BEYOND, "COMPLETED", "CANCELED", "BLOCKED_ERROR")
COUNCIL = (
    "COUNCIL_DELIBERATING", "COUNCIL_VOTING_INTERVIEW", "DRAFTING_PRD", "COUNCIL_VOTING_PRD",
    "DRAFTING_BEADS", "COUNCIL_VOTING_BEADS",
)  # fmt: skip
ACTIVE = (
    *COUNCIL, "SCANNING_RELEVANT_FILES", "COMPILING_INTERVIEW", "VERIFYING_INTERVIEW_COVERAGE",
    "REFINING_PRD", "VERIFYING_PRD_COVERAGE", "REFINING_BEADS", "VERIFYING_BEADS_COVERAGE",
    "PRE_FLIGHT_CHECK", "PREPARING_EXECUTION_ENV", "RUNNING_FINAL_TEST", "INTEGRATING_CHANGES",
    "CREATING_PULL_REQUEST", "CLEANING_ENV",
)  # fmt: skip
BEAD = ("pending", "in_progress", "done", "error")
ASSIGNMENT = ("offered", "claimed", "submitted", "failed", "expired", "cancelled")
PARTS_MAX = 2


@dataclass(frozen=True, slots=True)
class Standing:
    """A small ticket. ``is_ready`` stands for a batch or a setup plan that waits for the user."""

    phase: str
    beads: tuple[str, ...] = ()
    work: tuple[str, ...] = ()
    previous: str | None = None
    is_ready: bool = False
    members: int = 1
    parallel: int = 1


def is_legal(ticket: Standing) -> bool:
    """Say whether the specification lets a ticket stand so."""
    came = ticket.previous if ticket.phase == "BLOCKED_ERROR" else ticket.phase
    return came is not None and _beads_fit(ticket, came) and _work_fits(ticket, came)


def _beads_fit(ticket: Standing, came: str) -> bool:
    beads = ticket.beads
    if came in PLANNED:
        return not beads
    if came == "CANCELED":
        return ticket.phase == "CANCELED" and "in_progress" not in beads
    if came in READY:
        return bool(beads) and set(beads) == {"pending"}
    if came in (*BEYOND, "COMPLETED"):
        is_blocked = ticket.phase == "BLOCKED_ERROR"
        return bool(beads) and set(beads) == {"done"} and not (is_blocked and came == "COMPLETED")
    is_open = bool(beads) and set(beads) != {"done"}
    has_failed = "error" in beads and ticket.phase == "CODING"
    within = beads.count("in_progress") <= ticket.parallel
    return came == "CODING" and is_open and not has_failed and within


def _work_fits(ticket: Standing, came: str) -> bool:
    work, phase = ticket.work, ticket.phase
    count = work.count("offered") + work.count("claimed")
    if phase in COUNCIL:
        return count > 0 and len(work) <= ticket.members
    if phase in ACTIVE:
        return count == 1
    if phase in ("WAITING_INTERVIEW_ANSWERS", "WAITING_EXECUTION_SETUP_APPROVAL"):
        return count == (0 if ticket.is_ready else 1)
    if phase in ("DRAFT", "WAITING_PR_REVIEW"):
        return count <= 1
    if phase == "BLOCKED_ERROR":
        return count <= (1 if came == "CODING" else 0)
    return count == 0 and "expired" not in work


def tickets() -> Iterator[Standing]:
    """Yield every ticket with up to two beads and two assignments."""
    beads = [b for n in range(PARTS_MAX + 1) for b in combinations_with_replacement(BEAD, n)]
    work = [w for n in range(PARTS_MAX + 1) for w in combinations_with_replacement(ASSIGNMENT, n)]
    for phase in PHASES:
        befores = (None, *PHASES) if phase == "BLOCKED_ERROR" else (None,)
        for before in befores:
            for some in beads:
                yield Standing(phase, some, (), before)
                yield from (Standing(phase, some, one, before) for one in work[1:7])
            for one in work:
                yield from _with_work(phase, before, one)


def _with_work(phase: str, before: str | None, work: tuple[str, ...]) -> Iterator[Standing]:
    came = before or phase
    beads = ("done",) if came in (*BEYOND, "COMPLETED") else ("pending",)
    some = () if came in (*PLANNED, "CANCELED") else beads
    yield Standing(phase, some, work, before, is_ready=True)
    yield Standing(phase, some, work, before, members=2)
    yield Standing(phase, ("in_progress", "in_progress"), work, before, parallel=2)


def disagreements(flow: Workflow) -> list[str]:
    """Return the tickets about which the tables and the specification disagree."""
    return [str(ticket) for ticket in tickets() if _stands(flow, ticket) != is_legal(ticket)]


def _stands(flow: Workflow, ticket: Standing) -> bool:
    fields = {
        **flow.defaults(),
        "previous": ticket.previous,
        "members": ticket.members,
        "parallel": ticket.parallel,
        "batch": ticket.is_ready,
        "setup_ready": ticket.is_ready,
    }
    tally = {"bead": _tally(ticket.beads), "assignment": _tally(ticket.work)}
    draft = Draft(flow, Seen(Unit(ticket.phase, fields), tally), Event("look", Actor("system")), 0)
    try:
        check_pairs(draft)
    except IllegalPair:
        return False
    return True


def _tally(statuses: tuple[str, ...]) -> dict[str, int]:
    return {status: statuses.count(status) for status in statuses}
