"""How a tenant is doing: what waits for agents and people, what is held, what stands still."""

from typing import NamedTuple

from interlock.service.board import standing_of
from interlock.service.engine import Engine
from interlock.service.pulse import Sample
from interlock.store.board import Vitals, Wanted


class Health(NamedTuple):
    """How a tenant is doing now, and was lately.

    ``stalled`` counts units whose status says that somebody must help. Without ``since`` nobody
    takes samples here.
    """

    vitals: Vitals
    stalled: int
    open: int
    ended: int
    since: int | None
    samples: tuple[Sample, ...]


async def read_health(engine: Engine, tenant: str) -> Health:
    """Read how a tenant is doing."""
    vitals = await engine.store.board.vitals(tenant)
    counts = await engine.store.board.counts(tenant, Wanted())
    stalled = is_open = ended = 0
    for group, amount in counts.items():
        standing = standing_of(engine, group.workflow, group.status)
        if standing.calm == "done":
            ended += amount
            continue
        is_open += amount
        stalled += amount if standing.tone == "trouble" else 0
    since: int | None = None
    samples: tuple[Sample, ...] = ()
    if engine.pulse is not None:
        since, samples = engine.pulse.look(tenant, engine.store.now())
    return Health(vitals, stalled, is_open, ended, since, samples)
