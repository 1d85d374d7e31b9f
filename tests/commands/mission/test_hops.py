"""Hops are proposed one at a time, written anew where that is asked, and accepted as shown."""

from interlock.service.verify import verify
from tests.missions import (
    NUMBERS,
    asset,
    begin,
    build,
    digest_of,
    gate_of,
    new_hop,
    pend,
    shown,
    standing,
    status_of,
)
from tests.stage import ADA, BOB, HOME, PAT, Stage, staged


@staged
async def test_the_first_proposal_wins_and_waits_for_a_person(stage: Stage) -> None:
    mission = await begin(stage)
    hop = await pend(stage, mission)

    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP: PROPOSED"
    no = await stage.refused("propose_hop", BOB, **new_hop(mission))
    assert (no.code, bool(no.fix)) == ("HOP_OPEN", True)
    told = await stage.call("get_gate", PAT, gate_id=await gate_of(stage, mission))
    assert (shown(told)["title"], shown(told)["output"]["name"]) == ("Add", "sum")
    decisions = [one["decision"] for one in told.data["decisions"]]  # type: ignore[attr-defined]
    assert decisions == ["accept_hop", "reject_hop"]
    row = (await status_of(stage, mission))["hops"][0]
    assert (row["hop_id"], row["sequence"], row["inputs"]) == (hop, 1, (f"{mission}.1",))


@staged
async def test_of_what_is_ready_only_what_matters_is_kept(stage: Stage) -> None:
    inputs = [{"name": name, "schema": NUMBERS, "content": [1]} for name in ("numbers", "more")]
    mission = await begin(stage, inputs=inputs)
    before = (await stage.whole(mission)).row.unit.fields["ready"]
    await build(stage, mission)

    assert before == (f"{mission}.1", f"{mission}.2")
    assert (await stage.whole(mission)).row.unit.fields["ready"] == (f"{mission}.1",)
    supplied = await stage.call("set_asset", PAT, asset_id=f"{mission}.3", content=6)
    assert supplied.data["asset"]["status"] == "READY"  # type: ignore[index]
    assert (await stage.whole(mission)).row.unit.fields["ready"] == (f"{mission}.1", f"{mission}.3")


@staged
async def test_a_hop_is_accepted_as_it_was_shown(stage: Stage) -> None:
    mission = await begin(stage)
    hop = await pend(stage, mission)
    digest = await digest_of(stage, mission)
    await stage.call("revise_hop", hop_id=hop, goal="Add them twice.", is_final=True)

    said = {"hop_id": hop, "content_digest": digest}
    assert (await stage.refused("accept_hop", PAT, **said)).code == "STALE_APPROVAL"
    said["content_digest"] = await digest_of(stage, mission)
    assert (await stage.refused("accept_hop", ADA, **said)).code == "HUMAN_REQUIRED"
    answer = await stage.call("accept_hop", PAT, **said)
    assert answer.data["hop"]["status"] == "READY_TO_RESOLVE"  # type: ignore[index]
    data = await status_of(stage, mission)
    assert (data["status"], data["current_hop"]) == ("BUILDING_HOP", hop)
    # An agent's word does not make it the final hop.
    assert (data["hops"][0]["goal"], "is_final" in data["hops"][0]) == ("Add them twice.", False)
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_person_writes_a_hop_and_says_that_it_is_the_last(stage: Stage) -> None:
    mission = await begin(stage)
    no = await stage.refused("create_hop", ADA, **new_hop(mission))
    assert no.code == "NOT_ALLOWED"
    await stage.call("create_hop", PAT, **new_hop(mission, is_final=True))
    gate = await gate_of(stage, mission)
    said = {"gate_id": gate, "content_digest": await digest_of(stage, mission)}
    await stage.call("decide_gate", PAT, **said, decision="accept_hop")

    data = await status_of(stage, mission)
    assert (data["status"], data["hops"][0]["is_final"]) == ("BUILDING_HOP", True)


