"""Who asks for work is offered a mission that waits for its next hop; the first proposal wins."""

from tests.missions import begin, equip, launch, pend, propose
from tests.stage import ADA, BOB, EVE, PAT, Stage, staged


@staged
async def test_a_mission_that_waits_for_a_hop_is_work_without_a_lease(stage: Stage) -> None:
    assert (await stage.call("get_next_work", ADA)).status == "no_work"
    await propose(stage)
    mission = await begin(stage, tags=["red"])
    offers = [await stage.call("get_next_work", by) for by in (ADA, BOB)]

    assert [one.status for one in offers] == ["propose", "propose"]
    assert [one.data["mission_id"] for one in offers] == [mission, mission]
    assert ("propose_hop" in offers[0].legal_moves, "lease" in str(offers[0].data)) == (True, False)
    assert (await stage.call("get_next_work", ADA, tags=["red"])).status == "propose"
    for other in ({"workflow": "plan"}, {"kind": "tool_step"}, {"tags": ["blue"]}, {"role": "x"}):
        assert (await stage.call("get_next_work", ADA, **other)).status == "no_work"
    assert (await stage.call("get_next_work", PAT)).status == "no_work"
    assert (await stage.call("get_next_work", EVE)).status == "no_work"
    await pend(stage, mission)
    assert (await stage.call("get_next_work", BOB)).status == "no_work"


@staged
async def test_what_can_be_claimed_comes_first(stage: Stage) -> None:
    equip(stage)
    await begin(stage)
    mission, _ = await launch(stage)
    answer = await stage.call("get_next_work", ADA)

    assert (answer.status, answer.data["unit_id"]) == ("claimed", mission)
