"""An explanation comes with calls that can be sent; units whose workflow has no words have none."""

from typing import Any, cast

from tests.missions import begin, build, take
from tests.stage import Stage, staged

Told = dict[str, Any]


@staged
async def test_a_plan_is_explained_by_its_calls_alone(stage: Stage) -> None:
    plan = await stage.plan(1)

    answer = await stage.call("explain", id=plan)

    assert "waits" not in answer.data
    assert answer.next_action == cast("list[Told]", answer.data["calls"])[0]["text"]


@staged
async def test_a_lease_is_told_as_its_holder_would_use_it(stage: Stage) -> None:
    mission = await begin(stage)
    await build(stage, mission)
    hop, lease = await take(stage, mission, "hop")

    answer = await stage.call("explain", id=hop)

    (wait,) = cast("list[Told]", answer.data["waits"])
    assert wait["calls"][0]["arguments"]["lease"] == lease
    assert wait["until"] > wait["since"]


@staged
async def test_what_is_not_there_is_not_explained(stage: Stage) -> None:
    mission = await begin(stage)

    assert (await stage.refused("explain", id=f"{mission}.99")).code == "NOT_FOUND"
