"""A process starts on a database that others have left: nothing of any workflow changes."""

from dataclasses import replace

from interlock.service.looked import Looked
from interlock.service.resume import resume_all
from interlock.service.sweep import sweep
from interlock.store.rows import unit_of
from tests.promises.rows import everything, settled
from tests.races.moves import another
from tests.stage import HOME, Stage, staged

WORKFLOWS = {"plan", "mission", "ticket"}


@staged
async def test_a_restart_changes_nothing_of_any_workflow(stage: Stage) -> None:
    world, _ = await settled(stage)
    units = await stage.engine.store.units(HOME, "", None, 1_000)
    before = await everything(stage)
    async with another(stage) as other:
        engine = replace(stage.engine, store=other.store, sound=Looked())
        assert await resume_all(engine) > 0
        assert await sweep(engine) == 0
        held = await stage.engine.store.whole(HOME, units[0].row.id)

    assert await everything(stage) == before
    assert held is not None
    assert {unit_of(one.row.id).partition("-")[0] for one in units} == WORKFLOWS
    assert len({(one.row.id.partition("-")[0], one.row.unit.status) for one in units}) > 8
    assert world.by.tenant == HOME


@staged
async def test_a_sign_of_life_would_be_noticed(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    before = await everything(stage)
    stage.clock.pass_ms(1_000)
    await stage.call("heartbeat_work", part_id=step, lease=lease)

    assert await everything(stage) != before
