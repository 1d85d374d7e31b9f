"""Ideas 3, 4, 5 and 9: the course of a mission, where others went wrong."""

from typing import Any

from interlock.service.verify import verify
from tests.ideas.doors import WHY, Doors, doors
from tests.missions import equip, new_chain, new_hop
from tests.stage import HOME, Stage, staged

Told = dict[str, Any]


# -- idea 3 ------------------------------------------------------------------------------------


@staged
async def test_the_final_hop_completes_the_mission_and_no_other_does(stage: Stage) -> None:
    equip(stage)
    async with doors(stage) as door:
        mission = await door.begin()
        await door.complete(mission)
        shown = await door.status(mission)
        assert ("current_hop" in shown, shown["status"]) == (False, "READY_FOR_NEXT_HOP")
        gone = await door.pend(mission)
        digest = await door.digest(mission)
        await door.person("reject_hop", hop_id=gone, content_digest=digest, **WHY)
        cancelled = await door.pend(mission)
        await door.person("cancel", id=cancelled, **WHY)
        await door.complete(mission, is_final=True)

        shown = await door.status(mission)
        assert ("current_hop" in shown, shown["status"]) == (False, "COMPLETED")
        # Numbers grow, and that of a deleted hop is not used again.
        assert [(one["sequence"], one["status"]) for one in shown["hops"]] == [
            (1, "COMPLETED"), (3, "CANCELLED"), (4, "COMPLETED"),
        ]  # fmt: skip
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_person_says_until_it_runs_which_hop_is_the_final_one(stage: Stage) -> None:
    equip(stage)
    async with doors(stage) as door:
        mission = await door.begin()
        hop = await door.build(mission, is_final=True)
        await door.design(mission)
        await door.execute(mission, is_final=False)
        await door.finish(outputs={"rows": [2]})
        await door.finish(outputs={"total": 2, "count": 1})
        assert await door.stands(mission) == "READY_FOR_NEXT_HOP: COMPLETED"
        hop = await door.pend(mission)
        digest = await door.digest(mission)
        await door.person("accept_hop", hop_id=hop, content_digest=digest, is_final=True)
        await door.design(mission)
        await door.execute(mission)
        await door.finish(outputs={"rows": [2]})
        await door.finish(outputs={"total": 2, "count": 1})

        assert await door.stands(mission) == "COMPLETED: COMPLETED COMPLETED"


# -- idea 4 ------------------------------------------------------------------------------------


async def refuse_another(door: Doors, mission: str, code: str) -> None:
    """See that nobody can propose a hop now, and that trying leaves nothing behind."""
    before = await door.status(mission)
    for no in (
        await door.no_agent("propose_hop", **new_hop(mission)),
        await door.no_person("create_hop", **new_hop(mission)),
    ):
        assert (no["code"], no["retryable"]) == (code, False)
        assert not {"propose_hop", "create_hop"} & set(no["legal_moves"])
    assert await door.status(mission) == before


@staged
async def test_there_is_one_hop_at_a_time_and_none_before_the_mission_is_accepted(
    stage: Stage,
) -> None:
    equip(stage)
    async with doors(stage) as door:
        mission = await door.propose()
        await refuse_another(door, mission, "INVALID_TRANSITION")
        digest = await door.digest(mission)
        await door.person("accept_mission", mission_id=mission, content_digest=digest)
        hop = await door.pend(mission)
        before = await door.status(mission)
        no = await door.no_agent("propose_hop", **new_hop(mission))
        assert (no["code"], "revise" in no["fix"].lower()) == ("HOP_OPEN", True)
        no = await door.no_person("create_hop", **new_hop(mission))
        assert no["code"] == "HOP_OPEN"
        assert await door.status(mission) == before
        digest = await door.digest(mission)
        await door.person("accept_hop", hop_id=hop, content_digest=digest)
        await refuse_another(door, mission, "INVALID_TRANSITION")
        await door.design(mission)
        await refuse_another(door, mission, "INVALID_TRANSITION")
        await door.execute(mission)
        await refuse_another(door, mission, "INVALID_TRANSITION")
        await door.finish(failure="validation")
        await refuse_another(door, mission, "INVALID_TRANSITION")
        await door.person("cancel", id=mission, **WHY)
        await refuse_another(door, mission, "MISSION_TERMINAL")


