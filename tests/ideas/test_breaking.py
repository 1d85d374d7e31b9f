"""Idea 11: a system error in every live state fails the mission, in an ended one it is nothing."""

import pytest

from interlock.kernel.refusal import Refusal
from interlock.service.engine import clockwork
from interlock.service.order import Asked, Order
from interlock.service.run import advance
from interlock.service.verify import verify
from tests.ideas.doors import WHY, Doors, doors
from tests.missions import equip
from tests.stage import HOME, Stage, staged

WAY = ("ready", "building", "designed", "executing")
"""How far a mission has gone with its hop; other stops lie beside this way."""

LIVE = {
    "proposed": "FAILED", "ready": "FAILED", "pending": "FAILED: FAILED",
    "building": "FAILED: FAILED", "designed": "FAILED: FAILED", "executing": "FAILED: FAILED",
    "running": "FAILED: FAILED", "held": "FAILED: FAILED", "between hops": "FAILED: COMPLETED",
}  # fmt: skip
"""By stop, where a mission stands after a system error."""


async def _go(door: Doors, far: str) -> str:
    """Bring a mission so far on its way."""
    mission = await door.begin()
    place = WAY.index(far)
    if place >= WAY.index("building"):
        await door.build(mission)
    if place >= WAY.index("designed"):
        await door.design(mission)
    if place >= WAY.index("executing"):
        await door.execute(mission)
    return mission


async def _to(door: Doors, stop: str) -> str:
    """Bring a mission to a stop."""
    if stop == "proposed":
        return await door.propose()
    beside = {"running": "executing", "held": "executing"}.get(stop, "ready")
    mission = await _go(door, stop if stop in WAY else beside)
    if stop == "pending":
        await door.pend(mission)
    elif stop == "running":
        await door.claim("tool_step")
    elif stop == "held":
        await door.finish(failure="validation")
    elif stop in ("between hops", "completed"):
        await door.complete(mission, is_final=stop == "completed")
    return mission


async def _break(stage: Stage, mission: str) -> None:
    """Say that something broke, as only the system does: no door offers it."""
    actor = clockwork(HOME).actor()
    order = Order(HOME, actor, mission, (Asked("system_error"),), lambda _: {})
    await advance(stage.engine, order)


@staged
async def test_a_system_error_fails_every_live_mission_and_its_active_hop(stage: Stage) -> None:
    equip(stage)
    async with doors(stage) as door:
        for stop, stands in LIVE.items():
            mission = await _to(door, stop)
            await _break(stage, mission)
            assert await door.stands(mission) == stands, stop
            unit = await door.person("get_unit", id=mission)
            found = {(one["kind"], one["status"]) for one in unit["parts"]}
            assert not found & {("tool_step", "EXECUTING"), ("asset", "IN_PROGRESS")}, stop
            assert not {"held", "recovery", "gates"} & set(await door.status(mission)), stop
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_system_error_means_nothing_to_a_mission_that_has_ended(stage: Stage) -> None:
    equip(stage)
    async with doors(stage) as door:
        completed, cancelled = await _to(door, "completed"), await _to(door, "ready")
        await door.person("cancel", id=cancelled, **WHY)
        failed = await _to(door, "held")
        await door.person("abandon_recovery", mission_id=failed, **WHY)
        for mission in (completed, cancelled, failed):
            before = await stage.mark(mission)
            with pytest.raises(Refusal, match="MISSION_TERMINAL"):
                await _break(stage, mission)
            assert await stage.mark(mission) == before
