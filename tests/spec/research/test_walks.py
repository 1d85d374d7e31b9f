"""The walks that close the holes: which edges are walked, in which order, in one transaction."""

import pytest

from tests.spec.door import ADA, BOB, LEASE_MS, PAT, Door, handed_in, promise


@promise("walk.submit-pending", "rule.submit-accepts", "audit.step_started")
async def test_a_result_for_a_step_that_nobody_claimed(door: Door) -> None:
    plan = await door.plan(2)
    answer = await door.submit(f"{plan}.1")

    assert await door.walk(plan) == [
        "plan planning>executing", "1 pending>in_progress", "1 in_progress>completed",
    ]  # fmt: skip
    assert answer["data"]["step"]["status"] == "completed"
    assert (await door.types(plan))[-2:] == ["step_started", "step_completed"]


@promise("walk.submit-pending")
async def test_a_plan_that_has_begun_is_not_begun_again(door: Door) -> None:
    plan = await door.plan(2)
    await door.claim(plan)
    before = await door.sequence(plan)
    await door.submit(f"{plan}.2")

    assert await door.walk(plan, before) == ["2 pending>in_progress", "2 in_progress>completed"]


@promise("walk.stalled", "deviation.2", "machine.plan.stalled-executing", "audit.plan_resumed")
@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("submit_step_result", {"result_summary": "found"}),
        ("request_user_review", {"summary": "look"}),
        ("heartbeat_step", {}),
        ("release_step", {}),
        ("take_over_step", {"reason": "it is silent"}),
        ("get_next_step", {}),
        ("retry_step", {}),
        ("fail_step", {"reason": "no source"}),
    ],
)
async def test_a_stalled_plan_goes_on_first(door: Door, tool: str, more: dict[str, object]) -> None:
    plan = await door.plan(3)
    await door.fail(f"{plan}.2")
    step, lease = await door.claim(plan)
    await door.stall(plan)
    before = await door.sequence(plan)
    told: dict[str, object] = {"step_id": step, **more}
    if tool in ("submit_step_result", "request_user_review", "heartbeat_step", "release_step"):
        told["lease"] = lease
    if tool == "get_next_step":
        told = {"plan_id": plan}
    if tool in ("retry_step", "fail_step"):
        told |= {"plan_id": plan, "action": tool}
        told["step_id"] = f"{plan}.2" if tool == "retry_step" else step
        tool = "modify_plan"
    await door.ask(tool, **told)

    assert (await door.walk(plan, before))[0] == "plan stalled>executing"
    assert "plan_resumed" in await door.types(plan, before)


@promise("walk.decision", "deviation.1", "deviation.4")
@pytest.mark.parametrize("decision", ["approve", "skip"])
async def test_the_last_decision_completes_the_plan(door: Door, decision: str) -> None:
    plan = await door.plan(1)
    step = await door.review(plan)
    before = await door.sequence(plan)
    answer = await door.decide(step, decision)

    assert answer["status"] == "completed"
    target = "completed" if decision == "approve" else "skipped"
    assert await door.walk(plan, before) == [
        "plan awaiting_review>executing", f"1 awaiting_input>{target}", "plan executing>completed",
    ]  # fmt: skip


@promise("walk.fail-pending", "modify.fail_step")
async def test_a_pending_step_is_given_up(door: Door) -> None:
    plan = await door.plan(2)
    await door.fail(f"{plan}.1")

    assert await door.walk(plan) == [
        "plan planning>executing", "1 pending>in_progress", "1 in_progress>failed",
    ]  # fmt: skip


@promise("walk.lease-expired", "deviation.3", "lease.expiry", "rule.claim-order")
async def test_a_step_whose_lease_ran_out_is_handed_out_again(door: Door) -> None:
    plan = await door.plan(2)
    step, old = await door.claim(plan)
    door.pass_ms(LEASE_MS + 1)
    await door.sweep()
    before = await door.sequence(plan)
    told = (await door.ask("get_next_step", BOB, plan_id=plan))["data"]["step"]

    assert (told["step_id"], told["attempt"], told["order"]) == (step, 2, 1)
    assert told["lease"]["token"] != old
    assert told["notes"] == [{"attempt": 1, "ended_by": "lease_expired"}]
    assert await door.walk(plan, before) == [
        "plan stalled>executing", "1 in_progress>failed", "1 failed>pending",
        "1 pending>in_progress",
    ]  # fmt: skip
    reasons = [body.get("reason") for body in await door.audit(plan, before)]
    assert reasons[1:3] == ["lease_expired", "lease_expired"]


