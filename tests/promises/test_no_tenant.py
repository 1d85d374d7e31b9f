"""Whoever calls without a tenant, whatever they call: they find nothing and change nothing."""

from dataclasses import replace

from interlock.commands.all import COMMANDS
from interlock.commands.verbs import LocalVerbs
from interlock.errors import InterlockError
from tests.promises.rows import everything, settled
from tests.stage import HOME, Stage, staged

NOBODIES = ("", "home' OR '1'='1")


@staged
async def test_without_a_tenant_no_command_finds_or_changes_anything(stage: Stage) -> None:
    world, told = await settled(stage)
    units = await stage.engine.store.units(HOME, "", None, 1_000)
    before = await everything(stage)
    found = []
    for tenant in NOBODIES:
        for name, arguments in told.items():
            by = world.agent if world.is_for_agents(COMMANDS[name]) else world.by
            try:
                answer = await LocalVerbs(stage.engine, replace(by, tenant=tenant)).call(
                    name, arguments
                )
            except InterlockError:
                continue
            text = answer.model_dump_json()
            found += [name for one in units if one.row.id in text]

    assert found == []
    assert await everything(stage) == before
    assert len(told) > len(COMMANDS) // 4
