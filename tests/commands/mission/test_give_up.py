"""Work of a mission is given up by the verb of all work: it fails, and of which class is told."""

from typing import Any, cast

import pytest

from tests.missions import begin, build, equip, launch, standing, status_of, take
from tests.stage import Stage, staged

Told = dict[str, Any]


@staged
async def test_without_a_class_it_is_unhandled_and_nobody_can_repair_it(stage: Stage) -> None:
    equip(stage)
    mission, _ = await launch(stage)
    step, lease = await take(stage, mission, "tool_step")

    answer = await stage.call("fail_work", part_id=step, lease=lease, reason="it blew up")

    assert answer.status == "FAILED"
    assert await standing(stage, mission) == "FAILED: FAILED"
    (row, _) = (await status_of(stage, mission))["tool_steps"]
    assert row["error"] == {
        "class": "unhandled", "message": "it blew up", "attempt": 1, "recoverable": False,
    }  # fmt: skip


@staged
async def test_with_a_class_it_fails_as_that(stage: Stage) -> None:
    equip(stage)
    mission, _ = await launch(stage)
    step, lease = await take(stage, mission, "tool_step")
    said = {"part_id": step, "lease": lease, "reason": "slow"}

    await stage.call("fail_work", **said, failure="transient")
    assert (await status_of(stage, mission))["tool_steps"][0]["status"] == "EXECUTING"
    await stage.call("fail_work", **said, failure="user_correctable")

    data = await status_of(stage, mission)
    assert (data["status"], data["held"]) == ("EXECUTING_HOP", True)
    tried = [(one["attempt"], one["class"]) for one in data["tool_steps"][0]["attempts"]]
    assert tried == [(1, "transient"), (2, "user_correctable")]


@pytest.mark.parametrize(("failure", "stands"), [(None, "FAILED"), ("validation", "BUILDING_HOP")])
@staged
async def test_a_hop_is_given_up_in_the_same_words(
    stage: Stage, failure: str | None, stands: str
) -> None:
    equip(stage)
    mission = await begin(stage)
    await build(stage, mission)
    hop, lease = await take(stage, mission, "hop")

    await stage.call("fail_work", part_id=hop, lease=lease, reason="no way", failure=failure)

    assert await standing(stage, mission) == f"{stands}: FAILED"
    (row,) = (await status_of(stage, mission))["hops"]
    assert (row["error"]["message"], row["error"]["recoverable"]) == ("no way", bool(failure))


@staged
async def test_what_nobody_works_on_is_not_given_up(stage: Stage) -> None:
    mission = await begin(stage)

    no = await stage.refused("fail_work", part_id=f"{mission}.1", reason="why not")

    assert (no.code, "set_asset" in no.fix) == ("INVALID_INPUT", True)


@staged
async def test_only_work_of_a_mission_has_a_class(stage: Stage) -> None:
    step, lease = await stage.claim(await stage.plan(1))

    told = {"part_id": step, "lease": lease, "reason": "no source"}
    no = await stage.refused("fail_work", **told, failure="transient")
    done = await stage.call("fail_work", **told)

    assert no.code == "INVALID_INPUT"
    assert cast("Told", done.data["part"])["status"] == "failed"
