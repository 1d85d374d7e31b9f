"""Reading a whole unit just as it stands, with nothing looked at before and nothing mended."""

from dataclasses import dataclass

from interlock.kernel.seen import PartId
from interlock.kernel.snapshot import Condition, Snapshot
from interlock.service.around import read_condition
from interlock.service.engine import Engine, Running
from interlock.service.errors import NotFound
from interlock.store.port import Whole
from interlock.store.rows import unit_of


@dataclass(frozen=True, slots=True)
class Read:
    """A unit as it stood at one moment: its rows, and the same as a snapshot."""

    running: Running
    whole: Whole
    snapshot: Snapshot


async def read_standing(engine: Engine, tenant: str, name: str) -> Read:
    """Read the unit that a unit's or part's name speaks of; raises ``NotFound``."""
    running = engine.running(name)
    whole = await engine.store.whole(tenant, unit_of(name))
    if whole is None:
        raise NotFound(name)
    return Read(running, whole, snapshot_of(running, whole))


def snapshot_of(running: Running, whole: Whole) -> Snapshot:
    """Return a unit's rows as the kernel's snapshot."""
    conditions: dict[PartId, tuple[Condition, ...]] = {}
    for part, row in whole.conditions:
        expression = read_condition(running.flow, row.expression)
        kept = Condition(expression, row.action, row.params, row.target)
        conditions[part] = (*conditions.get(part, ()), kept)
    parts = tuple(row.part for row in whole.parts)
    ids = tuple(row.id for row in whole.parts)
    return Snapshot(whole.row.unit, parts, ids, conditions)
