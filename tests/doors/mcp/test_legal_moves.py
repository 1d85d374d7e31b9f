"""An agent is told of no move that is refused because it is an agent; a person is told of those.

For every command of missions and tickets a unit is brought to where it could be sent, and what is
legal there is asked as a tool; then the command is called by the agent that was told.
"""

from typing import Any, Final

import pytest

from interlock.commands.all import COMMANDS
from interlock.doors.mcp.tools import offered
from tests.doors.mcp.clients import called, document, on
from tests.missions import propose
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import project
from tests.world import settle

STATUS: Final = {"mission": "mission_status", "ticket": "ticket_status"}
ROWS: Final = sorted(
    row.name
    for row in offered()
    if row.toolset in STATUS and row.event and not row.makes_unit and "project" not in row.name
)
NOT_FOR_AGENTS: Final = ("HUMAN_REQUIRED", "NOT_ALLOWED", "WRONG_ACTOR")
DECISIONS: Final = {"accept_mission", "start", "approve", "accept_hop", "execute_hop"}


@pytest.mark.parametrize("name", ROWS)
@staged
async def test_no_agent_is_told_of_a_move_that_is_not_for_agents(stage: Stage, name: str) -> None:
    row = COMMANDS[name]
    world = await settle(stage)
    arguments = await world.arguments(row)
    unit = str(world.given["unit_id"])
    async with on(stage, world.agent) as client:
        word = f"{row.toolset}_id"
        stands = await called(client, STATUS[row.toolset], **{word: unit})
        whole = await called(client, "get_unit", id=unit)
        why = await called(client, "explain", id=unit)
        result = await client.call_tool(name, arguments)
    told = {*stands["legal_moves"], *whole["legal_moves"], *why["legal_moves"]}
    answer = document(result)

    if result.is_error and answer["code"] in NOT_FOR_AGENTS:
        assert name not in told
        assert name not in answer["legal_moves"]
    person = await stage.call(STATUS[row.toolset], world.by, **{word: unit})
    assert person.status == stands["status"] or not result.is_error


@pytest.mark.parametrize(("policy", "is_told"), [("human", False), ("relay", True)])
@staged
async def test_where_an_agent_relays_it_is_told_of_decisions(
    stage: Stage,
    policy: str,
    is_told: bool,  # noqa: FBT001  a column of the table
) -> None:
    mission = await propose(stage, policy=policy)
    new = {"project_id": await project(stage), "title": "Apples", "policy": policy}
    written = str((await stage.call("create_ticket", PAT, **new)).data["ticket_id"])
    told: Any = set()
    async with on(stage, ADA) as client:
        told |= set((await called(client, "mission_status", mission_id=mission))["legal_moves"])
        told |= set((await called(client, "ticket_status", ticket_id=written))["legal_moves"])

    assert bool(told & DECISIONS) is is_told
    person = await stage.call("ticket_status", PAT, ticket_id=written)
    assert {"start", "cancel", "edit_ticket"} <= set(person.legal_moves)
