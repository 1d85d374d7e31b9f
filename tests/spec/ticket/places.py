"""Where a ticket can stand, and how one is brought there: through the engine, event by event.

No documents are made on the way: what they must be like is tried elsewhere. What a person and a
worker can say goes through ``advance`` as they would say it.
"""

from collections.abc import Mapping
from itertools import count
from typing import Any, Final

from interlock.service.engine import Principal, clockwork
from interlock.service.order import Asked, Order, Reply, Result
from interlock.service.run import advance
from interlock.workflows.ticket.phases import ROUNDS, SETUP
from tests.stage import ADA, HOME, PAT, Stage
from tests.tickets import project

Told = dict[str, Any]
_tags = count(1)

MEMBERS: Final = ("ann", "ben")
SHOWN: Final = "sha256:shown"
BEADS: Final = ({"title": "first"}, {"title": "second", "needs": (0,)})

# fmt: off
WAYS: Final[Mapping[str, str]] = {
    "DRAFT":                            "START",
    "SCANNING_RELEVANT_FILES":          "RELEVANT_FILES_READY",
    "COUNCIL_DELIBERATING":             "",
    "COUNCIL_VOTING_INTERVIEW":         "",
    "COMPILING_INTERVIEW":              "READY",
    "WAITING_INTERVIEW_ANSWERS":        "INTERVIEW_COMPLETE",
    "VERIFYING_INTERVIEW_COVERAGE":     "COVERAGE_CLEAN",
    "WAITING_INTERVIEW_APPROVAL":       "approve",
    "DRAFTING_PRD":                     "",
    "COUNCIL_VOTING_PRD":               "",
    "REFINING_PRD":                     "REFINED",
    "VERIFYING_PRD_COVERAGE":           "COVERAGE_CLEAN",
    "WAITING_PRD_APPROVAL":             "approve",
    "DRAFTING_BEADS":                   "",
    "COUNCIL_VOTING_BEADS":             "",
    "REFINING_BEADS":                   "REFINED",
    "VERIFYING_BEADS_COVERAGE":         "COVERAGE_CLEAN",
    "WAITING_BEADS_APPROVAL":           "approve",
    "PRE_FLIGHT_CHECK":                 "CHECKS_PASSED",
    SETUP:                              "EXECUTION_SETUP_PLAN_READY",
    "PREPARING_EXECUTION_ENV":          "EXECUTION_SETUP_READY",
    "CODING":                           "code",
    "RUNNING_FINAL_TEST":               "TESTS_PASSED",
    "INTEGRATING_CHANGES":              "INTEGRATION_DONE",
    "CREATING_PULL_REQUEST":            "PULL_REQUEST_READY",
    "WAITING_PR_REVIEW":                "MERGE_COMPLETE",
    "CLEANING_ENV":                     "CLEANUP_DONE",
}
"""All 27 phases that a ticket can be blocked in, and by what it goes on from each to the next."""
# fmt: on

ASKED_FOR: Final = {"DRAFT": "start", "WAITING_PR_REVIEW": "merge"}
"""Where work is offered only when somebody asks for it."""

HAS_WORK: Final = tuple(
    phase for phase in WAYS if WAYS[phase] not in ("approve", "code") and phase not in ROUNDS
)
"""Where one assignment is all the work there is."""


async def send(
    stage: Stage, by: Principal, unit: str, event: str, part: str | None = None, **more: object
) -> Told:
    """Send one event; return the lease that came of it, if one did."""

    def word(result: Result) -> Reply:
        row = result.done[0].part
        return {"lease": None if row is None else result.lease(row)}

    lease = str(more.pop("lease", ""))
    asked = Asked(event, part, args=more, lease=lease)
    order = Order(HOME, by.actor(), unit, (asked,), word)
    return dict((await advance(stage.engine, order)).reply)


async def system(stage: Stage, unit: str, event: str, **args: object) -> None:
    """Say what only the system may say."""
    await send(stage, clockwork(HOME), unit, event, None, **args)


async def phase_of(stage: Stage, unit: str) -> str:
    """Return the phase a ticket is in."""
    return (await stage.whole(unit)).row.unit.status


async def hold(stage: Stage, unit: str, kind: str = "assignment") -> tuple[str, str]:
    """Claim the next part of a kind that is offered; return its id and the token of the lease."""
    row = next(
        row
        for row in (await stage.whole(unit)).parts
        if row.part.kind == kind and row.offer is not None
    )
    event = "claim_work" if kind == "assignment" else "claim_bead"
    told = await send(stage, ADA, unit, event, row.id)
    return row.id, str(told["lease"]["token"])


async def offer(stage: Stage, unit: str, phase: str) -> None:
    """Have the work of a phase offered, where nobody does so by itself."""
    if phase in ASKED_FOR:
        await send(stage, PAT, unit, ASKED_FOR[phase])


async def go_on(stage: Stage, unit: str) -> None:
    """Let a ticket go on from the phase it is in to the next one."""
    phase = await phase_of(stage, unit)
    way = WAYS[phase]
    if way == "approve":
        await send(stage, PAT, unit, "approve", digest=SHOWN)
        return
    if way == "code":
        for _ in BEADS:
            part, lease = await hold(stage, unit, "bead")
            await send(stage, ADA, unit, "submit_bead", part, lease=lease)
        return
    # A ticket that is begun through commands is started by one, which locks its council.
    if phase == "DRAFT":
        await stage.call("start", PAT, ticket_id=unit)
    else:
        await offer(stage, unit, phase)
    for _ in MEMBERS if phase in ROUNDS else (1,):
        part, lease = await hold(stage, unit)
        args: Told = {"digest": SHOWN, "beads": BEADS}
        args |= {"outcome": way} if way else {}
        await send(stage, ADA, unit, "submit_work", part, lease=lease, **args)
    if phase == SETUP:
        await send(stage, PAT, unit, "approve", digest=SHOWN)


async def bring(stage: Stage, phase: str) -> str:
    """Bring a new ticket to a phase; return its id."""
    told: Told = {"project_id": await project(stage, MEMBERS), "title": "Sell apples"}
    made = await stage.call("create_ticket", PAT, **told, tags=[f"tag-{next(_tags)}"])
    unit = str(made.data["ticket_id"])
    while await phase_of(stage, unit) != phase:
        await go_on(stage, unit)
    return unit
