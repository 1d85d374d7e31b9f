"""The sweeper: leases that have run out lapse, once each; nothing else does."""

import asyncio
from dataclasses import replace

from interlock.service.engine import Engine
from interlock.service.meter import Meter
from interlock.service.sweep import _lapse, sweep
from tests.stage import ADA, BOB, DAY_MS, EVE, HOME, PAT, Stage, staged

HALF_AN_HOUR_MS = 30 * 60 * 1000


@staged
async def test_a_lease_that_has_run_out_stalls_the_plan(stage: Stage) -> None:
    plan = await stage.plan()
    await stage.claim(plan)

    await stage.pass_ms(HALF_AN_HOUR_MS - 60_000)
    assert await sweep(stage.engine) == 0
    assert await stage.standing(plan) == "executing: in_progress pending"

    await stage.pass_ms(60_001)
    assert await sweep(stage.engine) == 1
    assert await stage.standing(plan) == "stalled: in_progress pending"
    *_, lapsed = await stage.audit(plan)
    assert (lapsed["event"], lapsed["actor"]) == ("lapse", {"kind": "system", "id": "clock"})


@staged
async def test_sweeping_twice_does_nothing_more(stage: Stage) -> None:
    plan = await stage.plan()
    await stage.claim(plan)
    await stage.pass_ms(DAY_MS)
    await sweep(stage.engine)
    before = await stage.mark(plan)

    assert await sweep(stage.engine) == 0
    await stage.pass_ms(DAY_MS)
    assert await sweep(stage.engine) == 0
    assert await stage.mark(plan) == before


@staged
async def test_a_plan_stalls_once_per_attempt(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    standings = []
    for _ in range(2):
        await stage.pass_ms(DAY_MS)
        assert await sweep(stage.engine) == 1
        standings.append(await stage.standing(plan))
        await stage.call("heartbeat_step", step_id=step, lease=lease)
    await stage.call("take_over_step", PAT, step_id=step, reason="she sleeps")
    await stage.pass_ms(DAY_MS)
    assert await sweep(stage.engine) == 1
    standings.append(await stage.standing(plan))

    assert standings == ["stalled: in_progress", "executing: in_progress", "stalled: in_progress"]


@staged
async def test_of_two_sweepers_at_once_one_lapses_it(stage: Stage) -> None:
    plan = await stage.plan()
    await stage.claim(plan)
    await stage.pass_ms(DAY_MS)
    before = (await stage.whole(plan)).row.version

    done = await asyncio.gather(*(sweep(stage.engine) for _ in range(8)))

    assert sorted(done) == [0] * 7 + [1]
    events = [entry["event"] for entry in (await stage.audit(plan))[before:]]
    assert set(events) == {"lapse"}
    assert await stage.standing(plan) == "stalled: in_progress pending"


@staged
async def test_a_lease_that_was_extended_in_between_does_not_lapse(stage: Stage) -> None:
    plan = await stage.plan()
    step, lease = await stage.claim(plan)
    await stage.pass_ms(DAY_MS)
    (found,) = await stage.engine.store.due(10)
    await stage.call("heartbeat_step", step_id=step, lease=lease)
    before = await stage.mark(plan)

    assert await _lapse(stage.engine, found) is False
    assert await stage.mark(plan) == before


@staged
async def test_what_cannot_lapse_hides_nothing_that_can(stage: Stage) -> None:
    for _ in range(3):
        await stage.ticket()
        await stage.work(workflow="ticket")
    await stage.pass_ms(1_000)
    plan = await stage.plan(1)
    await stage.claim(plan)
    await stage.pass_ms(DAY_MS)
    flows = {name: one for name, one in stage.engine.flows.items() if name != "ticket"}
    knows_no_tickets = Engine(stage.engine.store, stage.clock, flows)

    assert await sweep(knows_no_tickets, 1) == 1
    assert await stage.standing(plan) == "stalled: in_progress"
    assert await sweep(stage.engine, 1) == 3


@staged
async def test_way_is_made_in_one_unit_or_one_tenant_only(stage: Stage) -> None:
    first, second = await stage.plan(1), await stage.plan(1)
    foreign = await stage.plan(1, EVE)
    for plan, by in ((first, ADA), (second, BOB), (foreign, EVE)):
        await stage.claim(plan, by)
    await stage.pass_ms(DAY_MS)

    assert await sweep(stage.engine, tenant=HOME, unit=second) == 1
    assert await sweep(stage.engine, tenant=HOME, unit=second) == 0
    assert await stage.standing(second) == "stalled: in_progress"
    assert await stage.standing(first) == "executing: in_progress"
    assert await sweep(stage.engine, tenant=HOME)
    assert await stage.standing(first) == "stalled: in_progress"
    assert await sweep(stage.engine) == 1


@staged
async def test_a_lapsed_assignment_is_offered_again_at_once(stage: Stage) -> None:
    unit = await stage.ticket()
    part = await stage.work()
    await stage.pass_ms(DAY_MS)

    assert await sweep(stage.engine) == 1
    assert await stage.standing(unit) == "DRAFT: offered"
    assert await stage.work(BOB) == part


@staged
async def test_leases_that_run_out_are_counted_and_which_of_them_stalled_something(
    stage: Stage,
) -> None:
    meter = Meter()
    engine = replace(stage.engine, meter=meter)
    plan = await stage.plan()
    await stage.claim(plan)
    await stage.council(1)
    await stage.work(workflow="ticket")
    await stage.pass_ms(DAY_MS)
    await sweep(engine)
    await sweep(engine)

    assert meter.lapses == {"plan": 1, "ticket": 1}
    assert meter.stalls == {"plan": 1}
