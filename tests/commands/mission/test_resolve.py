"""A hop becomes a validated chain, is shown, and runs as it was shown; or goes back."""

from dataclasses import replace

from interlock.commands.mission.wrong import ChainInvalid
from interlock.service.engine import no_tools
from interlock.service.verify import verify
from tests.missions import (
    asset,
    begin,
    build,
    design,
    digest_of,
    equip,
    execute,
    gate_of,
    launch,
    new_chain,
    shown,
    standing,
    status_of,
    take,
)
from tests.stage import ADA, BOB, HOME, PAT, Stage, staged


@staged
async def test_a_chain_is_laid_with_its_scratch_and_waits_to_be_executed(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage)
    hop = await build(stage, mission)
    await design(stage, mission)

    assert await standing(stage, mission) == "HOP_READY_TO_EXECUTE: READY_TO_EXECUTE"
    parts = {row.id: row for row in (await stage.whole(mission)).parts}
    first, scratch, second = (parts[f"{mission}.{number}"].part for number in (5, 6, 7))
    assert first.fields["result_mapping"] == {"rows": {"asset": f"{mission}.6"}}
    assert second.fields["parameter_mapping"] == {"rows": {"asset": f"{mission}.6"}}
    assert (second.fields["makes"], second.needs) == ((f"{mission}.2",), (f"{mission}.6",))
    assert (scratch.kind, scratch.parent, scratch.fields["name"]) == ("asset", hop, "rows")
    told = shown(await stage.call("get_gate", PAT, gate_id=await gate_of(stage, mission)))
    assert [step["tool"] for step in told["steps"]] == ["double", "total"]
    assert {"asset_id": f"{mission}.6", "name": "rows"} in told["assets"]
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_all_that_is_wrong_is_told_at_once_and_nothing_is_laid(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage)
    await build(stage, mission)
    hop, lease = await take(stage, mission, "hop")
    before = await stage.mark(mission)
    nothing = {"tool": "total", "parameter_mapping": {"rows": 1}, "result_mapping": {"total": 1}}
    no = await stage.refused("submit_resolution", hop_id=hop, lease=lease, steps=[nothing])
    assert ("comes from" in no.message, "goes nowhere" in no.message) == (True, True)
    chain = [{"tool": "dubble"}, {"tool": "total", "parameter_mapping": {"rows": {"literal": "x"}}}]
    no = await stage.refused("submit_resolution", hop_id=hop, lease=lease, steps=chain)

    assert isinstance(no, ChainInvalid)
    places = [(one.step, one.field) for one in no.wrong]
    assert places == [
        (1, "tool"), (1, "result_mapping"), (2, "parameter_mapping.rows"), (2, "result_mapping"),
        (0, "output"),
    ]  # fmt: skip
    assert all(one.fix and one.message for one in no.wrong)
    assert "Did you mean double?" in no.message
    assert await stage.mark(mission) == before
    none = await stage.refused("submit_resolution", hop_id=hop, lease=lease)
    assert (none.code, "no tool step" in none.message) == ("VALIDATION_FAILED", True)


@staged
async def test_only_the_holder_of_the_hop_hands_a_chain_in(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage)
    hop = await build(stage, mission)
    said = {"hop_id": hop, "steps": new_chain(mission), "lease": "x.1"}
    assert (await stage.refused("submit_resolution", **said)).code == "STALE_LEASE"
    await take(stage, mission, "hop")
    assert (await stage.refused("submit_resolution", BOB, **said)).code == "STALE_LEASE"
    no = await stage.refused("submit_work", part_id=hop, answer={"steps": []})
    assert (no.code, "submit_resolution" in no.fix) == ("INVALID_INPUT", True)
    assert (await stage.refused("fail_work", BOB, part_id=hop, reason="x")).code == "STALE_LEASE"

    assert await standing(stage, mission) == "BUILDING_HOP: READY_TO_RESOLVE"


