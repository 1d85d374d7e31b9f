"""The events of a hop that are more than one move: revised, sent back, repaired, put out of sight."""

import pytest

from tests.missions import new_chain
from tests.spec.door import ADA, BOB, PAT, Document, Door, promise
from tests.spec.mission.places import WHY, bring
from tests.spec.mission.reading import part, status, walk
from tests.spec.mission.working import claim, finish, resolve, run, run_all

pytestmark = pytest.mark.every_store


@promise("hop.propose_hop", "command.hop-fields")
@pytest.mark.parametrize(("command", "by"), [("propose_hop", ADA), ("create_hop", PAT)])
async def test_a_proposed_hop_says_all_that_it_was_told(
    door: Door, command: str, by: object
) -> None:
    it = await bring(door.stage, "between")
    told = {
        "name": "Add", "description": "d", "goal": "g", "success_criteria": ["c"],
        "rationale": "r", "is_final": True,
    }  # fmt: skip
    who = PAT if by is PAT else ADA
    assets = {"inputs": ["numbers"], "output": "sum"}
    await door.ask(command, who, mission_id=it.mission, **assets, **told)
    data = (await door.ask("mission_context", PAT, mission_id=it.mission))["data"]
    hop = data["hops"][-1]

    assert {name: hop[name] for name in told} == told
    assert (hop["sequence"], hop["inputs"], hop["output"]) == (
        3,
        [f"{it.mission}.1"],
        f"{it.mission}.2",
    )
    assert (data["status"], hop["status"]) == ("READY_FOR_NEXT_HOP", "PROPOSED")


@promise("hop.revise_hop")
async def test_a_revised_proposal_must_be_looked_at_again(door: Door) -> None:
    it = await bring(door.stage, "pending")
    hop = it.hops["it"]
    before = await door.sequence(it.mission)
    for by in (ADA, PAT):
        await door.ask("revise_hop", by, hop_id=hop, goal=f"as {by.id} has it")
        assert (await part(door, it, hop))["fields"]["goal"] == f"as {by.id} has it"
    assert await walk(door, it, before) == ""
    no = await door.refuse("accept_hop", PAT, hop_id=hop, content_digest=it.digest)
    assert no["code"] == "STALE_APPROVAL"


@promise("command.is_final")
@pytest.mark.parametrize("command", ["revise_hop", "accept_hop", "execute_hop"])
async def test_a_person_changes_whether_a_hop_is_the_final_one(door: Door, command: str) -> None:
    it = await bring(door.stage, "designed" if command == "execute_hop" else "pending")
    told = {} if command == "revise_hop" else {"content_digest": it.digest}
    await door.ask(command, PAT, hop_id=it.hops["it"], is_final=True, **told)

    assert (await part(door, it, it.hops["it"]))["fields"]["is_final"] is True


@promise("command.is_final")
async def test_an_agent_does_not(door: Door) -> None:
    it = await bring(door.stage, "pending")
    await door.ask("revise_hop", ADA, hop_id=it.hops["it"], is_final=True)

    assert (await part(door, it, it.hops["it"]))["fields"]["is_final"] is False


@promise("hop.reject_hop", "hop.delete_hop")
@pytest.mark.parametrize(
    ("command", "by"), [("reject_hop", PAT), ("withdraw_hop", ADA), ("delete_hop", PAT)]
)
async def test_a_deleted_hop_is_gone_and_its_number_is_not_given_again(
    door: Door, command: str, by: object
) -> None:
    it = await bring(door.stage, "pending")
    told = {"reject_hop": {"content_digest": it.digest, **WHY}, "delete_hop": WHY}.get(command, {})
    await door.ask(command, PAT if by is PAT else ADA, hop_id=it.hops["it"], **told)
    assert await part(door, it, it.hops["it"]) == {}
    more = {"name": "Again", "goal": "g", "output": "sum"}
    await door.ask("propose_hop", ADA, mission_id=it.mission, **more)

    assert [hop["sequence"] for hop in (await status(door, it))["hops"]] == [1, 2, 4]


@promise("hop.request_changes", "chain.changes")
async def test_changes_of_a_concept_drop_the_drafted_steps_and_end_the_lease(door: Door) -> None:
    it = await bring(door.stage, "designed")
    hop = it.hops["it"]
    await door.ask("request_changes", PAT, hop_id=hop, content_digest=it.digest, **WHY)
    assert [step["status"] for step in (await status(door, it))["tool_steps"]] == ["PROPOSED"] * 2
    _, it.lease = await claim(door, it, "hop")
    before = await door.sequence(it.mission)
    await door.ask("request_changes", PAT, hop_id=hop, **WHY)

    assert await walk(door, it, before) == (
        "hop READY_TO_RESOLVE>PROPOSED, tool_step drop, tool_step drop, asset drop"
    )
    assert (await status(door, it))["tool_steps"] == []
    told = {"hop_id": hop, "lease": it.lease, "goal": "other"}
    assert (await door.refuse("revise_hop", ADA, **told))["code"] == "STALE_LEASE"
    _, it.lease = await claim(door, it, "hop")
    await door.ask("revise_hop", ADA, **told | {"lease": it.lease})