# -- idea 5 ------------------------------------------------------------------------------------


@staged
async def test_a_step_eats_what_the_step_before_it_makes(stage: Stage) -> None:
    equip(stage)
    async with doors(stage) as door:
        mission = await door.begin()
        await door.build(mission)
        await door.design(mission)
        shown = await door.status(mission)
        assert [one["status"] for one in shown["tool_steps"]] == ["READY_TO_EXECUTE"] * 2
        scratch = next(one for one in shown["assets"] if one["name"] == "rows")
        assert scratch["status"] == "PENDING"
        await door.execute(mission)
        await door.finish(outputs={"rows": [20, 40]})
        call = await door.finish(outputs={"total": 60, "count": 2})

        assert (call["tool"], call["arguments"]) == ("total", {"rows": [20, 40]})
        assert await door.stands(mission) == "READY_FOR_NEXT_HOP: COMPLETED"


# -- idea 9 ------------------------------------------------------------------------------------


@staged
async def test_what_can_be_repaired_is_repaired_redesigned_run_and_completed(stage: Stage) -> None:
    equip(stage)
    async with doors(stage) as door:
        mission = await door.begin()
        hop = await door.run(mission, is_final=True)
        await door.finish(outputs={"rows": [2, 4, 6]})
        await door.finish(failure="user_correctable", error={"message": "which sum?"})
        shown = await door.status(mission)
        assert (shown["status"], shown["held"]) == ("EXECUTING_HOP", True)
        assert shown["recovery"]["held_in"] == "EXECUTING_HOP"
        no = await door.no_agent("fix_hop", hop_id=hop, **WHY)
        assert no["code"] == "HUMAN_REQUIRED"
        await door.person("fix_hop", hop_id=hop, reason="the plain one")
        assert await door.stands(mission) == "BUILDING_HOP: READY_TO_RESOLVE"
        steps = [{"step_id": f"{mission}.5"}, new_chain(mission)[1]]
        await door.design(mission, steps)
        await door.execute(mission)
        call = await door.finish(outputs={"total": 12, "count": 3})

        assert call["arguments"] == {"rows": [2, 4, 6]}
        shown = await door.status(mission)
        assert await door.stands(mission) == "COMPLETED: COMPLETED"
        assert not {"held", "recovery"} & set(shown)
        # The step that was completed before was not run again.
        steps_done = shown["counts"]["tool_step"]
        assert steps_done == {"COMPLETED": 2}
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_what_cannot_be_repaired_is_begun_anew_and_the_old_one_stays(stage: Stage) -> None:
    equip(stage)
    async with doors(stage) as door:
        mission = await door.begin()
        hop = await door.run(mission)
        await door.finish(failure="system", error={"message": "out of memory"})
        assert await door.stands(mission) == "FAILED: FAILED"
        no = await door.no_person("fix_hop", hop_id=hop, **WHY)
        assert (no["code"], "reset_mission" in no["fix"]) == ("MISSION_TERMINAL", True)
        before = await door.person("get_unit", id=mission)
        new = str((await door.person("reset_mission", mission_id=mission, **WHY))["new_mission_id"])

        after = await door.person("get_unit", id=mission)
        assert (after["status"], after["parts"]) == (before["status"], before["parts"])
        changed = {n for n, value in after["fields"].items() if value != before["fields"][n]}
        assert changed == {"superseded_by"}
        fresh = await door.status(new)
        assert (fresh["status"], fresh["reset_of"], fresh["attempt"]) == ("PROPOSED", mission, 2)
        assert (fresh["hops"], fresh["counts"]) == ([], {"asset": {"PROPOSED": 3}})
        no = await door.no_person("reset_mission", mission_id=mission, **WHY)
        assert no["code"] == "ALREADY_RESET"
        digest = await door.digest(new)
        await door.person("accept_mission", mission_id=new, content_digest=digest)
        await door.complete(new, is_final=True)
        assert await door.stands(new) == "COMPLETED: COMPLETED"
    assert (await verify(stage.engine, HOME)).findings == []
