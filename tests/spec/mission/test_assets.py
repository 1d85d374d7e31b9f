"""Tool steps and assets: every edge of the two is walked by the command that should."""

from dataclasses import replace

import pytest

from interlock.commands.mission.make import new_mission
from interlock.commands.mission.shown import Thing
from interlock.service.create import create
from tests.missions import new_chain
from tests.spec.door import ADA, PAT, Document, Door, promise
from tests.spec.mission.places import WHY, Brought, bring, system
from tests.spec.mission.reading import part, status, walk
from tests.spec.mission.working import claim, finish, resolve, run

pytestmark = pytest.mark.every_store


async def lasting(door: Door) -> Brought:
    """Bring a mission whose assets have a time to live to where its first hop is resolved."""
    told: Document = {
        "name": "n",
        "goal": "g",
        "description": "",
        "success_criteria": (),
        "policy": "human",
    }
    numbers, total = Thing("numbers", "", None, "[1]"), Thing("sum", "", None)
    new = new_mission(told, [numbers], [total], [], tags=("lasting",))
    parts = tuple(replace(one, fields={**one.fields, "ttl": 60}) for one in new.parts)
    made = await create(
        door.stage.engine, ADA, replace(new, parts=parts), lambda r: {"id": r.unit.id}
    )
    it = Brought("", str(made.reply["id"]), "lasting", {})
    gate = (await status(door, it))["gates"][-1]
    await door.ask(
        "accept_mission", PAT, mission_id=it.mission, content_digest=gate["content_digest"]
    )
    hop = {"name": "Add", "goal": "g", "inputs": ["numbers"], "output": "sum"}
    shown = await door.ask("propose_hop", ADA, mission_id=it.mission, **hop)
    it.hops["it"] = (await status(door, it))["hops"][-1]["hop_id"]
    digest = shown["data"]["gate"]["content_digest"]
    await door.ask("accept_hop", PAT, hop_id=it.hops["it"], content_digest=digest)
    _, it.lease = await claim(door, it, "hop")
    await resolve(door, it)
    await run(door, it)
    return it


async def end(door: Door, it: Brought) -> None:
    """End a mission, so that nothing of it is left in the queue."""
    await door.ask("cancel", PAT, id=it.mission, **WHY)


# -- steps -------------------------------------------------------------------------------------


@promise("step.started", "asset.in-progress", "step.completed", "asset.ready")
async def test_what_a_step_makes_is_in_progress_while_it_runs_and_ready_then(door: Door) -> None:
    it = await bring(door.stage, "idle")
    before = await door.sequence(it.mission)
    it.step, it.lease = await claim(door, it, "tool_step")
    started = await door.sequence(it.mission)
    await finish(door, it, outputs={"rows": [2]})

    assert (
        await walk(door, it, started) == "tool_step EXECUTING>COMPLETED, <asset IN_PROGRESS>READY"
    )
    assert (await walk(door, it, before)).startswith(
        "tool_step READY_TO_EXECUTE>EXECUTING, <asset PENDING>IN_PROGRESS, tool_step"
    )


@promise("step.given-up")
async def test_a_step_that_cannot_be_configured_fails_with_its_hop(door: Door) -> None:
    it = await bring(door.stage, "executing held")
    await door.ask("fix_hop", PAT, hop_id=it.hops["it"], **WHY)
    _, lease = await claim(door, it, "hop")
    before = await door.sequence(it.mission)
    told = {"hop_id": it.hops["it"], "lease": lease, "failure": "configuration", "message": "no"}
    await door.ask("fail_resolution", ADA, **told)

    assert await walk(door, it, before) == (
        "hop READY_TO_RESOLVE>FAILED, tool_step READY_TO_CONFIGURE>FAILED"
    )


@promise("step.blocked", "asset.expired")
async def test_a_step_whose_input_is_missing_at_its_start_fails_and_holds(door: Door) -> None:
    it = await lasting(door)
    await system(door.stage, "expire_asset", it.mission, f"{it.mission}.1")
    before = await door.sequence(it.mission)
    told = {"workflow": "mission", "kind": "tool_step", "tags": [it.tag]}
    answer = await door.ask("get_next_work", ADA, **told)

    assert (answer["status"], answer["data"]["part"]["blocked_by"]) == (
        "blocked",
        [f"{it.mission}.1"],
    )
    assert await walk(door, it, before) == (
        "tool_step READY_TO_EXECUTE>EXECUTING, tool_step EXECUTING>FAILED, "
        "<asset PENDING>IN_PROGRESS, <asset IN_PROGRESS>ERROR, <hop EXECUTING>FAILED"
    )
    data = await status(door, it)
    assert data["held"] is True
    assert [one.get("blocked_by") for one in data["tool_steps"]] == [[f"{it.mission}.1"], None]
    await end(door, it)


@promise("step.missing-output")
async def test_a_tool_that_returns_no_value_for_a_mapped_output_fails_the_step(door: Door) -> None:
    it = await bring(door.stage, "running")
    await finish(door, it, outputs={"other": 1})
    error = (await part(door, it, it.step))["fields"]["error"]

    assert (error["class"], "rows" in error["message"]) == ("validation", True)
    assert (await status(door, it))["held"] is True


