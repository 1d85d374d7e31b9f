"""Timers on both stores: set by the commit, sent by the sweeper, asked about again by the commit."""

import asyncio
from typing import cast

from interlock.service.sweep import _lapse, sweep
from interlock.service.verify import verify
from tests.missions import (
    Told,
    asset,
    begin,
    design,
    digest_of,
    equip,
    execute,
    finish,
    launch,
    pend,
    propose,
    standing,
    status_of,
)
from tests.stage import ADA, DAY_MS, HOME, PAT, Stage, opened, staged

HOUR_S = 3600
HOUR_MS = HOUR_S * 1000
FAILED = {"failure": "validation", "error": {"message": "no good"}}


def lasting(ttl_s: int = HOUR_S) -> Told:
    """Return a mission whose input and output do not last."""
    return {
        "inputs": [{"name": "numbers", "content": [1, 2], "ttl_s": ttl_s}],
        "outputs": [{"name": "sum", "ttl_s": ttl_s}],
    }


async def hold(stage: Stage, deadline_s: int | None = HOUR_S) -> str:
    """Bring a mission to where a person is asked to repair it."""
    equip(stage)
    mission, _ = await launch(stage, recovery_deadline_s=deadline_s)
    await finish(stage, mission, **FAILED)
    assert (await status_of(stage, mission))["held"]
    return mission


async def asset_status(stage: Stage, mission: str, name: str) -> str:
    return str(asset(await status_of(stage, mission), name)["status"])


# -- of a unit ---------------------------------------------------------------------------------


@staged
async def test_what_nobody_repairs_in_time_fails(stage: Stage) -> None:
    mission = await hold(stage)

    await stage.pass_ms(HOUR_MS - 60_000)
    assert await sweep(stage.engine) == 0
    assert await standing(stage, mission) == "EXECUTING_HOP: FAILED"
    await stage.pass_ms(60_001)
    assert await sweep(stage.engine) == 1

    assert await standing(stage, mission) == "FAILED: FAILED"
    entries = await stage.audit(mission)
    (given_up,) = [one for one in entries if one["event"] == "abandon_recovery" and "target" in one]
    assert given_up["actor"] == {"kind": "system", "id": "clock"}
    assert "in time" in str(entries)
    assert mission not in (await stage.whole(mission)).due
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_without_a_deadline_it_is_held_for_ever(stage: Stage) -> None:
    mission = await hold(stage, None)
    await stage.pass_ms(1_000 * DAY_MS)

    assert await sweep(stage.engine) == 0
    assert mission not in (await stage.whole(mission)).due


