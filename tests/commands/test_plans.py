"""The list of plans that are under way: which, in what order, how far."""

from typing import cast

import pytest

from interlock.commands.plans import progress
from tests.stage import ADA, EVE, PAT, Stage, staged

Rows = list[dict[str, object]]


async def listed(stage: Stage, **asked: object) -> Rows:
    return cast("Rows", (await stage.call("list_active_plans", **asked)).data["plans"])


async def names(stage: Stage, **asked: object) -> list[str]:
    return [str(row["plan_id"]) for row in await listed(stage, **asked)]


async def finish(stage: Stage, plan: str) -> None:
    step, lease = await stage.claim(plan)
    await stage.call("submit_step_result", step_id=step, lease=lease, result_summary="s")


@staged
async def test_what_has_ended_is_left_out_and_the_last_changed_comes_first(stage: Stage) -> None:
    plans = []
    for _ in range(4):
        plans.append(await stage.plan(1))
        await stage.pass_ms(5)
    await finish(stage, plans[1])
    await stage.pass_ms(5)
    await stage.claim(plans[0])
    await stage.ticket()

    changed = {plan: ((await stage.whole(plan)).row.changed_at, plan) for plan in plans}
    order = sorted(plans, key=lambda plan: changed[plan], reverse=True)
    assert await names(stage) == [plan for plan in order if plan != plans[1]]
    assert await names(stage, filter={"include_ended": True}) == order
    assert await names(stage, filter={"status": "completed"}) == [plans[1]]
    assert await names(stage, filter={"status": "executing"}) == [plans[0]]


@staged
async def test_a_plan_is_listed_with_how_far_it_is(stage: Stage) -> None:
    plan = await stage.plan(3, ADA, tags=["red"])
    await finish(stage, plan)
    await stage.claim(plan)
    (row,) = await listed(stage)
    whole = await stage.whole(plan)

    assert row == {
        "plan_id": plan, "name": "A plan", "status": "executing", "progress": 33,
        "total_steps": 3, "counts": {"completed": 1, "in_progress": 1, "pending": 1},
        "open_review": False, "changed_at": whole.row.changed_at, "tags": ("red",),
    }  # fmt: skip


@staged
async def test_pages_follow_each_other_without_a_gap(stage: Stage) -> None:
    made = {await stage.plan(1) for _ in range(7)}
    for plan in list(made)[:2]:
        await finish(stage, plan)
        made.remove(plan)
    found: list[str] = []
    cursor: object = None
    while True:
        answer = await stage.call("list_active_plans", limit=2, cursor=cursor)
        found += [str(row["plan_id"]) for row in cast("Rows", answer.data["plans"])]
        cursor = answer.data.get("cursor")
        if cursor is None:
            break

    assert len(found) == len(set(found)) == 5
    assert set(found) == made


@staged
async def test_a_tag_narrows_the_list(stage: Stage) -> None:
    red = await stage.plan(1, ADA, tags=["red", "big"])
    await stage.plan(1, ADA, tags=["big"])
    await stage.plan(1, EVE, tags=["red"])

    assert await names(stage, filter={"tag": "red"}) == [red]
    assert await names(stage, filter={"tag": "blue"}) == []


@staged
async def test_a_filter_nobody_knows_is_refused(stage: Stage) -> None:
    bad: tuple[object, ...] = ({"status": "done"}, {"colour": "red"}, "executing", [])
    for wrong in bad:
        assert (await stage.refused("list_active_plans", filter=wrong)).code == "INVALID_INPUT"
    assert (await stage.refused("list_active_plans", cursor="x")).code == "INVALID_INPUT"


@staged
async def test_a_plan_that_waits_for_a_person_says_so(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.sql("UPDATE units SET status = 'awaiting_review'")
    (row,) = await listed(stage)

    assert (row["plan_id"], row["open_review"]) == (plan, True)
    assert (await stage.call("list_active_plans", PAT)).data["plans"] == [row]


@pytest.mark.parametrize(
    ("counts", "percent"),
    [
        ({}, 0),
        ({"pending": 3}, 0),
        ({"completed": 1, "pending": 7}, 13),
        ({"completed": 1, "skipped": 1, "failed": 1}, 67),
        ({"completed": 199, "pending": 1}, 100),
        ({"completed": 1, "skipped": 1}, 100),
        ({"failed": 2}, 0),
    ],
)
def test_progress_counts_what_is_done_and_rounds_a_half_up(
    counts: dict[str, int], percent: int
) -> None:
    assert progress(counts) == percent