@promise("step.refreshes", "asset.refresh", "asset.expired")
async def test_a_step_that_completes_refreshes_what_has_expired_meanwhile(door: Door) -> None:
    it = await lasting(door)
    it.step, it.lease = await claim(door, it, "tool_step")
    await finish(door, it, outputs={"rows": [2]})
    it.step, it.lease = await claim(door, it, "tool_step")
    before = await door.sequence(it.mission)
    await system(door.stage, "expire_asset", it.mission, f"{it.mission}.2")
    await finish(door, it, outputs={"total": 2, "count": 1})

    assert (await walk(door, it, before)).startswith(
        "asset IN_PROGRESS>EXPIRED, tool_step EXECUTING>COMPLETED, <asset EXPIRED>PENDING, "
        "<asset PENDING>IN_PROGRESS, <asset IN_PROGRESS>READY"
    )
    await end(door, it)


# -- assets ------------------------------------------------------------------------------------


@promise("asset.expired", "asset.refresh")
async def test_content_expires_from_wherever_it_is_wanted_and_is_supplied_anew(door: Door) -> None:
    it = await lasting(door)
    before = await door.sequence(it.mission)
    for number, content in ((1, [1]), (2, 3)):
        await system(door.stage, "expire_asset", it.mission, f"{it.mission}.{number}")
        await door.ask("set_asset", PAT, asset_id=f"{it.mission}.{number}", content=content)

    assert await walk(door, it, before) == (
        "asset READY>EXPIRED, asset EXPIRED>PENDING, asset PENDING>READY, "
        "asset PENDING>EXPIRED, asset EXPIRED>PENDING, asset PENDING>READY"
    )
    await end(door, it)


@promise("asset.accepted")
async def test_an_asset_that_comes_with_a_hop_is_wanted_when_the_hop_is_accepted(
    door: Door,
) -> None:
    it = await bring(door.stage, "ready")
    told = {"name": "Add", "goal": "g", "output": "new", "assets": [{"name": "new"}]}
    shown = await door.ask("propose_hop", ADA, mission_id=it.mission, **told)
    hop = (await status(door, it))["hops"][-1]["hop_id"]
    before = await door.sequence(it.mission)
    digest = shown["data"]["gate"]["content_digest"]
    await door.ask("accept_hop", PAT, hop_id=hop, content_digest=digest)

    assert (await walk(door, it, before)).endswith("asset new, asset PROPOSED>PENDING")


@promise("asset.reprocessed", "asset.error", "asset.mended")
@pytest.mark.parametrize("is_supplied", [False, True])
async def test_what_is_ready_is_made_again_and_an_error_is_left(
    door: Door, *, is_supplied: bool
) -> None:
    it = await bring(door.stage, "running")
    await finish(door, it, outputs={"rows": [2]})
    before = await door.sequence(it.mission)
    it.step, it.lease = await claim(door, it, "tool_step")
    await finish(door, it, failure="validation")
    assert "<asset READY>IN_PROGRESS" in await walk(door, it, before)
    assert "<asset IN_PROGRESS>ERROR" in await walk(door, it, before)
    before = await door.sequence(it.mission)
    if is_supplied:
        await door.ask("set_asset", PAT, asset_id=f"{it.mission}.2", content=5)
        assert await walk(door, it, before) == "asset ERROR>PENDING, asset PENDING>READY"
        return
    await door.ask("fix_hop", PAT, hop_id=it.hops["it"], **WHY)
    _, it.lease = await claim(door, it, "hop")
    await resolve(
        door, it, [new_chain(it.mission)[1] | {"parameter_mapping": {"rows": {"literal": [1]}}}]
    )
    await run(door, it)
    await claim(door, it, "tool_step")
    assert (await walk(door, it, before)).endswith("<asset ERROR>IN_PROGRESS")


@promise("asset.supplied", "asset.in-progress")
async def test_nobody_supplies_what_a_step_is_making(door: Door) -> None:
    it = await bring(door.stage, "running")
    scratch = next(
        one for one in (await status(door, it))["assets"] if one["status"] == "IN_PROGRESS"
    )
    no = await door.refuse("set_asset", PAT, asset_id=scratch["asset_id"], content=[1])

    assert no["code"] == "INVALID_TRANSITION"


@promise("asset.roles", "asset.scope")
async def test_roles_belong_to_the_relation_and_scratch_to_its_hop(door: Door) -> None:
    it = await bring(door.stage, "between")
    told = {"name": "Use", "goal": "g", "inputs": ["sum"], "output": f"{it.mission}.3"}
    await door.ask("propose_hop", ADA, mission_id=it.mission, **told)
    data = await status(door, it)
    assets = {one["name"]: one for one in data["assets"]}

    assert assets["sum"]["role"] == "output"
    assert [hop["inputs"] for hop in data["hops"]][-1] == [assets["sum"]["asset_id"]]
    assert assets["rows"]["hop_id"] == it.hops["done"]
    assert "hop_id" not in assets["sum"]
