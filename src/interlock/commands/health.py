"""How the caller's own tenant is doing, for people who look after it."""

from typing import Final

from interlock.commands.row import PEOPLE, AnyCommand, Call, Command, done
from interlock.service.health import read_health
from interlock.service.order import Reply
from interlock.wire.work import Nothing


async def get_health(call: Call, _: Nothing) -> Reply:
    """Tell what waits, what is held, what stands still, and how that was lately."""
    health = await read_health(call.engine, call.tenant)
    vitals = health.vitals
    gates: Reply = {"open": sum(one.open for one in vitals.gates)}
    gates["oldest"] = min((one.since for one in vitals.gates), default=None)
    gates["by_workflow"] = [
        {"workflow": one.workflow, "open": one.open, "oldest": one.since} for one in vitals.gates
    ]
    return done({
        "queue": [one._asdict() for one in vitals.queues],
        "gates": gates,
        "leases": {"held": vitals.held, "overdue": vitals.overdue},
        "stalled": health.stalled,
        "units": {"open": health.open, "ended": health.ended},
        "since": health.since,
        "samples": [one._asdict() for one in health.samples],
    })  # fmt: skip


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("get_health", Nothing, get_health, "read", PEOPLE, weight=2,
            http="GET /health",
            doc="How work is going: what waits, what is held, what stands still, and how that was lately."),
)
# fmt: on
