"""The desk: a server with settings, agents with a toolset, a person at the same file."""

import asyncio
from pathlib import Path

import pytest

from interlock.cli.demo.desk import at_desk, kill
from interlock.cli.demo.serving import WentWrong
from tests.missions import new_mission


def test_agents_and_the_person_see_the_same_and_what_is_gone_cannot_be_killed(
    tmp_path: Path,
) -> None:
    async def story() -> tuple[str, list[str]]:
        around = {"tools": "interlock.cli.demo.figures"}
        async with at_desk(tmp_path, "mission", around) as desk:
            async with desk.session("planner") as planner:
                made = await planner.call("propose_mission", **new_mission())
            mission = made["data"]["mission_id"]
            context = await desk.person("mission_context", mission_id=mission)
            kill(desk.server)
            with pytest.raises(WentWrong, match=r"ended by itself, with \[0\]"):
                kill(desk.server)
        return str(context["status"]), [tool["tool"] for tool in context["tools"]]

    status, tools = asyncio.run(story())
    assert status == "PROPOSED"
    assert {"in_euro", "figures", "group_reduce"} <= set(tools)
