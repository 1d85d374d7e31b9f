"""A mission of two hops on the real tools: the chain of the documentation, run in children."""

import asyncio
from dataclasses import replace
from typing import Any, cast

from interlock.service.verify import verify
from interlock.toolbox.around import Around
from interlock.toolbox.child import run_in_child
from interlock.toolbox.shelf import Shelf
from tests.missions import asset, begin, build, design, execute, standing
from tests.stage import ADA, HOME, Stage, staged

Told = dict[str, Any]
OFFERS = [{"store": "Maple", "price": 180}, {"store": "Birch", "price": 240}]


async def work_off(stage: Stage) -> int:
    """Run tool steps as a worker does until there are none; return how many there were."""
    for count in range(10):
        answer = await stage.call("get_next_work", ADA, workflow="mission", kind="tool_step")
        if answer.status != "claimed":
            return count
        part = cast("Told", answer.data["part"])
        call = part["call"]
        outcome = await run_in_child(
            call["tool"], call["arguments"], around=Around(), deadline_s=call["deadline_s"]
        )
        said: Told = {"outputs": outcome.result}
        if outcome.failure:
            error = {"message": outcome.message, "detail": outcome.detail}
            said = {"failure": outcome.failure, "error": error}
        told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        await stage.call("submit_tool_result", ADA, **told, **said)
    return 10


@staged
async def test_two_hops_with_real_tools_make_the_report(stage: Stage) -> None:
    stage.engine = replace(stage.engine, tools=Shelf(Around()).describe)
    given = [{"name": "brief", "content": {"team": 40}}, {"name": "offers", "content": OFFERS}]
    told = {"outputs": [{"name": "report", "schema": {"type": "string"}}], "assets": []}
    mission = await begin(stage, inputs=given, **told)
    brief, offers, report = (f"{mission}.{number}" for number in (1, 2, 3))
    first = {"inputs": ["offers"], "output": "best", "assets": [{"name": "best"}]}
    await build(stage, mission, **first)
    best = f"{mission}.5"
    pick = {"value": {"asset": offers}, "path": {"literal": "[0]"}}
    goes = {"value": {"asset": best}}
    await design(
        stage,
        mission,
        [{"tool": "json_query", "parameter_mapping": pick, "result_mapping": goes}],
    )
    await execute(stage, mission)
    assert await work_off(stage) == 1
    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP: COMPLETED"

    await build(stage, mission, inputs=["brief", best], output="report", is_final=True)
    team = {"value": {"asset": brief}, "path": {"literal": "team"}}
    words = {"literal": "{store} for {price} a year"}
    await design(
        stage,
        mission,
        [
            {
                "tool": "json_query",
                "parameter_mapping": team,
                "result_mapping": {"value": {"scratch": True}, "count": {"discard": True}},
            },
            {
                "tool": "template",
                "parameter_mapping": {"values": {"asset": best}, "template": words},
                "result_mapping": {"text": {"asset": report}},
            },
        ],
    )
    await execute(stage, mission)
    assert await work_off(stage) == 2

    assert await standing(stage, mission) == "COMPLETED: COMPLETED COMPLETED"
    context = (await stage.call("mission_context", ADA, mission_id=mission)).data
    assert asset(context, "report")["content"] == "Maple for 180 a year"
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_tool_that_fails_holds_the_mission_with_what_it_said(stage: Stage) -> None:
    stage.engine = replace(stage.engine, tools=Shelf(Around()).describe)
    mission = await begin(stage)
    await build(stage, mission)
    words = {"literal": "{nothing}"}
    mapping = {"values": {"literal": {}}, "template": words}
    goes = {"text": {"asset": f"{mission}.2"}}
    await design(
        stage,
        mission,
        [{"tool": "template", "parameter_mapping": mapping, "result_mapping": goes}],
    )
    await execute(stage, mission)
    await asyncio.wait_for(work_off(stage), 60)

    data = (await stage.call("mission_status", ADA, mission_id=mission)).data
    assert data["held"] is True
    error = cast("list[Told]", data["tool_steps"])[0]["error"]
    assert (error["class"], "nothing" in error["message"] + error.get("detail", "")) == (
        "validation",
        True,
    )
