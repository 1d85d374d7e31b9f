"""Stalls and progress: who notices silence, when, how often; and how far a plan is."""

import pytest

from tests.spec.door import BOB, LEASE_MS, Door, promise


@promise("stall.strict", "stall.by-status", "command.get_plan_status")
async def test_a_step_is_stalled_one_moment_after_its_threshold(door: Door) -> None:
    plan = await door.plan(2)
    step, _ = await door.claim(plan)
    door.pass_ms(LEASE_MS)
    still = await door.status(plan)
    door.pass_ms(1)
    status = await door.status(plan)

    assert (still["status"], still["stalled"], still["stalled_steps"]) == ("executing", False, [])
    assert (status["status"], status["stalled"], status["stalled_steps"]) == (
        "stalled", True, [step],
    )  # fmt: skip


@promise("stall.by-sweeper", "deviation.6", "audit.plan_stalled", "audit.lease_expired")
async def test_a_stall_that_nobody_asks_for_is_found_by_the_sweeper(door: Door) -> None:
    plan = await door.plan(1)
    await door.claim(plan)
    before = await door.sequence(plan)
    door.pass_ms(LEASE_MS + 1)
    assert await door.sweep() >= 1

    assert await door.standing(plan) == "stalled: in_progress"
    assert await door.types(plan, before) == ["lease_expired", "plan_stalled"]
    actors = {body["actor"]["kind"] for body in await door.audit(plan, before)}
    assert actors == {"system"}


@promise("stall.once")
async def test_a_stall_is_marked_once_an_attempt(door: Door) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    await door.stall(plan)
    before = await door.sequence(plan)
    for _ in range(2):
        await door.sweep()
        await door.status(plan)
    assert await door.sequence(plan) == before

    await door.ask("heartbeat_step", step_id=step, lease=lease)
    door.pass_ms(LEASE_MS + 1)
    await door.sweep()
    assert (await door.status(plan))["status"] == "executing"
    await door.claim(plan, BOB)
    await door.stall(plan)
    walked = await door.walk(plan)
    assert walked.count("plan executing>stalled") == 2


@promise("stall.heartbeat", "lease.extended")
async def test_a_live_lease_never_stalls(door: Door) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    for _ in range(3):
        door.pass_ms(LEASE_MS - 1)
        await door.ask("heartbeat_step", step_id=step, lease=lease)
    await door.sweep()

    assert await door.standing(plan) == "executing: in_progress"


@promise("stall.threshold")
@pytest.mark.parametrize("where", ["plan", "step"])
async def test_the_threshold_is_set_for_a_plan_or_a_step(door: Door, where: str) -> None:
    step = {"instructions": "be quick"}
    if where == "plan":
        plan = await door.plan([step], stall_after=10)
    else:
        plan = await door.plan([{**step, "stall_after": 10}], stall_after=500)
    await door.claim(plan)
    door.pass_ms(10_000)
    assert (await door.status(plan))["status"] == "executing"
    door.pass_ms(1)

    assert (await door.status(plan))["status"] == "stalled"


@promise("stall.only-in-progress")
async def test_only_steps_in_progress_stall(door: Door) -> None:
    plan = await door.plan(2)
    await door.review(plan)
    door.pass_ms(10 * LEASE_MS)
    await door.sweep()

    assert (await door.status(plan))["status"] == "awaiting_review"


@promise("machine.plan.stalled-executing", "command.get_next_step.no_pending_steps")
async def test_a_stalled_plan_goes_on_only_when_a_step_is_handed_out(door: Door) -> None:
    steps = [{"instructions": "a", "stall_after": 5}, {"instructions": "b", "depends_on": [1]}]
    plan = await door.plan(steps, max_parallel_steps=1)
    step, _ = await door.claim(plan)
    door.pass_ms(5_001)
    await door.sweep()
    assert (await door.status(plan))["status"] == "stalled"
    told = await door.ask("get_next_step", BOB, plan_id=plan)

    assert (told["status"], told["data"]["step"]["step_id"]) == ("in_progress", step)
    assert await door.standing(plan) == "executing: in_progress pending"


# -- progress ----------------------------------------------------------------------------------


@promise("progress.rounded", "progress.settled", "command.get_plan_status")
async def test_progress_counts_completed_and_skipped_steps(door: Door) -> None:
    plan = await door.plan(8)
    told = []
    await door.submit(f"{plan}.1")
    told.append(await door.status(plan))
    await door.decide(await door.review(plan), "skip")
    told.append(await door.status(plan))
    await door.fail(f"{plan}.3")
    told.append(await door.status(plan))

    assert [one["progress"] for one in told] == [13, 25, 25]
    assert told[-1]["settled"] == 38
    assert (told[-1]["total_steps"], told[-1]["counts"]) == (
        8, {"completed": 1, "skipped": 1, "failed": 1, "pending": 5},
    )  # fmt: skip


@promise("progress.rounded")
async def test_progress_begins_at_nothing_and_ends_at_everything(door: Door) -> None:
    plan = await door.plan(1)
    assert (await door.status(plan))["progress"] == 0
    await door.submit(f"{plan}.1")

    assert (await door.status(plan))["progress"] == 100
