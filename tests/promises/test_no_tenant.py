"""Whoever calls without a tenant, whatever they call: they find nothing and change nothing."""

import re
from dataclasses import replace

from interlock.commands.all import COMMANDS
from interlock.commands.verbs import LocalVerbs
from interlock.errors import InterlockError
from tests.promises.rows import everything, settled
from tests.stage import Stage, staged

NOBODIES = ("", "home' OR '1'='1")
ID = re.compile(r"\b[a-z]+-[0-9a-z]{12}\b")


@staged
async def test_without_a_tenant_no_command_finds_or_changes_anything(stage: Stage) -> None:
    world, told = await settled(stage)
    # What needs no setting can be called, too: all the lists.
    told = {name: {} for name, row in COMMANDS.items() if row.is_read} | told
    before = await everything(stage)
    names = {*ID.findall(str(before))}
    found = set()
    answered = 0
    for tenant in NOBODIES:
        for name, arguments in told.items():
            by = world.agent if world.is_for_agents(COMMANDS[name]) else world.by
            try:
                verbs = LocalVerbs(stage.engine, replace(by, tenant=tenant))
                answer = await verbs.call(name, arguments)
            except InterlockError:
                continue
            answered += 1
            found |= {(name, one) for one in names & {*ID.findall(answer.model_dump_json())}}

    assert found == set()
    assert await everything(stage) == before
    assert len(names) > 50
    assert answered > 20
