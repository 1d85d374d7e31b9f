"""How answers about missions are worded, and which names could be one's."""

import asyncio

import pytest

from interlock.commands.verbs import LocalVerbs
from interlock.service.errors import StaleVersion
from tests.missions import begin, equip, launch, propose, status_of
from tests.stage import ADA, PAT, Stage, staged


@staged
async def test_whoever_asks_is_told_what_they_may_do_now(stage: Stage) -> None:
    mission = await propose(stage)
    agent = await stage.call("mission_status", ADA, mission_id=mission)
    person = await stage.call("mission_status", PAT, mission_id=mission)
    assert (agent.status, "accepted" in agent.next_action) == ("PROPOSED", True)
    assert {"edit_mission", "accept_mission", "cancel"} <= set(person.legal_moves)
    later = await stage.call("mission_status", ADA, mission_id=await begin(stage))

    assert ("propose_hop" in later.legal_moves, "create_hop" in later.legal_moves) == (True, False)
    assert "propose_hop" in later.next_action


@staged
async def test_what_was_ended_says_where_all_of_it_is(stage: Stage) -> None:
    equip(stage)
    mission, _ = await launch(stage)
    await stage.call("cancel", PAT, id=mission, reason="enough")
    over = await stage.call("mission_status", mission_id=mission)

    assert ("mission_context" in over.next_action, over.legal_moves) == (True, ("reset_mission",))


@staged
async def test_a_version_that_was_not_seen_changes_nothing(stage: Stage) -> None:
    mission = await propose(stage)
    version = (await status_of(stage, mission))["version"]
    verbs = LocalVerbs(stage.engine, ADA)
    await verbs.call("edit_mission", {"mission_id": mission, "goal": "one"}, version)
    with pytest.raises(StaleVersion):
        await verbs.call("edit_mission", {"mission_id": mission, "goal": "two"}, version)

    assert (await status_of(stage, mission))["goal"] == "one"


@staged
async def test_of_many_who_change_a_proposal_all_do(stage: Stage) -> None:
    mission = await propose(stage)
    said = [
        stage.call("edit_mission", mission_id=mission, goal=f"goal {number}")
        for number in range(4)
    ]  # fmt: skip
    await asyncio.gather(*said)
    edits = [body for body in await stage.audit(mission) if body["event"] == "edit_mission"]

    assert len({str(body.get("kept")) for body in edits} - {"None"}) == 4