@promise("hop.complete_resolution", "chain.one-step")
async def test_a_resolution_needs_a_step_and_the_lease(door: Door) -> None:
    it = await bring(door.stage, "resolving")
    told: Document = {"hop_id": it.hops["it"], "steps": []}
    no = await door.refuse("submit_resolution", ADA, **told, lease=it.lease)
    assert (no["code"], "steps" in no["message"]) == ("VALIDATION_FAILED", True)
    told["steps"] = new_chain(it.mission)
    for lease in ({}, {"lease": "nobody.1"}):
        no = await door.refuse("submit_resolution", BOB, **told, **lease)
        assert no["code"] == "STALE_LEASE"


@promise("hop.execute_hop", "mission.validation_failed", "hop.validation_failed")
async def test_what_is_executed_is_validated_again(door: Door) -> None:
    it = await bring(door.stage, "resolving")
    await resolve(door, it)
    await door.ask("set_asset", PAT, asset_id=f"{it.mission}.1", content=[1])
    before = await door.sequence(it.mission)
    tools = dict(await door.stage.engine.tools())
    total = tools.pop("total")
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(await door.stage.engine.tools(), "total")
        told = {"hop_id": it.hops["it"], "content_digest": it.digest}
        answer = await door.ask("execute_hop", PAT, **told)

    assert total.name == "total"
    assert answer["status"] == "validation_failed"
    assert [error["step"] for error in answer["data"]["errors"]] == [2]
    assert (await walk(door, it, before)).startswith(
        "hop READY_TO_EXECUTE>READY_TO_RESOLVE, mission HOP_READY_TO_EXECUTE>BUILDING_HOP"
    )
    assert "EXECUTING" not in await walk(door, it, before)


@promise("hop.completed")
async def test_a_person_completes_a_hop_only_with_its_output(door: Door) -> None:
    it = await bring(door.stage, "resolving")
    await resolve(door, it)
    await run(door, it)
    it.step, it.lease = await claim(door, it, "tool_step")
    told = {"hop_id": it.hops["it"], **WHY}
    assert (await door.refuse("mark_hop_complete", PAT, **told))["code"] == "STEP_RUNNING"
    await finish(door, it, outputs={"rows": [1]})
    it.step, it.lease = await claim(door, it, "tool_step")
    await door.ask("release_work", ADA, part_id=it.step, lease=it.lease)
    assert (await door.refuse("mark_hop_complete", PAT, **told))["code"] == "STEP_RUNNING"


@promise("hop.fix_hop", "chain.whole", "chain.left-out", "step.fixed")
@pytest.mark.parametrize("is_kept", [False, True])
async def test_a_repaired_hop_keeps_what_it_completed(door: Door, *, is_kept: bool) -> None:
    it = await bring(door.stage, "running")
    first = it.step
    await finish(door, it, outputs={"rows": [2]})
    it.step, it.lease = await claim(door, it, "tool_step")
    failed = it.step
    await finish(door, it, failure="validation")
    await door.ask("fix_hop", PAT, hop_id=it.hops["it"], **WHY)
    steps = {one["part_id"]: one["status"] for one in (await status(door, it))["tool_steps"]}
    assert steps == {first: "COMPLETED", failed: "READY_TO_CONFIGURE"}
    _, it.lease = await claim(door, it, "hop")
    last = new_chain(it.mission)[1]
    chain = [{"step_id": first}, {"step_id": failed} if is_kept else last]
    await resolve(door, it, chain)
    await run(door, it)
    (ran,) = await run_all(door, it)

    assert (ran == failed) is is_kept
    gone = await part(door, it, failed)
    assert bool(gone) is is_kept
    assert (await part(door, it, first))["status"] == "COMPLETED"


@promise("chain.whole")
async def test_completed_steps_stand_first_and_unchanged(door: Door) -> None:
    it = await bring(door.stage, "running")
    first = it.step
    await finish(door, it, outputs={"rows": [2]})
    it.step, it.lease = await claim(door, it, "tool_step")
    await finish(door, it, failure="validation")
    await door.ask("fix_hop", PAT, hop_id=it.hops["it"], **WHY)
    _, it.lease = await claim(door, it, "hop")
    chain = [new_chain(it.mission)[1], {"step_id": first}]
    told = {"hop_id": it.hops["it"], "lease": it.lease, "steps": chain}

    assert (await door.refuse("submit_resolution", ADA, **told))["code"] == "VALIDATION_FAILED"


@promise("hop.archive_hop")
async def test_an_archived_hop_has_a_flag_and_no_other_status(door: Door) -> None:
    it = await bring(door.stage, "between")
    await door.ask("archive_hop", PAT, hop_id=it.hops["done"])
    hop = (await status(door, it))["hops"][0]

    assert (hop["status"], hop["is_archived"]) == ("COMPLETED", True)
