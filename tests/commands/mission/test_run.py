"""Tool steps run in order, on values; what they return becomes what assets hold, once."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from interlock.commands.mission import make
from interlock.commands.mission.shown import Thing
from interlock.service.create import create
from interlock.service.engine import Limits, Principal, clockwork
from interlock.service.order import Asked, Order
from interlock.service.run import advance
from interlock.service.verify import verify
from interlock.toolbox.tool import Described
from tests.missions import (
    TOOLS,
    asset,
    begin,
    build,
    design,
    digest_of,
    equip,
    execute,
    finish,
    gate_of,
    launch,
    new_chain,
    pend,
    shown,
    standing,
    status_of,
    take,
)
from tests.stage import ADA, BOB, DAY_MS, HOME, PAT, Stage, staged

Told = dict[str, Any]


@staged
async def test_a_mission_of_one_final_hop_from_start_to_end(stage: Stage) -> None:
    equip(stage)
    mission, _ = await launch(stage, hop={"is_final": True})
    answer = await stage.call("get_next_work", workflow="mission", kind="tool_step")
    part = cast("Told", answer.data["part"])
    assert part["call"] == {
        "tool": "double", "arguments": {"rows": [1, 2, 3]}, "resources": [], "deadline_s": 300,
        "attempt": 1, "result_bytes_max": 1024 * 1024 - 4096,
    }  # fmt: skip
    said = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await stage.call("submit_tool_result", **said, outputs={"rows": [2, 4, 6]})
    answer = await stage.call("get_next_work", workflow="mission", kind="tool_step")
    part = cast("Told", answer.data["part"])
    assert part["call"]["arguments"] == {"rows": [2, 4, 6]}
    said = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    done = await stage.call("submit_tool_result", **said, outputs={"total": 12, "count": 3})

    assert (done.status, await standing(stage, mission)) == ("COMPLETED", "COMPLETED: COMPLETED")
    context = (await stage.call("mission_context", mission_id=mission)).data
    assert (asset(context, "sum")["content"], asset(context, "sum")["status"]) == (12, "READY")
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_what_is_mapped_must_come_and_must_fit(stage: Stage) -> None:
    equip(stage)
    schema = {"name": "sum", "schema": {"type": "integer"}}
    for outputs, word in (({}, "no rows"), ({"rows": "x"}, "does not fit")):
        mission, _ = await launch(stage, outputs=[schema])
        await finish(stage, mission, outputs=outputs)
        data = await status_of(stage, mission)
        assert (data["status"], data["held"]) == ("EXECUTING_HOP", True)
        assert word in data["tool_steps"][0]["error"]["message"]
        assert data["tool_steps"][0]["error"]["class"] == "validation"
        assert asset(data, "rows")["status"] == "ERROR"
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_transient_failure_is_tried_again_in_place(stage: Stage) -> None:
    equip(stage)
    mission, _ = await launch(stage, tries_max=2)
    step, lease = await take(stage, mission, "tool_step")
    said = {"part_id": step, "lease": lease, "failure": "transient", "error": {"message": "slow"}}
    await stage.call("submit_tool_result", **said)
    row = (await status_of(stage, mission))["tool_steps"][0]
    assert (row["status"], row["tries"], row["error"]["attempt"]) == ("EXECUTING", 1, 1)
    await stage.call("submit_tool_result", **said)

    data = await status_of(stage, mission)
    assert (data["tool_steps"][0]["status"], data["held"]) == ("FAILED", True)
    assert data["recovery"]["failed"] == step


@staged
async def test_what_nobody_can_repair_fails_both(stage: Stage) -> None:
    equip(stage)
    for said in (
        {"failure": "resource_unavailable"},
        {"failure": "validation", "resource_down": True},
    ):
        mission, _ = await launch(stage)
        await finish(stage, mission, **said)
        assert await standing(stage, mission) == "FAILED: FAILED"


@staged
async def test_what_is_still_down_at_the_last_attempt_is_not_available(stage: Stage) -> None:
    equip(stage)
    mission, _ = await launch(stage, tries_max=3)
    step, lease = await take(stage, mission, "tool_step")
    said = {"part_id": step, "lease": lease, "failure": "transient"}
    await stage.call("submit_tool_result", **said, error={"message": "broke off"})
    for _ in range(2):
        told = {"error": {"message": "cannot be reached"}, "resource_down": True}
        await stage.call("submit_tool_result", **said, **told)

    assert await standing(stage, mission) == "FAILED: FAILED"
    row = (await status_of(stage, mission))["tool_steps"][0]
    assert [(one["attempt"], one["class"], one["message"]) for one in row["attempts"]] == [
        (1, "transient", "broke off"), (2, "transient", "cannot be reached"),
        (3, "resource_unavailable", "cannot be reached"),
    ]  # fmt: skip
    assert row["error"]["recoverable"] is False
    errors = [body["error"] for body in await stage.audit(mission) if "error" in body]
    assert {cast("Told", one)["class"] for one in errors} == {"transient", "resource_unavailable"}


@staged
async def test_a_late_result_is_kept_and_refused(stage: Stage) -> None:
    equip(stage)
    mission, hop = await launch(stage)
    step, lease = await take(stage, mission, "tool_step")
    await stage.call("cancel", PAT, id=hop, reason="enough", cascade=True)
    said = {"part_id": step, "lease": lease, "outputs": {"rows": [1]}}
    no = await stage.refused("submit_tool_result", **said)

    assert (no.code, no.legal) == ("LATE_RESULT", ())  # type: ignore[attr-defined]
    late = [one for one in await stage.engine.store.artifacts(HOME, mission) if one.mark == "late"]
    assert [(one.part, one.name) for one in late] == [(5, "result")]
    assert asset(await status_of(stage, mission), "rows")["status"] == "PENDING"


@staged
async def test_a_lapsed_lease_counts_as_a_try_and_somebody_else_goes_on(stage: Stage) -> None:
    equip(stage)
    mission, _ = await launch(stage)
    step, lease = await take(stage, mission, "tool_step")
    await stage.pass_ms(DAY_MS)
    answer = await stage.call("get_next_work", BOB, workflow="mission", kind="tool_step")
    part = cast("Told", answer.data["part"])

    assert (part["part_id"], part["call"]["attempt"]) == (step, 2)
    said = {"part_id": step, "lease": lease, "outputs": {"rows": [1]}}
    assert (await stage.refused("submit_tool_result", ADA, **said)).code == "STALE_LEASE"


@staged
async def test_a_step_whose_input_is_gone_fails_when_it_is_claimed(stage: Stage) -> None:
    equip(stage)
    told = {"name": "n", "goal": "g", "description": "", "success_criteria": (), "policy": "human"}
    numbers, total = Thing("numbers", "", None, "[1]"), Thing("sum", "", None)
    new = make.new_mission(told, [numbers], [total], [])
    lasting, other = new.parts
    parts = (replace(lasting, fields={**lasting.fields, "ttl": 60}), other)
    made = await create(stage.engine, ADA, replace(new, parts=parts), lambda r: {"id": r.unit.id})
    mission = str(made.reply["id"])
    digest = await digest_of(stage, mission)
    await stage.call("accept_mission", PAT, mission_id=mission, content_digest=digest)
    await build(stage, mission)
    await design(stage, mission)
    await execute(stage, mission)
    clock = clockwork(HOME).actor()
    expired = Asked("expire_asset", f"{mission}.1")
    await advance(stage.engine, Order(HOME, clock, mission, (expired,), lambda _: {}))
    answer = await stage.call("get_next_work", workflow="mission", kind="tool_step")

    part = cast("Told", answer.data["part"])
    assert (answer.status, "call" in part, part["blocked_by"]) == (
        "blocked",
        False,
        [f"{mission}.1"],
    )
    data = await status_of(stage, mission)
    assert (data["held"], data["tool_steps"][0]["blocked_by"]) == (True, [f"{mission}.1"])
    assert data["tool_steps"][0]["error"]["class"] == "validation"
    await stage.call("set_asset", asset_id=f"{mission}.1", content=[1])
    assert "blocked_by" not in (await status_of(stage, mission))["tool_steps"][0]


@staged
async def test_a_person_says_that_a_hop_and_a_mission_are_done(stage: Stage) -> None:
    equip(stage)
    mission, hop = await launch(stage)
    said = {"hop_id": hop, "reason": "known already"}
    assert (await stage.refused("mark_hop_complete", PAT, **said)).code == "OUTPUTS_MISSING"
    early = {"mission_id": mission, "reason": "enough"}
    assert (await stage.refused("complete_early", PAT, **early)).code == "INVALID_TRANSITION"
    await stage.call("set_asset", PAT, asset_id=f"{mission}.2", content=6)
    assert (await stage.refused("mark_hop_complete", ADA, **said)).code == "NOT_ALLOWED"
    await stage.call("mark_hop_complete", PAT, **said)
    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP: COMPLETED"
    await pend(stage, mission)
    await stage.call("complete_early", PAT, **early)

    assert await standing(stage, mission) == "COMPLETED: COMPLETED CANCELLED"
    await stage.call("archive_hop", PAT, hop_id=hop)
    assert (await status_of(stage, mission))["hops"][0]["is_archived"] is True
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_path_that_leads_nowhere_is_told_with_the_call(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage, inputs=[{"name": "numbers", "content": {"rows": [1]}}])
    await build(stage, mission)
    source = {"asset": f"{mission}.1", "path": "rows"}
    chain = {"tool": "total", "parameter_mapping": {"rows": source}}
    goes = {"total": {"asset": f"{mission}.2"}}
    await design(stage, mission, [{**chain, "result_mapping": goes}])
    await execute(stage, mission)
    await stage.call("set_asset", PAT, asset_id=f"{mission}.1", content={"row": [1]})
    answer = await stage.call("get_next_work", workflow="mission", kind="tool_step")

    call = cast("Told", answer.data["part"])["call"]
    assert (call["error"]["failure"], call["arguments"]) == ("validation", {})


@staged
async def test_a_tool_step_runs_as_long_as_it_says_or_its_tool_does_and_never_longer(
    stage: Stage,
) -> None:
    equip(stage)
    slow = {**TOOLS, "double": TOOLS["double"]._replace(deadline_s=40)}
    stage.engine = replace(stage.engine, tools=lambda: _told(slow))
    mission = await begin(stage)
    await build(stage, mission)
    chain = new_chain(mission)
    chain[1]["deadline_s"] = 4000
    hop, lease = await take(stage, mission, "hop")
    told = {"hop_id": hop, "lease": lease}
    no = await stage.refused("submit_resolution", steps=chain, **told)
    assert "for 3600 s at most" in no.message
    chain[1]["deadline_s"] = 50
    await stage.call("submit_resolution", steps=chain, **told)
    gate = shown(await stage.call("get_gate", PAT, gate_id=await gate_of(stage, mission)))
    assert [step["deadline_s"] for step in gate["steps"]] == [40, 50]
    await execute(stage, mission)

    call = (await _claimed(stage))["call"]
    assert (call["deadline_s"], call["result_bytes_max"]) == (40, 1024 * 1024 - 4096)
    step = (await status_of(stage, mission))["tool_steps"][0]["part_id"]
    await stage.call("release_work", part_id=step)
    stage.engine = replace(stage.engine, limits=Limits(tool_s_max=7))
    assert (await _claimed(stage))["call"]["deadline_s"] == 7


@staged
async def test_a_claim_says_how_long_it_lasts_which_is_short_for_a_tool_step(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage)
    await build(stage, mission)
    answer = await stage.call("get_next_work", workflow="mission", kind="hop")
    hop = cast("Told", answer.data["part"])
    assert hop["lease"]["lasts_ms"] == 30 * 60 * 1000
    await stage.call("release_work", part_id=hop["part_id"], lease=hop["lease"]["token"])
    await design(stage, mission)
    await execute(stage, mission)

    step = await _claimed(stage)
    assert step["lease"]["lasts_ms"] == 2 * 60 * 1000
    assert step["call"]["deadline_s"] == 300
    await stage.pass_ms(2 * 60 * 1000 + 1)
    assert (await _claimed(stage, BOB))["part_id"] == step["part_id"]


async def _claimed(stage: Stage, by: Principal = ADA) -> Told:
    answer = await stage.call("get_next_work", by, workflow="mission", kind="tool_step")
    return cast("Told", answer.data["part"])


async def _told(tools: Mapping[str, Described]) -> Mapping[str, Described]:
    return tools
