"""Missions are proposed whole, accepted as they were shown, and given what they need."""

from typing import Any

from interlock.service.verify import verify
from tests.missions import (
    asset,
    begin,
    digest_of,
    gate_of,
    new_mission,
    propose,
    shown,
    standing,
    status_of,
)
from tests.stage import ADA, BOB, HOME, PAT, Stage, staged


@staged
async def test_a_mission_is_proposed_with_its_assets_and_waits_at_a_gate(stage: Stage) -> None:
    answer = await stage.call("propose_mission", **new_mission())
    mission = str(answer.data["mission_id"])
    gate: Any = answer.data["gate"]

    assert answer.status == "PROPOSED"
    assert [one["name"] for one in answer.data["assets"]] == ["numbers", "sum", "between"]  # type: ignore[attr-defined]
    told = await stage.call("get_gate", PAT, gate_id=gate["gate_id"])
    assert told.data["content_digest"] == gate["content_digest"]
    assert shown(told)["inputs"][0]["content"] == [1, 2, 3]
    assert [one["decision"] for one in told.data["decisions"]] == ["accept_mission"]  # type: ignore[attr-defined]
    fields = (await stage.whole(mission)).row.unit.fields
    assert (fields["inputs"], fields["outputs"]) == ((f"{mission}.1",), (f"{mission}.2",))
    assert (await verify(stage.engine, HOME)).findings == []


WRONG: list[tuple[dict[str, object], str]] = [
    ({"outputs": [{"name": "numbers"}]}, "INVALID_INPUT"),
    ({"inputs": [{"name": "n", "schema": {"type": "string"}, "content": 1}]}, "INVALID_INPUT"),
    ({"outputs": [{"name": "n", "schema": {"type": "nothing"}}]}, "INVALID_SCHEMA"),
]


@staged
async def test_what_cannot_be_worked_with_is_not_proposed(stage: Stage) -> None:
    for told, code in WRONG:
        no = await stage.refused("propose_mission", **new_mission(**told))
        assert (no.code, bool(no.fix)) == (code, True), told

    assert await stage.engine.store.units(HOME, "", None, 10) == ()


@staged
async def test_an_accepted_mission_has_the_inputs_that_came_with_it(stage: Stage) -> None:
    mission = await begin(stage)
    data = await status_of(stage, mission)

    assert (data["status"], "gates" in data) == ("READY_FOR_NEXT_HOP", False)
    assert [one["status"] for one in data["assets"]] == ["READY", "PENDING", "PENDING"]
    assert [one["role"] for one in data["assets"]] == ["input", "output", "intermediate"]
    assert (await stage.whole(mission)).row.unit.fields["ready"] == (f"{mission}.1",)
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_only_a_person_who_says_what_was_shown_accepts(stage: Stage) -> None:
    mission = await propose(stage)
    digest = await digest_of(stage, mission)
    gate = await gate_of(stage, mission)
    said = {"mission_id": mission, "content_digest": digest}

    assert (await stage.refused("accept_mission", ADA, **said)).code == "HUMAN_REQUIRED"
    no = await stage.refused("accept_mission", PAT, mission_id=mission)
    assert no.code == "STALE_APPROVAL"
    await stage.call("edit_mission", mission_id=mission, goal="Know it exactly.")
    assert (await stage.refused("accept_mission", PAT, **said)).code == "STALE_APPROVAL"
    no = await stage.refused("decide_gate", PAT, gate_id=gate, decision="accept_mission")
    assert no.code == "GATE_DECIDED"
    assert await standing(stage, mission) == "PROPOSED"

    told = {"gate_id": await gate_of(stage, mission), "decision": "accept_mission"}
    digest = await digest_of(stage, mission)
    await stage.call("decide_gate", PAT, **told, content_digest=digest)
    data = await status_of(stage, mission)
    assert (data["status"], data["goal"]) == ("READY_FOR_NEXT_HOP", "Know it exactly.")
    assert asset(data, "numbers")["status"] == "READY"
    assert (await stage.refused("edit_mission", mission_id=mission, goal="x")).legal != ()  # type: ignore[attr-defined]


@staged
async def test_where_agents_relay_one_may_accept_what_is_shown_now(stage: Stage) -> None:
    mission = await propose(stage, policy="relay")
    await stage.call("accept_mission", BOB, mission_id=mission)

    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP"


@staged
async def test_writing_a_proposal_anew_is_no_decision(stage: Stage) -> None:
    mission = await propose(stage)
    told = {"gate_id": await gate_of(stage, mission), "decision": "edit_mission"}
    before = await stage.mark(mission)

    assert (await stage.refused("decide_gate", PAT, **told)).code == "INVALID_INPUT"
    assert (await stage.refused("edit_mission", mission_id=mission)).code == "INVALID_INPUT"
    assert await stage.mark(mission) == before


@staged
async def test_what_an_asset_holds_fits_its_schema_and_is_shown_anew(stage: Stage) -> None:
    mission = await propose(stage)
    digest = await digest_of(stage, mission)
    said = {"asset_id": f"{mission}.1", "content": ["one"]}
    assert (await stage.refused("set_asset", **said)).code == "INVALID_INPUT"
    await stage.call("set_asset", **{**said, "content": [4, 5]})

    fresh = await digest_of(stage, mission)
    assert fresh != digest
    told = await stage.call("get_gate", PAT, gate_id=await gate_of(stage, mission))
    assert shown(told)["inputs"][0]["content"] == [4, 5]
    await stage.call("accept_mission", PAT, mission_id=mission, content_digest=fresh)
    context = await stage.call("mission_context", mission_id=mission)
    assert asset(context.data, "numbers")["content"] == [4, 5]
    await stage.call("set_asset", asset_id=f"{mission}.2", content=9)
    assert asset(await status_of(stage, mission), "sum")["status"] == "READY"
    assert (await stage.refused("set_asset", asset_id=mission, content=1)).code == "NOT_FOUND"
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_the_time_for_repairs_is_shown_and_changed_until_the_mission_is_accepted(
    stage: Stage,
) -> None:
    mission = await propose(stage, recovery_deadline_s=3600, outputs=[{"name": "sum", "ttl_s": 60}])
    seen = shown(await stage.call("get_gate", PAT, gate_id=await gate_of(stage, mission)))
    assert (seen["recovery_deadline_s"], seen["outputs"][0]["ttl_s"]) == (3600, 60)
    before = await digest_of(stage, mission)

    await stage.call("edit_mission", mission_id=mission, recovery_deadline_s=60)
    assert (await status_of(stage, mission))["recovery_deadline_s"] == 60
    assert await digest_of(stage, mission) != before
    await stage.call("edit_mission", mission_id=mission, recovery_deadline_s=0)
    assert "recovery_deadline_s" not in await status_of(stage, mission)
    digest = await digest_of(stage, mission)
    await stage.call("accept_mission", PAT, mission_id=mission, content_digest=digest)
    no = await stage.refused("edit_mission", mission_id=mission, recovery_deadline_s=60)
    assert no.code == "INVALID_TRANSITION"
