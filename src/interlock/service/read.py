"""Reads: whole units as snapshots. Nothing here changes anything that is sound.

A unit of a workflow that wants it so is looked at before it is first read in a process.
"""

from interlock.service.engine import Engine
from interlock.service.resume import make_sound
from interlock.service.standing import Read, read_standing, snapshot_of
from interlock.store.rows import unit_of

__all__ = ["Read", "read_unit", "snapshot_of"]


async def read_unit(engine: Engine, tenant: str, name: str) -> Read:
    """Read the unit that a unit's or part's name speaks of; raises ``NotFound``."""
    await make_sound(engine, tenant, unit_of(name))
    return await read_standing(engine, tenant, name)
