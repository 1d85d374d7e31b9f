"""What every entry of a mission's audit says: when, what, who, why, and what it followed from."""

from dataclasses import replace

import pytest

from tests.doors.mcp.clients import called, on
from tests.spec.door import ADA, PAT, Document, Door, promise
from tests.spec.mission.places import WHY, bring
from tests.spec.mission.reading import status
from tests.spec.mission.working import finish

pytestmark = pytest.mark.every_store


async def written(door: Door, mission: str, after: int) -> list[Document]:
    """Return the moves that were written after a sequence."""
    return [body for body in await door.audit(mission, after) if body["change"] == "move"]


@promise(
    "audit.time", "audit.entity", "audit.event", "audit.from-to", "audit.actor", "audit.reason"
)
async def test_a_change_says_when_what_where_who_and_why(door: Door) -> None:
    it = await bring(door.stage, "ready")
    before = await door.sequence(it.mission)
    await door.ask("cancel", PAT, id=it.mission, **WHY)
    (entry,) = await written(door, it.mission, before)

    assert isinstance(entry["at"], int)
    assert abs(entry["at"] - door.stage.engine.store.now()) < 60_000
    assert (entry["kind"], entry["unit"], entry["event"]) == ("mission", True, "cancel_mission")
    assert (entry["source"], entry["target"]) == ("READY_FOR_NEXT_HOP", "CANCELLED")
    assert entry["actor"] == {"kind": "user", "id": "pat", "channel": "mcp"}
    assert entry["told"]["reason"] == "because"


@promise("audit.entity", "audit.cause", "cascade.hop-cancelled")
async def test_what_follows_names_the_entry_that_it_followed_from(door: Door) -> None:
    it = await bring(door.stage, "running")
    before = await door.sequence(it.mission)
    await door.ask("cancel", PAT, id=it.mission, **WHY)
    moves = {
        (body["kind"], body["source"]): body for body in await written(door, it.mission, before)
    }
    mission, hop = moves["mission", "EXECUTING_HOP"], moves["hop", "EXECUTING"]
    ran, waits = moves["tool_step", "EXECUTING"], moves["tool_step", "READY_TO_EXECUTE"]

    assert hop["ids"] == [it.hops["it"]]
    assert "cause" not in mission
    assert hop["cause"]["after"] == mission["sequence"]
    assert [body["cause"]["after"] for body in (ran, waits)] == [hop["sequence"]] * 2
    assert moves["asset", "IN_PROGRESS"]["cause"]["after"] == ran["sequence"]
    assert {body["event"] for body in moves.values()} == {"cancel_mission"}


@promise("audit.actor")
async def test_an_agent_acts_on_behalf_of_somebody(door: Door) -> None:
    it = await bring(door.stage, "pending")
    before = await door.sequence(it.mission)
    async with on(door.stage, replace(ADA, on_behalf_of="pat")) as client:
        await called(client, "withdraw_hop", hop_id=it.hops["it"])
    (entry,) = await door.audit(it.mission, before)

    assert entry["actor"] == {
        "kind": "agent", "id": "ada", "on_behalf_of": "pat", "channel": "mcp",
    }  # fmt: skip


@promise("audit.request")
@pytest.mark.parametrize(
    "command", ["cancel", "accept_hop", "reject_hop", "reset_mission", "set_asset"]
)
async def test_the_request_is_named_with_the_first_entry(door: Door, command: str) -> None:
    place = {"reset_mission": "completed"}.get(command, "pending")
    it = await bring(door.stage, place)
    before = await door.sequence(it.mission)
    hop = {"hop_id": it.hops["it"], "content_digest": it.digest}
    told: Document = {
        "cancel": {"id": it.mission, **WHY}, "accept_hop": hop, "reject_hop": hop | WHY,
        "reset_mission": {"mission_id": it.mission, **WHY},
        "set_asset": {"asset_id": f"{it.mission}.3", "content": 1},
    }  # fmt: skip
    await door.ask(command, PAT, request_id=f"{command} once", **told[command])

    assert (await door.audit(it.mission, before))[0]["request"] == f"{command} once"


@promise("audit.error")
@pytest.mark.parametrize(("failure", "is_recoverable"), [("validation", True), ("system", False)])
async def test_a_failure_is_kept_with_its_class(
    door: Door, failure: str, *, is_recoverable: bool
) -> None:
    it = await bring(door.stage, "running")
    before = await door.sequence(it.mission)
    await finish(door, it, failure=failure, error={"message": "m", "detail": "d"})
    error = (await door.audit(it.mission, before))[0]["error"]

    assert error == {
        "class": failure, "message": "m", "detail": "d", "recoverable": is_recoverable, "attempt": 1,
    }  # fmt: skip


@promise("audit.error", "hop.resolution_failed")
async def test_a_resolution_that_failed_says_so_too(door: Door) -> None:
    it = await bring(door.stage, "resolving")
    before = await door.sequence(it.mission)
    told = {"failure": "configuration", "message": "m", "detail": "d"}
    await door.ask("fail_resolution", ADA, hop_id=it.hops["it"], lease=it.lease, **told)
    error = (await door.audit(it.mission, before))[0]["error"]

    assert error == {"class": "configuration", "message": "m", "detail": "d", "recoverable": True}


@promise("audit.recovery")
@pytest.mark.parametrize(
    ("place", "held"), [("building held", "BUILDING_HOP"), ("executing held", "EXECUTING_HOP")]
)
async def test_a_held_mission_says_where_it_goes_on_and_what_failed(
    door: Door, place: str, held: str
) -> None:
    it = await bring(door.stage, place)
    recovery = {"held_in": held, "resumes_in": "BUILDING_HOP", "failed": it.step or it.hops["it"]}
    kept = [
        body["set"]["recovery"]
        for body in await door.audit(it.mission)
        if "recovery" in body.get("set", {})
    ]

    assert kept == [recovery]
    assert (await status(door, it))["recovery"] == recovery
