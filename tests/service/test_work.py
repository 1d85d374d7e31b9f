"""The queue of everything: what fits is found and claimed, whoever else wants it; waiting works."""

import asyncio
import math
import time
from contextlib import aclosing

import pytest

from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput
from interlock.service.order import Asked, Order, Result
from interlock.service.run import advance
from interlock.service.work import WAIT_MAX_S, changes, next_work
from interlock.store.port import Filter
from interlock.store.script import Key
from tests.stage import ADA, BOB, DAY_MS, EVE, HOME, Stage, staged


def named(result: Result) -> dict[str, object]:
    part = result.done[0].part
    return {"part": None if part is None else part.id}


ANY = Filter()


async def take(
    stage: Stage, wanted: Filter = ANY, by: Principal = ADA, key: Key | None = None
) -> object:
    """Claim work; return the part's name, or None."""
    found = await next_work(stage.engine, by, wanted, named, key)
    return None if found is None else found.reply["part"]


@staged
async def test_the_oldest_unit_is_worked_on_first(stage: Stage) -> None:
    first = await stage.plan(2)
    await stage.pass_ms(1)
    stage.clock.pass_ms(1)
    second = await stage.plan(1)

    taken = [await take(stage) for _ in range(4)]

    assert taken == [f"{first}.1", f"{first}.2", f"{second}.1", None]


@staged
async def test_nothing_of_another_tenant_is_handed_out(stage: Stage) -> None:
    await stage.plan(1)

    assert await take(stage, by=EVE) is None


@staged
async def test_work_is_filtered_by_workflow_and_by_kind(stage: Stage) -> None:
    plan = await stage.plan(1)
    ticket = await stage.ticket()

    assert await take(stage, Filter(workflow="mission")) is None
    assert await take(stage, Filter(kind="bead")) is None
    assert await take(stage, Filter(workflow="plan", kind="assignment")) is None
    assert await take(stage, Filter(kind="assignment")) == f"{ticket}.1"
    assert await take(stage, Filter(workflow="plan")) == f"{plan}.1"


@staged
async def test_work_is_filtered_by_role_and_by_member(stage: Stage) -> None:
    ticket = await stage.council(3)
    parts = {row.part.fields["member"]: row.id for row in (await stage.whole(ticket)).parts}

    assert await take(stage, Filter(role="winner")) is None
    assert await take(stage, Filter(role="council", member="7")) is None
    assert await take(stage, Filter(role="council", member="2")) == parts["2"]
    assert await take(stage, Filter(member="2")) is None
    assert await take(stage, Filter(role="council")) == parts["0"]
    assert await take(stage, Filter(role="council")) == parts["1"]
    assert await take(stage, Filter(role="council")) is None


@staged
async def test_work_is_filtered_by_tags_and_all_of_them_must_be_there(stage: Stage) -> None:
    plain = await stage.plan(1)
    red = await stage.plan(1, tags=["red"])
    both = await stage.plan(1, tags=["red", "round"])

    assert await take(stage, Filter(tags=("square",))) is None
    assert await take(stage, Filter(tags=("round", "red"))) == f"{both}.1"
    assert await take(stage, Filter(tags=("red",))) == f"{red}.1"
    assert await take(stage, Filter(tags=("red",))) is None
    assert await take(stage) == f"{plain}.1"


@staged
async def test_members_who_ask_at_once_each_get_a_part_of_their_own(stage: Stage) -> None:
    ticket = await stage.council(4)
    wanted = Filter(role="council")

    taken = await asyncio.gather(*(take(stage, wanted) for _ in range(6)))

    parts = {row.id for row in (await stage.whole(ticket)).parts}
    assert {one for one in taken if one is not None} == parts
    assert taken.count(None) == 2


@staged
async def test_many_units_that_hand_nothing_out_hide_none_that_does(stage: Stage) -> None:
    for _ in range(20):
        full = await stage.plan(2, max_parallel_steps=1)
        await stage.claim(full)
    stage.clock.pass_ms(1)
    last = await stage.plan(1)

    assert await take(stage) == f"{last}.1"
    assert await take(stage) is None


@staged
async def test_a_unit_that_takes_no_commands_hides_no_other(stage: Stage) -> None:
    broken = await stage.plan(1)
    stage.clock.pass_ms(1)
    sound = await stage.plan(1)
    change = "status = 'nowhere', version = version + 1"
    await stage.sql(f"UPDATE units SET {change} WHERE id = '{broken}'")  # noqa: S608 (an id of ours)

    assert await take(stage) == f"{sound}.1"


@staged
async def test_a_workflow_that_this_program_does_not_know_is_passed_over(stage: Stage) -> None:
    await stage.ticket()
    stage.clock.pass_ms(1)
    plan = await stage.plan(1)
    flows = {name: one for name, one in stage.engine.flows.items() if name == "plan"}
    older = Engine(stage.engine.store, stage.clock, flows)

    found = await next_work(older, ADA, Filter(), named)

    assert found is not None
    assert found.reply["part"] == f"{plan}.1"