@staged
async def test_what_was_repaired_has_no_time_any_more_and_all_of_it_when_it_is_held_again(
    stage: Stage,
) -> None:
    mission = await hold(stage)
    until = cast("Told", (await status_of(stage, mission))["recovery"])["until"]
    assert until == (await stage.whole(mission)).due[mission]
    await stage.pass_ms(HOUR_MS // 2)
    hop = (await status_of(stage, mission))["current_hop"]
    await stage.call("fix_hop", PAT, hop_id=hop, reason="try again")

    assert mission not in (await stage.whole(mission)).due
    assert "recovery" not in await status_of(stage, mission)
    await stage.pass_ms(HOUR_MS)
    assert await sweep(stage.engine) == 0
    await design(stage, mission)
    await execute(stage, mission)
    await finish(stage, mission, **FAILED)
    await stage.pass_ms(HOUR_MS // 2)
    assert await sweep(stage.engine) == 0
    await stage.pass_ms(HOUR_MS)
    assert await sweep(stage.engine) == 1


@staged
async def test_of_a_late_repair_and_the_clock_only_one_happens(stage: Stage) -> None:
    mission = await hold(stage)
    await stage.pass_ms(HOUR_MS + 1)
    (found,) = await stage.engine.store.due(10)
    assert (found.unit, found.kind, found.number) == (mission, "", 0)
    hop = (await status_of(stage, mission))["current_hop"]
    await stage.call("fix_hop", PAT, hop_id=hop, reason="just in time")
    before = await stage.mark(mission)

    assert await _lapse(stage.engine, found) is False
    assert await stage.mark(mission) == before


@staged
async def test_what_was_found_overdue_and_is_held_anew_is_not_given_up(stage: Stage) -> None:
    mission = await hold(stage)
    await stage.pass_ms(HOUR_MS + 1)
    (found,) = await stage.engine.store.due(10)
    hop = (await status_of(stage, mission))["current_hop"]
    await stage.call("fix_hop", PAT, hop_id=hop, reason="just in time")
    await design(stage, mission)
    await execute(stage, mission)
    await finish(stage, mission, **FAILED)
    before = await stage.mark(mission)

    # The rules would let it: it is held, and has a deadline. Its time has not come.
    assert await _lapse(stage.engine, found) is False
    assert await stage.mark(mission) == before


@staged
async def test_of_many_sweepers_one_gives_it_up(stage: Stage) -> None:
    await hold(stage)
    await stage.pass_ms(DAY_MS)

    assert sorted(await asyncio.gather(*(sweep(stage.engine) for _ in range(6)))) == [0] * 5 + [1]


# -- of parts ----------------------------------------------------------------------------------


@staged
async def test_an_asset_expires_when_its_time_is_over(stage: Stage) -> None:
    mission = await begin(stage, **lasting())
    due = (await stage.whole(mission)).due
    assert asset(await status_of(stage, mission), "numbers")["until"] == due[f"{mission}.1"]
    assert sorted(due) == [f"{mission}.1", f"{mission}.2"]

    await stage.pass_ms(HOUR_MS - 60_000)
    assert await sweep(stage.engine) == 0
    await stage.pass_ms(60_001)
    assert await sweep(stage.engine) == 2

    assert await asset_status(stage, mission, "numbers") == "EXPIRED"
    assert await asset_status(stage, mission, "sum") == "EXPIRED"
    whole = await stage.whole(mission)
    assert (whole.row.unit.fields["ready"], dict(whole.due)) == ((), {})
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_what_is_only_proposed_or_lasts_for_ever_has_no_time(stage: Stage) -> None:
    proposed = await propose(stage, **lasting())
    lasting_ever = await begin(stage)
    await stage.pass_ms(1_000 * DAY_MS)

    assert await sweep(stage.engine) == 0
    assert not (await stage.whole(proposed)).due
    assert not (await stage.whole(lasting_ever)).due


@staged
async def test_content_that_is_supplied_anew_lasts_as_long_as_before(stage: Stage) -> None:
    mission = await begin(stage, **lasting())
    await stage.pass_ms(HOUR_MS + 1)
    first = next(one for one in await stage.engine.store.due(10) if one.number == 1)
    await stage.call("set_asset", PAT, asset_id=f"{mission}.1", content=[3])
    before = await stage.mark(mission)

    assert await _lapse(stage.engine, first) is False
    assert await stage.mark(mission) == before
    await sweep(stage.engine)
    assert await asset_status(stage, mission, "numbers") == "READY"
    await stage.pass_ms(HOUR_MS + 1)
    await sweep(stage.engine)
    assert await asset_status(stage, mission, "numbers") == "EXPIRED"


@staged
async def test_what_is_being_made_keeps_its_time_and_begins_anew_when_it_is_there(
    stage: Stage,
) -> None:
    equip(stage)
    told = lasting()
    told["inputs"] = [{"name": "numbers", "content": [1]}]
    mission, _ = await launch(stage, **told, assets=[])
    output = f"{mission}.2"
    begun = (await stage.whole(mission)).due[output]
    await finish(stage, mission, outputs={"rows": [2]})
    await stage.pass_ms(10 * 60 * 1000)
    now = (await stage.whole(mission)).due[output]
    answer = await stage.call("get_next_work", ADA, workflow="mission", kind="tool_step")
    part = cast("Told", answer.data["part"])
    assert await asset_status(stage, mission, "sum") == "IN_PROGRESS"
    assert (await stage.whole(mission)).due[output] == now <= begun

    lease = part["lease"]["token"]
    outputs = {"total": 2, "count": 1}
    await stage.call("submit_tool_result", part_id=part["part_id"], lease=lease, outputs=outputs)

    assert await asset_status(stage, mission, "sum") == "READY"
    assert (await stage.whole(mission)).due[output] > now


@staged
async def test_an_expired_input_fails_the_step_and_holds_the_mission(stage: Stage) -> None:
    equip(stage)
    told = lasting()
    told["outputs"] = [{"name": "sum"}]
    mission, _ = await launch(stage, **told)
    await stage.pass_ms(HOUR_MS + 1)
    assert await sweep(stage.engine) == 1
    await stage.call("get_next_work", ADA, workflow="mission", kind="tool_step")

    data = await status_of(stage, mission)
    assert (data["held"], data["status"]) == (True, "EXECUTING_HOP")
    assert "blocked" in str(await stage.audit(mission))
    await stage.call("set_asset", PAT, asset_id=f"{mission}.1", content=[5])
    await stage.call("fix_hop", PAT, hop_id=data["current_hop"], reason="supplied again")
    await design(stage, mission)
    await execute(stage, mission)
    await finish(stage, mission, outputs={"rows": [10]})
    assert await asset_status(stage, mission, "numbers") == "READY"


@staged
async def test_an_asset_that_came_with_a_hop_expires_too(stage: Stage) -> None:
    mission = await begin(stage)
    hop = await pend(stage, mission, assets=[{"name": "draft", "ttl_s": 60}], output="draft")
    await stage.call("revise_hop", hop_id=hop, goal="Write it.")
    digest = await digest_of(stage, mission)
    await stage.call("accept_hop", PAT, hop_id=hop, content_digest=digest)

    assert asset(await status_of(stage, mission), "draft")["ttl_s"] == 60
    await stage.pass_ms(60_001)
    assert await sweep(stage.engine) == 1
    assert await asset_status(stage, mission, "draft") == "EXPIRED"


@staged
async def test_nothing_of_an_ended_mission_expires(stage: Stage) -> None:
    mission = await begin(stage, **lasting())
    await stage.call("cancel", PAT, id=mission, reason="no longer wanted")

    assert dict((await stage.whole(mission)).due) == {}
    await stage.pass_ms(DAY_MS)
    assert await stage.engine.store.due(10) == ()
    assert await asset_status(stage, mission, "numbers") == "READY"


@staged
async def test_time_goes_on_for_whoever_opens_the_database_next(stage: Stage) -> None:
    mission = await hold(stage)
    asset_of = await begin(stage, **lasting())

    async with opened(stage.where) as later:
        assert dict((await later.whole(mission)).due) == dict((await stage.whole(mission)).due)
        await later.pass_ms(HOUR_MS + 1)
        assert await sweep(later.engine) == 3
        assert await standing(later, mission) == "FAILED: FAILED"
        assert await asset_status(later, asset_of, "numbers") == "EXPIRED"