@promise("walk.take-over", "command.take_over_step", "lease.take-over-person")
async def test_a_person_takes_a_step_over_at_any_time(door: Door) -> None:
    step = await door.at("in_progress")
    plan = step.partition(".")[0]
    before = await door.sequence(plan)
    told = await door.ask("take_over_step", PAT, step_id=step, reason="I know this one")

    assert told["data"]["step"]["attempt"] == 2
    assert told["data"]["step"]["lease"]["holder"] == "pat"
    assert await door.walk(plan, before) == [
        "1 in_progress>failed", "1 failed>pending", "1 pending>in_progress",
    ]  # fmt: skip
    assert (await door.audit(plan, before))[0]["reason"] == "taken_over"


@promise("walk.release", "command.release_step")
async def test_a_step_that_is_given_back_keeps_its_attempt(door: Door) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    before = await door.sequence(plan)
    told = await door.ask("release_step", step_id=step, lease=lease, note="the site is down")

    assert (told["data"]["step"]["status"], told["data"]["step"]["attempt"]) == ("pending", 1)
    assert await door.walk(plan, before) == ["1 in_progress>failed", "1 failed>pending"]
    assert (await door.audit(plan, before))[0]["reason"] == "released"
    again = (await door.ask("get_next_step", BOB, plan_id=plan))["data"]["step"]
    assert again["notes"][0]["note"] == "the site is down"


@promise("walk.remove", "modify.remove_step", "refusal.LAST_STEP")
async def test_a_step_is_removed_and_what_needed_it_is_free(door: Door) -> None:
    steps = [{"instructions": "a"}, {"instructions": "b", "depends_on": [1]}]
    plan = await door.plan(steps)
    told = await door.modify(plan, "remove_step", step_id=f"{plan}.1")

    assert [(row["step_id"], row["order"]) for row in told["data"]["steps"]] == [(f"{plan}.2", 1)]
    assert "depends_on" not in (await door.status(plan))["pending_steps"][0]
    no = await door.refuse("modify_plan", plan_id=plan, action="remove_step", step_id=f"{plan}.2")
    assert no["code"] == "LAST_STEP"
    assert (await door.claim(plan))[0] == f"{plan}.2"


@promise("walk.remove", "walk.derive-once", "invariant.all-terminal")
async def test_removing_the_last_open_step_completes_the_plan(door: Door) -> None:
    plan = await door.plan(2)
    await door.submit(f"{plan}.1")
    told = await door.modify(plan, "remove_step", step_id=f"{plan}.2")

    assert told["status"] == "completed"
    assert (await door.walk(plan))[-1] == "plan executing>completed"


@promise("walk.retry", "modify.retry_step", "refusal.INVALID_TRANSITION")
async def test_a_retry_needs_a_plan_that_executes_or_is_stalled(door: Door) -> None:
    step = await door.at("failed")
    plan = step.partition(".")[0]
    await door.review(plan)
    no = await door.refuse("modify_plan", plan_id=plan, action="retry_step", step_id=step)

    assert no["code"] == "INVALID_TRANSITION"
    assert await door.standing(plan) == "awaiting_review: failed awaiting_input"


@promise("walk.terminal-derives", "machine.failed-step")
async def test_when_the_last_open_step_fails_the_plan_is_completed_for_good(door: Door) -> None:
    plan = await door.plan(1)
    answer = await door.fail(f"{plan}.1")

    assert answer["status"] == "completed"
    whole = await door.stage.whole(plan)
    assert whole.row.ended_at == whole.row.changed_at
    no = await door.refuse("modify_plan", plan_id=plan, action="retry_step", step_id=f"{plan}.1")
    assert no["code"] == "PLAN_TERMINAL"


