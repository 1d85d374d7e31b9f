"""How answers about missions are worded, and which names could be one's."""

import asyncio
from typing import cast

import pytest

from interlock.commands.mission.words import (
    HELD,
    NEXT,
    PENDING,
    REVISED,
    YOURS,
    YOURS_HELD,
    YOURS_PENDING,
    YOURS_REVISED,
    YOURS_SENT_BACK,
)
from interlock.commands.verbs import LocalVerbs
from interlock.service.engine import Principal
from interlock.service.errors import StaleVersion
from tests.missions import (
    Told,
    begin,
    build,
    digest_of,
    equip,
    launch,
    pend,
    propose,
    status_of,
    take,
)
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
async def test_next_is_what_the_one_who_asks_can_do_next(stage: Stage) -> None:
    equip(stage)
    mission = await propose(stage)

    async def next_of(who: Principal) -> str:
        return (await stage.call("mission_status", who, mission_id=mission)).next_action

    async def both() -> tuple[str, str]:
        return await next_of(ADA), await next_of(PAT)

    assert await both() == (NEXT["PROPOSED"], YOURS["PROPOSED"])
    digest = await digest_of(stage, mission)
    await stage.call("accept_mission", PAT, mission_id=mission, content_digest=digest)
    assert await both() == (NEXT["READY_FOR_NEXT_HOP"], YOURS["READY_FOR_NEXT_HOP"])
    await pend(stage, mission)
    assert await both() == (PENDING, YOURS_PENDING)
    hop = str((await status_of(stage, mission))["hops"][0]["hop_id"])
    digest = await digest_of(stage, mission)
    await stage.call("accept_hop", PAT, hop_id=hop, content_digest=digest)
    part, lease = await take(stage, mission, "hop")
    said = {"failure": "user_correctable", "message": "which numbers?"}
    await stage.call("fail_resolution", hop_id=part, lease=lease, **said)
    assert await both() == (HELD, YOURS_HELD)


@staged
async def test_what_a_person_says_reaches_whoever_works_on_it_next(stage: Stage) -> None:
    mission = await begin(stage)
    await build(stage, mission)
    hop = str((await status_of(stage, mission))["current_hop"])
    await stage.call("request_changes", PAT, hop_id=hop, reason="another goal")
    context = await stage.call("mission_context", mission_id=mission)
    work = await stage.call("get_next_work", workflow="mission", kind="hop")

    events = cast("list[Told]", context.data["last_events"])
    assert "another goal" in {event.get("feedback") for event in events}
    person = await stage.call("mission_status", PAT, mission_id=mission)
    assert person.next_action == YOURS_SENT_BACK
    part = cast("Told", work.data["part"])
    assert (part["status"], "revise_hop" in work.next_action) == ("PROPOSED", True)
    lease = part["lease"]["token"]
    revised = await stage.call("revise_hop", hop_id=hop, goal="another goal", lease=lease)
    person = await stage.call("mission_status", PAT, mission_id=mission)
    assert (revised.next_action, person.next_action) == (REVISED, YOURS_REVISED)


@staged
async def test_what_was_ended_says_where_all_of_it_is(stage: Stage) -> None:
    equip(stage)
    mission, _ = await launch(stage)
    await stage.call("cancel", PAT, id=mission, reason="enough")
    over = await stage.call("mission_status", mission_id=mission)
    person = await stage.call("mission_status", PAT, mission_id=mission)

    assert ("mission_context" in over.next_action, over.legal_moves) == (True, ())
    assert person.legal_moves == ("reset_mission",)


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