@staged
async def test_new_assets_come_with_a_hop_under_the_ids_that_were_shown(stage: Stage) -> None:
    mission = await begin(stage)
    more = {"assets": [{"name": "half"}, {"name": "rest"}], "inputs": ["numbers", "half"]}
    hop = await pend(stage, mission, output="rest", **more)
    told = shown(await stage.call("get_gate", PAT, gate_id=await gate_of(stage, mission)))
    digest = await digest_of(stage, mission)
    assert "half" not in str((await status_of(stage, mission))["assets"])
    await stage.call("accept_hop", PAT, hop_id=hop, content_digest=digest)

    data = await status_of(stage, mission)
    assert [one["asset_id"] for one in told["assets"]] == [f"{mission}.5", f"{mission}.6"]
    assert (asset(data, "half")["asset_id"], asset(data, "half")["status"]) == (
        f"{mission}.5",
        "PENDING",
    )
    assert data["hops"][0]["output"] == f"{mission}.6"
    # Sent back and accepted again, they are not made twice.
    await stage.call("request_changes", PAT, hop_id=hop, reason="finer")
    part = await stage.work(workflow="mission", kind="hop")
    await stage.call("revise_hop", PAT, hop_id=part, goal="finer")
    digest = await digest_of(stage, mission)
    await stage.call("accept_hop", PAT, hop_id=hop, content_digest=digest)
    assert len((await status_of(stage, mission))["assets"]) == 5
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_assets_that_nobody_knows_are_refused(stage: Stage) -> None:
    mission = await begin(stage)
    for more in ({"output": "nothing"}, {"inputs": [f"{mission}.9"]}, {"inputs": ["plan-1.1"]}):
        no = await stage.refused("propose_hop", **new_hop(mission, **more))
        assert (no.code, "asset" in no.message) == ("INVALID_INPUT", True)

    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP"


@staged
async def test_a_pending_proposal_is_rejected_withdrawn_or_deleted(stage: Stage) -> None:
    mission = await begin(stage)
    hop = await pend(stage, mission)
    digest = await digest_of(stage, mission)
    said = {"hop_id": hop, "reason": "not now", "content_digest": digest}
    assert (await stage.refused("reject_hop", ADA, **said)).code == "HUMAN_REQUIRED"
    await stage.call("reject_hop", PAT, **said)
    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP"
    hop = await pend(stage, mission)
    await stage.call("withdraw_hop", ADA, hop_id=hop)
    hop = await pend(stage, mission)
    await stage.call("delete_hop", PAT, hop_id=hop, reason="not needed")

    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP"
    # A number is never used again.
    assert (await pend(stage, mission)).rpartition(".")[2] == "7"
    assert (await status_of(stage, mission))["hops"][0]["sequence"] == 4
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_an_accepted_concept_goes_back_and_is_revised_under_a_lease(stage: Stage) -> None:
    mission = await begin(stage)
    hop = await build(stage, mission)
    no = await stage.refused("reject_hop", PAT, hop_id=hop, reason="no")
    assert no.code == "INVALID_TRANSITION"
    await stage.call("request_changes", PAT, hop_id=hop, reason="another way")
    assert await standing(stage, mission) == "BUILDING_HOP: PROPOSED"

    claimed = await stage.call("get_next_work", workflow="mission", kind="hop")
    lease = claimed.data["part"]["lease"]["token"]  # type: ignore[index]
    stale = await stage.refused("revise_hop", BOB, hop_id=hop, goal="mine", lease="x.1")
    assert stale.code == "STALE_LEASE"
    await stage.call("revise_hop", hop_id=hop, goal="another way", lease=lease)
    digest = await digest_of(stage, mission)
    await stage.call("accept_hop", PAT, hop_id=hop, content_digest=digest)
    assert await standing(stage, mission) == "BUILDING_HOP: READY_TO_RESOLVE"
    no = await stage.refused("delete_hop", PAT, hop_id=hop, reason="no")
    assert no.code == "INVALID_TRANSITION"
    assert (await verify(stage.engine, HOME)).findings == []