@promise("walk.plan-fails", "deviation.7", "lease.late", "invariant.all-terminal")
@pytest.mark.parametrize("how", ["branch", "reject", "fail_plan"])
async def test_a_plan_that_fails_closes_its_open_steps(door: Door, how: str) -> None:
    branch = {"after_step_order": 1, "expression": "bad === true", "action": "fail"}
    plan = await door.plan(5, branching_conditions=[branch])
    first, lease = await door.claim(plan)
    works, other = await door.claim(plan, BOB)
    asks = await door.review(plan)
    before = await door.sequence(plan)
    if how == "branch":
        await door.submit(first, lease=lease, result={"bad": True})
    elif how == "reject":
        await door.decide(asks, "reject", feedback="wrong question")
    else:
        await door.ask("fail_plan", PAT, plan_id=plan, reason="enough")

    done = "completed" if how == "branch" else "failed"
    assert await door.standing(plan) == f"failed: {done} failed failed skipped skipped"
    at = {body["at"] for body in await door.audit(plan, before)}
    assert len(at) == 1
    no = await door.refuse("submit_step_result", BOB, **handed_in(works), lease=other)
    assert no["code"] == "PLAN_TERMINAL"
    assert ("result", "late") in await door.kept(plan)


@promise("machine.ways-to-fail")
async def test_nothing_else_fails_a_plan(door: Door) -> None:
    plan = await door.plan(3)
    await door.fail(f"{plan}.1")
    step, _ = await door.claim(plan)
    await door.stall(plan)
    await door.ask("take_over_step", step_id=step, reason="it is silent")
    await door.fail(step)
    answer = await door.fail(f"{plan}.3")

    assert answer["status"] == "completed"
    assert not any(edge.endswith(">failed") and edge.startswith("plan")
                   for edge in await door.walk(plan))  # fmt: skip


@promise("walk.derive-once")
async def test_a_lone_step_is_claimed_again_without_completing_the_plan(door: Door) -> None:
    plan = await door.plan(1)
    await door.claim(plan)
    door.pass_ms(LEASE_MS + 1)
    await door.claim(plan, BOB)

    assert await door.standing(plan) == "executing: in_progress"
    assert "plan executing>completed" not in await door.walk(plan)


@promise("walk.derive-once", "branch.add_steps")
async def test_steps_that_a_last_step_adds_keep_the_plan_open(door: Door) -> None:
    branch = {"after_step_order": 1, "expression": "more > 0", "action": "add_steps",
              "steps": [{"instructions": "look again"}]}  # fmt: skip
    plan = await door.plan(1, branching_conditions=[branch])
    answer = await door.submit(f"{plan}.1", result={"more": 1})

    assert answer["status"] == "executing"
    assert await door.standing(plan) == "executing: completed pending"


@promise("walk.between-steps")
async def test_a_plan_executes_between_two_steps(door: Door) -> None:
    plan = await door.plan(2)
    await door.submit(f"{plan}.1")

    assert await door.standing(plan) == "executing: completed pending"


# -- the vectors of the original ---------------------------------------------------------------


@promise("machine.derive", "vector.executing")
async def test_completed_failed_pending_is_executing(door: Door) -> None:
    plan = await door.plan(3)
    await door.submit(f"{plan}.1")
    await door.fail(f"{plan}.2")

    assert await door.standing(plan) == "executing: completed failed pending"
    assert (await door.status(plan))["derived_status"] == "executing"


@promise("machine.derive", "vector.completed", "machine.failed-step", "progress.settled")
async def test_completed_failed_skipped_is_completed(door: Door) -> None:
    plan = await door.plan(3)
    await door.submit(f"{plan}.1")
    await door.fail(f"{plan}.2")
    await door.decide(await door.review(plan), "skip")

    assert await door.standing(plan) == "completed: completed failed skipped"
    status = await door.status(plan)
    assert (status["derived_status"], status["progress"], status["settled"]) == (
        "completed", 67, 100,
    )  # fmt: skip


@promise("machine.derive", "vector.awaiting_review", "invariant.review")
async def test_failed_and_awaiting_input_is_awaiting_review(door: Door) -> None:
    plan = await door.plan(2)
    await door.fail(f"{plan}.1")
    await door.review(plan)

    assert await door.standing(plan) == "awaiting_review: failed awaiting_input"
    assert (await door.status(plan))["derived_status"] == "awaiting_review"


@promise("invariant.can-complete", "machine.derive")
async def test_from_a_mess_agents_alone_complete_the_plan(door: Door) -> None:
    plan = await door.plan(3)
    await door.claim(plan)
    await door.fail(f"{plan}.2")
    await door.stall(plan)
    for by in (BOB, ADA):
        step, lease = await door.claim(plan, by)
        await door.submit(step, by, lease=lease)

    assert await door.standing(plan) == "completed: completed failed completed"
