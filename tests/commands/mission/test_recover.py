"""A failed hop is repaired or given up; what has ended is cancelled for good or begun anew."""

import asyncio
from pathlib import Path
from typing import cast

from interlock.errors import InterlockError
from interlock.service.verify import verify
from tests.missions import (
    Told,
    asset,
    begin,
    build,
    design,
    equip,
    execute,
    finish,
    launch,
    new_chain,
    pend,
    standing,
    status_of,
)
from tests.stage import ADA, HOME, PAT, Stage, staged


async def hold(stage: Stage) -> tuple[str, str]:
    """Bring a mission to where its hop has failed at the second step; return both ids."""
    equip(stage)
    mission, hop = await launch(stage)
    await finish(stage, mission, outputs={"rows": [2, 4, 6]})
    await finish(stage, mission, failure="user_correctable", error={"message": "which sum?"})
    return mission, hop


@staged
async def test_a_fixed_hop_goes_on_at_the_first_unfinished_step(stage: Stage) -> None:
    mission, hop = await hold(stage)
    said = {"hop_id": hop, "reason": "the plain one"}
    assert (await stage.refused("fix_hop", ADA, **said)).code == "HUMAN_REQUIRED"
    await stage.call("fix_hop", PAT, **said)
    assert await standing(stage, mission) == "BUILDING_HOP: READY_TO_RESOLVE"
    # A chain that names the completed step first, and a new one behind it.
    second = {**new_chain(mission)[1], "parameter_mapping": {"rows": {"step": 1}}}
    await design(stage, mission, [{"step_id": f"{mission}.5"}, second])
    assert (await execute(stage, mission)).status == "EXECUTING_HOP"
    await finish(stage, mission, outputs={"total": 12, "count": 3})

    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP: COMPLETED"
    data = (await stage.call("mission_context", mission_id=mission)).data
    assert asset(data, "sum")["content"] == 12
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_repair_is_given_up(stage: Stage) -> None:
    mission, hop = await hold(stage)
    said = {"mission_id": mission, "reason": "no use"}
    assert (await stage.refused("abandon_recovery", ADA, **said)).code == "NOT_ALLOWED"
    assert (await stage.refused("propose_hop", mission_id=mission, name="n", goal="g", output="sum")).code == "INVALID_TRANSITION"  # fmt: skip
    await stage.call("abandon_recovery", PAT, **said)

    assert await standing(stage, mission) == "FAILED: FAILED"
    no = await stage.refused("fix_hop", PAT, hop_id=hop, reason="after all")
    assert (no.code, no.legal) == ("MISSION_TERMINAL", no.legal)  # type: ignore[attr-defined]
    await stage.call("cancel", PAT, id=mission, reason="tidy")
    assert await standing(stage, mission) == "CANCELLED: FAILED"
    await stage.call("delete_hop", PAT, hop_id=hop, reason="tidy")
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_hop_is_cancelled_alone_only_while_it_is_pending(stage: Stage) -> None:
    mission = await begin(stage)
    hop = await pend(stage, mission)
    await stage.call("cancel", PAT, id=hop, reason="not yet")
    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP: CANCELLED"
    await stage.call("reset_hop", PAT, hop_id=hop, reason="now")
    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP: PROPOSED"
    await stage.call("delete_hop", PAT, hop_id=hop, reason="another one")
    hop = await build(stage, mission)
    assert (await stage.refused("cancel", PAT, id=hop, reason="x")).code == "CASCADE_REQUIRED"
    assert (await stage.refused("cancel", ADA, id=mission, reason="x")).code == "HUMAN_REQUIRED"
    await stage.call("cancel", PAT, id=hop, reason="enough", cascade=True)

    assert await standing(stage, mission) == "CANCELLED: CANCELLED"
    causes = [body["cause"] for body in await stage.audit(mission) if "cause" in body]
    assert [cast("dict[str, object]", cause)["kind"] for cause in causes] == ["lift"]