@staged
async def test_work_is_offered_again_though_no_sweeper_has_come_by(stage: Stage) -> None:
    ticket, plan = await stage.ticket(), await stage.plan(1)
    before = {await take(stage), await take(stage)}
    assert await take(stage, by=BOB) is None

    await stage.pass_ms(DAY_MS)

    assert {await take(stage, by=BOB), await take(stage, by=BOB)} == before
    assert await take(stage, by=BOB) is None
    assert await stage.standing(plan) == "executing: in_progress"
    assert await stage.standing(ticket) == "DRAFT: claimed"
    reasons = [entry.get("reason") for entry in await stage.audit(plan)]
    assert "lease_expired" in reasons


@staged
async def test_members_who_ask_at_once_each_get_a_part_that_was_left(stage: Stage) -> None:
    await stage.council(3)
    left = {await stage.work(role="council") for _ in range(3)}
    await stage.pass_ms(DAY_MS)

    taken = await asyncio.gather(*(take(stage, Filter(role="council"), BOB) for _ in range(3)))

    assert set(taken) == left


@staged
async def test_an_overdue_part_is_found_behind_one_that_may_not_begin(stage: Stage) -> None:
    plan = await stage.plan(2, max_parallel_steps=1)
    second = Asked("claim", part=f"{plan}.2")
    await advance(stage.engine, Order(HOME, ADA.actor(), plan, (second,), lambda _: {}))
    assert await take(stage, by=BOB) is None

    await stage.pass_ms(DAY_MS)

    assert await take(stage, by=BOB) == f"{plan}.2"


@staged
async def test_a_request_id_brings_the_same_work_when_nothing_else_is_left(stage: Stage) -> None:
    plan = await stage.plan(1)
    key = Key(ADA.id, "once", "asked")

    assert [await take(stage, key=key) for _ in range(3)] == [f"{plan}.1"] * 3
    assert await take(stage, key=Key(ADA.id, "twice", "asked")) is None
    assert await take(stage, key=Key(BOB.id, "once", "asked"), by=BOB) is None


@staged
async def test_without_any_unit_a_request_id_finds_nothing(stage: Stage) -> None:
    assert await take(stage, key=Key(ADA.id, "once", "asked")) is None


@staged
async def test_copies_of_one_request_claim_once(stage: Stage) -> None:
    for _ in range(3):
        await stage.plan(2)
    key = Key(ADA.id, "once", "asked")

    taken = await asyncio.gather(*(take(stage, key=key) for _ in range(12)))

    assert len(set(taken)) == 1
    units = await stage.engine.store.units(HOME, "", None, 10)
    claimed = [one.row.tally["step"].get("in_progress", 0) for one in units]
    assert sorted(claimed) == [0, 0, 1]


# -- waiting -----------------------------------------------------------------------------------


@staged
async def test_who_does_not_want_to_wait_is_told_once(stage: Stage) -> None:
    seen = [one async for one in changes(stage.engine, HOME, 0)]

    assert seen == [None]


@staged
async def test_who_does_not_wait_watches_nothing(stage: Stage) -> None:
    await stage.engine.store.close()

    assert [one async for one in changes(stage.engine, HOME, 0)] == [None]


@staged
async def test_a_wait_ends_in_time_when_nothing_happens(stage: Stage) -> None:
    began = time.monotonic()
    seen = [one async for one in changes(stage.engine, HOME, 0.15)]

    assert time.monotonic() - began > 0.1
    # Once at once, and once more when the watch begins: something may have happened in between.
    assert seen == [None, None]


@staged
async def test_who_waits_is_told_of_a_change_as_soon_as_it_is_made(stage: Stage) -> None:
    async with aclosing(changes(stage.engine, HOME, WAIT_MAX_S)) as waiting:
        await anext(waiting)
        await anext(waiting)
        following = asyncio.ensure_future(anext(waiting))
        assert await asyncio.wait([following], timeout=0.02) == (set(), {following})
        await stage.plan(1)
        await asyncio.wait_for(following, WAIT_MAX_S / 2)


@staged
async def test_a_store_that_closes_ends_the_wait(stage: Stage) -> None:
    waiting = changes(stage.engine, HOME, WAIT_MAX_S)
    await anext(waiting)
    await anext(waiting)
    following = asyncio.ensure_future(anext(waiting, "over"))
    assert await asyncio.wait([following], timeout=0.02) == (set(), {following})

    await stage.engine.store.close()

    assert await asyncio.wait_for(following, WAIT_MAX_S / 2) == "over"


@staged
async def test_an_absurd_wait_is_refused(stage: Stage) -> None:
    for wait_s in (-1, 10.01, math.inf, math.nan, 1e308):
        with pytest.raises(InvalidInput) as no:
            await anext(changes(stage.engine, HOME, wait_s))
        assert no.value.fix == "Wait for 0 to 10 seconds."
