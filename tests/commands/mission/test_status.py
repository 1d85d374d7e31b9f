"""How a mission stands, what a new session is told, and lists of missions."""

from typing import Any, cast

from tests.missions import asset, begin, build, equip, finish, launch, propose, status_of, take
from tests.stage import PAT, Stage, staged

Told = dict[str, Any]


@staged
async def test_a_status_tells_hops_assets_steps_and_who_holds_what(stage: Stage) -> None:
    equip(stage)
    mission, hop = await launch(stage)
    await finish(stage, mission, outputs={"rows": [2]})
    step, _ = await take(stage, mission, "tool_step")
    data = await status_of(stage, mission)

    assert (data["status"], data["current_hop"]) == ("EXECUTING_HOP", hop)
    assert data["counts"]["tool_step"] == {"COMPLETED": 1, "EXECUTING": 1}
    assert [one["status"] for one in data["tool_steps"]] == ["COMPLETED", "EXECUTING"]
    running = data["tool_steps"][1]
    assert (running["part_id"], running["holder"]) == (step, "ada")
    assert isinstance(running["until"], int)
    assert (asset(data, "rows")["hop_id"], asset(data, "rows")["status"]) == (hop, "READY")
    assert asset(data, "sum")["status"] == "IN_PROGRESS"


@staged
async def test_a_context_holds_what_assets_hold_and_which_tools_there_are(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage)
    await build(stage, mission)
    data = cast("Told", (await stage.call("mission_context", mission_id=mission)).data)

    assert asset(data, "numbers")["content"] == [1, 2, 3]
    assert "content" not in asset(data, "sum")
    assert sorted(tool["tool"] for tool in data["tools"]) == ["ask", "double", "fetch", "total"]
    assert (data["success_criteria"], data["hops"][0]["rationale"]) == (("it is right",), "so")
    assert data["last_events"][0]["event"] == "accept_hop"
    assert data["last_events"][0]["sequence"] == data["version"]


@staged
async def test_what_is_too_long_for_a_context_is_named_by_its_digest(stage: Stage) -> None:
    long = [{"name": "numbers", "content": "x" * 70_000}]
    mission = await begin(stage, inputs=long)
    data = cast("Told", (await stage.call("mission_context", mission_id=mission)).data)

    assert "content" not in asset(data, "numbers")
    assert len(asset(data, "numbers")["content_digest"]) == 64


@staged
async def test_missions_are_listed_the_last_changed_first(stage: Stage) -> None:
    first, second = await propose(stage, tags=["red"]), await begin(stage)
    ended = await propose(stage)
    await stage.call("cancel", PAT, id=ended, reason="enough")

    async def listed(**asked: object) -> list[str]:
        data = (await stage.call("list_missions", **asked)).data
        return [str(one["mission_id"]) for one in cast("list[Told]", data["missions"])]

    assert set(await listed()) == {first, second}
    assert await listed(tag="red") == [first]
    assert await listed(status="CANCELLED") == [ended]
    assert set(await listed(include_ended=True)) == {first, second, ended}
    page = await stage.call("list_missions", limit=1)
    more = await stage.call("list_missions", limit=1, cursor=page.data["cursor"])
    assert page.data["missions"] != more.data["missions"]
