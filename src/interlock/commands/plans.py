"""Lists of plans: which are under way, how far each is, and which wait for a person."""

from collections.abc import Mapping
from typing import Final

from interlock.commands.listing import amiss, page, place_of
from interlock.commands.row import AnyCommand, Call, Command
from interlock.service.order import Reply
from interlock.store.port import Listed, Which
from interlock.wire.plans import ListPlans, PlanFilter
from interlock.workflows.plan.workflow import ENDED

TOOLSET: Final = "research"


async def list_active_plans(call: Call, asked: ListPlans) -> Reply:
    """List plans that have not ended, the last changed first."""
    wanted = asked.filter or PlanFilter()
    status = wanted.status or ""
    is_open = not wanted.include_ended and status not in ENDED
    which = Which(is_open, status, wanted.tag or "")
    place = place_of(asked.cursor)
    rows = await call.engine.store.units(call.tenant, "plan", place, asked.limit, which)
    return page("plans", [_told(one) for one in rows], rows, asked.limit)


def _told(listed: Listed) -> Reply:
    row = listed.row
    counts = dict(row.tally.get("step", {}))
    return {
        "plan_id": row.id,
        "name": row.unit.fields.get("name", ""),
        "status": row.unit.status,
        "progress": progress(counts),
        "total_steps": sum(counts.values()),
        "counts": counts,
        "open_review": row.unit.status == "awaiting_review",
        "changed_at": row.changed_at,
        "tags": listed.tags,
        **amiss(listed),
    }


def progress(counts: Mapping[str, int]) -> int:
    """Return how much is done, in percent, a half rounded up; failed steps do not count as done."""
    total = sum(counts.values())
    done = counts.get("completed", 0) + counts.get("skipped", 0)
    return (200 * done + total) // (2 * total) if total else 0


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("list_active_plans", ListPlans, list_active_plans, "read", TOOLSET, words="plan list",
            http="GET /plans",
            doc="Plans that are not completed or failed, the last changed first, with how far each is."),
)
# fmt: on