@staged
async def test_a_design_is_approved_executed_or_sent_back_as_it_was_shown(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage)
    hop = await build(stage, mission)
    await design(stage, mission)
    old = await digest_of(stage, mission)
    said = {"hop_id": hop, "content_digest": old}
    assert (await stage.refused("execute_hop", ADA, **said)).code == "HUMAN_REQUIRED"
    no = await stage.refused("request_changes", PAT, hop_id=hop, reason="slow")
    assert no.code == "STALE_APPROVAL"
    gate = await gate_of(stage, mission)
    told = {"gate_id": gate, "content_digest": old, "feedback": "say more"}
    await stage.call("decide_gate", PAT, **told, decision="request_changes")
    assert await standing(stage, mission) == "BUILDING_HOP: READY_TO_RESOLVE"
    await design(stage, mission, [{"description": "slowly", **one} for one in new_chain(mission)])
    assert (await stage.refused("execute_hop", PAT, **said)).code == "STALE_APPROVAL"

    said["content_digest"] = await digest_of(stage, mission)
    await stage.call("approve_design", PAT, **said)
    assert await standing(stage, mission) == "HOP_READY_TO_EXECUTE: READY_TO_EXECUTE"
    told = {"gate_id": await gate_of(stage, mission), "decision": "execute_hop"}
    await stage.call("decide_gate", PAT, **told, content_digest=said["content_digest"])
    assert await standing(stage, mission) == "EXECUTING_HOP: EXECUTING"
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_design_that_is_valid_no_longer_goes_back_and_the_answer_says_why(
    stage: Stage,
) -> None:
    equip(stage)
    mission = await begin(stage)
    await build(stage, mission)
    await design(stage, mission)
    stage.engine = replace(stage.engine, tools=no_tools)
    answer = await execute(stage, mission)

    assert answer.status == "validation_failed"
    wrong: list[dict[str, object]] = answer.data["errors"]  # type: ignore[assignment]
    assert [(one["step"], one["field"]) for one in wrong] == [(1, "tool"), (2, "tool")]
    assert await standing(stage, mission) == "BUILDING_HOP: READY_TO_RESOLVE"
    equip(stage)
    steps = [{"step_id": f"{mission}.5"}, {"step_id": f"{mission}.7"}]
    await design(stage, mission, steps)
    assert (await execute(stage, mission)).status == "EXECUTING_HOP"
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_an_input_that_is_not_ready_stands_in_the_way(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage, inputs=[{"name": "numbers"}])
    await build(stage, mission)
    hop, lease = await take(stage, mission, "hop")
    said = {"hop_id": hop, "lease": lease, "steps": new_chain(mission)}
    no = await stage.refused("submit_resolution", **said)
    assert "PENDING" in no.message
    await stage.call("set_asset", asset_id=f"{mission}.1", content=["a"])
    no = await stage.refused("submit_resolution", **said)
    assert 'not of type "number"' in no.message
    await stage.call("set_asset", asset_id=f"{mission}.1", content=[7])
    await stage.call("submit_resolution", **said)

    assert asset(await status_of(stage, mission), "numbers")["status"] == "READY"


@staged
async def test_what_cannot_be_resolved_holds_or_fails_the_mission(stage: Stage) -> None:
    equip(stage)
    for failure, stands in (
        ("user_correctable", "BUILDING_HOP: FAILED"),
        ("system", "FAILED: FAILED"),
    ):
        mission = await begin(stage)
        await build(stage, mission)
        hop, lease = await take(stage, mission, "hop")
        said = {"hop_id": hop, "lease": lease, "failure": failure, "message": "no way"}
        await stage.call("fail_resolution", **said)
        assert await standing(stage, mission) == stands
        error = (await status_of(stage, mission))["hops"][0]["error"]
        assert (error["class"], error["message"]) == (failure, "no way")


@staged
async def test_only_an_executing_hop_hands_its_steps_out(stage: Stage) -> None:
    equip(stage)
    mission, hop = await launch(stage)

    assert (await stage.refused("execute_hop", PAT, hop_id=hop)).code == "INVALID_TRANSITION"
    assert (await stage.work(workflow="mission", kind="tool_step")) == f"{mission}.5"


@staged
async def test_a_design_that_goes_back_to_its_concept_is_shown_as_the_proposal_it_was(
    stage: Stage,
) -> None:
    equip(stage)
    mission = await begin(stage)
    hop = await build(stage, mission, output="best", assets=[{"name": "best"}])
    chain = new_chain(mission)
    chain[1]["result_mapping"]["total"] = {"asset": f"{mission}.5"}
    for again in ("accepted", "revised"):
        await design(stage, mission, chain)
        said = {"hop_id": hop, "reason": "otherwise"}
        digest = await digest_of(stage, mission)
        await stage.call("request_changes", PAT, **said, content_digest=digest)
        await stage.call("request_changes", PAT, **said)
        told = shown(await stage.call("get_gate", PAT, gate_id=await gate_of(stage, mission)))
        assert [one["name"] for one in told["assets"]] == ["best"]
        assert ("steps" in told, told["output"]["asset_id"]) == (False, f"{mission}.5")
        if again == "revised":
            _, lease = await take(stage, mission, "hop")
            await stage.call("revise_hop", hop_id=hop, lease=lease, goal="another")
        digest = await digest_of(stage, mission)
        await stage.call("accept_hop", PAT, hop_id=hop, content_digest=digest)
        names = [one["name"] for one in (await status_of(stage, mission))["assets"]]
        assert names == ["numbers", "sum", "between", "best"]
    assert (await verify(stage.engine, HOME)).findings == []