@staged
async def test_a_reset_begins_a_new_mission_that_is_linked_both_ways(stage: Stage) -> None:
    mission, _ = await hold(stage)
    said = {"mission_id": mission, "reason": "once more"}
    assert (await stage.refused("reset_mission", PAT, **said)).code == "MISSION_LIVE"
    await stage.call("cancel", PAT, id=mission, reason="enough")
    before = await stage.audit(mission)
    answer = await stage.call("reset_mission", PAT, **said)
    new = str(answer.data["new_mission_id"])

    old, fresh = await status_of(stage, mission), await status_of(stage, new)
    assert (old["status"], old["superseded_by"]) == ("CANCELLED", new)
    assert (fresh["status"], fresh["reset_of"], fresh["attempt"]) == ("PROPOSED", mission, 2)
    assert [one["name"] for one in fresh["assets"]] == ["numbers", "sum", "between"]
    assert "content_digest" in asset(fresh, "numbers")
    assert fresh["hops"] == []
    assert len(await stage.audit(mission)) == len(before) + 1
    no = await stage.refused("reset_mission", PAT, **said)
    assert no.code == "ALREADY_RESET"
    digest = fresh["gates"][0]["content_digest"]
    await stage.call("accept_mission", PAT, mission_id=new, content_digest=digest)
    assert asset(await status_of(stage, new), "numbers")["status"] == "READY"
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_of_many_resets_one_makes_a_mission_and_the_others_make_nothing(stage: Stage) -> None:
    mission = await begin(stage)
    await stage.call("cancel", PAT, id=mission, reason="enough")

    async def reset() -> str:
        try:
            told = {"mission_id": mission, "reason": "once more"}
            return str((await stage.call("reset_mission", PAT, **told)).data["new_mission_id"])
        except InterlockError as no:
            return no.code

    said = await asyncio.gather(*(reset() for _ in range(8)))
    units = await stage.engine.store.units(HOME, "mission", None, 50)
    assert sorted(said)[:7] == ["ALREADY_RESET"] * 7
    assert len(units) == 2
    told = {"mission_id": mission, "reason": "again", "request_id": "r1"}
    assert (await stage.refused("reset_mission", PAT, **told)).code == "ALREADY_RESET"


@staged
async def test_a_request_to_reset_is_answered_once(stage: Stage) -> None:
    mission = await begin(stage)
    await stage.call("cancel", PAT, id=mission, reason="enough")
    told = {"mission_id": mission, "reason": "again", "request_id": "r1"}
    first = await stage.call("reset_mission", PAT, **told)

    assert await stage.call("reset_mission", PAT, **told) == first
    assert len(await stage.engine.store.units(HOME, "mission", None, 50)) == 2


BROKEN = {
    "sqlite": """CREATE TRIGGER broken BEFORE INSERT ON parts
                 BEGIN SELECT RAISE(ABORT, 'broken'); END""",
    "postgres": """CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS
                   $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
                   CREATE TRIGGER broken BEFORE INSERT ON parts
                   FOR EACH ROW EXECUTE FUNCTION broken()""",
}
"""What lets no new part be written, so that a commit fails halfway."""


@staged
async def test_where_the_new_mission_cannot_be_written_the_old_one_is_told_nothing(
    stage: Stage,
) -> None:
    mission = await begin(stage)
    await stage.call("cancel", PAT, id=mission, reason="enough")
    before = await stage.mark(mission)
    dialect = "sqlite" if isinstance(stage.where, Path) else "postgres"
    await stage.sql(BROKEN[dialect])
    told = {"mission_id": mission, "reason": "again", "request_id": "r1"}
    await stage.refused("reset_mission", PAT, **told)
    assert await stage.mark(mission) == before
    assert len(await stage.engine.store.units(HOME, "mission", None, 50)) == 1
    await stage.sql("DROP TRIGGER broken" + ("" if dialect == "sqlite" else " ON parts"))
    new = str((await stage.call("reset_mission", PAT, **told)).data["new_mission_id"])

    assert (await status_of(stage, mission))["superseded_by"] == new
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_reset_keeps_tags_the_time_for_repairs_and_times_to_live(stage: Stage) -> None:
    outputs = [{"name": "sum", "ttl_s": 60}]
    mission = await begin(
        stage, tags=["urgent", "ours"], recovery_deadline_s=90, outputs=outputs
    )  # fmt: skip
    await stage.call("cancel", PAT, id=mission, reason="once more")
    answer = await stage.call("reset_mission", PAT, mission_id=mission, reason="once more")
    new = str(answer.data["new_mission_id"])

    data = await status_of(stage, new)
    assert (data["recovery_deadline_s"], asset(data, "sum")["ttl_s"]) == (90, 60)
    listed = await stage.call("list_missions", PAT, tag="urgent")
    assert [one["mission_id"] for one in cast("list[Told]", listed.data["missions"])] == [new]
    assert (await stage.whole(new)).tags == (await stage.whole(mission)).tags == ("ours", "urgent")
