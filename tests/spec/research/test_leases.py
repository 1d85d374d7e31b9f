"""Leases: how long, whose, by which token, and what becomes of results that come too late."""

import asyncio

import pytest

from tests.spec.door import ADA, BOB, LEASE_MS, PAT, Door, handed_in, promise


@promise("lease.length", "stall.threshold", "command.get_next_step.in_progress")
async def test_a_lease_is_as_long_as_the_threshold(door: Door) -> None:
    now = door.stage.clock.now()
    steps = [{"instructions": "a"}, {"instructions": "b", "stall_after": 5}]
    for more, lasts in (({}, (LEASE_MS, 5_000)), ({"stall_after": 60}, (60_000, 5_000))):
        plan = await door.plan(steps, **more)
        for expected in lasts:
            told = (await door.ask("get_next_step", plan_id=plan))["data"]["step"]
            assert told["lease"]["expires_at"] == now + expected


@promise("command.heartbeat_step", "lease.extended")
async def test_a_sign_of_life_extends_the_lease(door: Door) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    door.pass_ms(LEASE_MS - 1)
    told = await door.ask("heartbeat_step", step_id=step, lease=lease, note="half of it")

    expires = told["data"]["step"]["lease"]["expires_at"]
    assert expires == door.stage.clock.now() + LEASE_MS
    door.pass_ms(LEASE_MS - 1)
    await door.sweep()
    assert (await door.status(plan))["stalled"] is False


@promise("lease.after-expiry", "deviation.2")
async def test_a_token_is_good_until_somebody_else_claims(door: Door) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    await door.stall(plan)
    answer = await door.submit(step, lease=lease)

    assert answer["status"] == "completed"


@promise("lease.stale", "lease.late", "refusal.STALE_LEASE", "deviation.8")
async def test_an_old_token_is_refused_and_its_result_is_kept_as_late(door: Door) -> None:
    plan = await door.plan(1)
    step, old = await door.claim(plan)
    door.pass_ms(LEASE_MS + 1)
    await door.claim(plan, BOB)
    calls = {
        "submit_step_result": {"result_summary": "mine"},
        "request_user_review": {"summary": "mine"},
        "heartbeat_step": {},
        "release_step": {},
    }
    for tool, more in calls.items():
        no = await door.refuse(tool, step_id=step, lease=old, **more)
        assert no["code"] == "STALE_LEASE", tool

    assert await door.kept(plan) == [("result", "late"), ("review", "late")]
    assert (await door.status(plan))["current_steps"][0]["holder"] == "bob"


@promise("lease.without-token")
async def test_without_a_token_whoever_claimed_last_is_believed(door: Door) -> None:
    plan = await door.plan(4)
    await door.claim(plan, session_id="s1")
    await door.claim(plan)
    for by, session in ((ADA, "s2"), (BOB, "s1b"), (BOB, None)):
        told = {**handed_in(f"{plan}.1"), "session_id": session}
        assert (await door.refuse("submit_step_result", by, **told))["code"] == "STALE_LEASE"
    for by in (BOB, PAT):
        no = await door.refuse("submit_step_result", by, **handed_in(f"{plan}.2"))
        assert no["code"] == "STALE_LEASE"

    await door.submit(f"{plan}.1", session_id="s1")
    await door.ask("request_user_review", step_id=f"{plan}.2", summary="look")
    await door.decide(f"{plan}.2", "approve")
    await door.submit(f"{plan}.3", BOB)
    assert await door.standing(plan) == "executing: completed completed completed pending"


@promise("lease.given-back", "deviation.8", "refusal.STALE_LEASE")
async def test_a_step_that_was_given_back_must_be_claimed_again(door: Door) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    await door.ask("release_step", step_id=step, lease=lease)
    for token in (None, lease):
        no = await door.refuse("submit_step_result", **handed_in(step), lease=token)
        assert (no["code"], "get_next_step" in no["fix"]) == ("STALE_LEASE", True)


@promise("lease.take-over-agent", "command.take_over_step", "refusal.STEP_HELD")
async def test_an_agent_takes_over_only_what_has_expired(door: Door) -> None:
    plan = await door.plan(1)
    step, old = await door.claim(plan)
    no = await door.refuse("take_over_step", BOB, step_id=step, reason="it is slow")
    assert no["code"] == "STEP_HELD"
    door.pass_ms(LEASE_MS + 1)
    told = (await door.ask("take_over_step", BOB, step_id=step, reason="it is silent"))["data"]

    assert told["step"]["lease"]["holder"] == "bob"
    assert told["step"]["lease"]["token"] != old
    assert (await door.refuse("submit_step_result", **handed_in(step), lease=old))["code"] == (
        "STALE_LEASE"
    )


@promise("command.take_over_step")
async def test_a_take_over_says_why(door: Door) -> None:
    step = await door.at("in_progress")
    no = await door.refuse("take_over_step", PAT, step_id=step)

    assert (no["code"], "reason" in no["message"]) == ("INVALID_INPUT", True)


@promise("rule.claim-order")
async def test_a_held_step_is_passed_over_and_so_is_one_that_is_held_back(door: Door) -> None:
    steps = [
        {"instructions": "a"}, {"instructions": "b", "depends_on": [1]}, {"instructions": "c"},
    ]  # fmt: skip
    plan = await door.plan(steps)

    assert [(await door.claim(plan))[0] for _ in range(2)] == [f"{plan}.1", f"{plan}.3"]
    none = await door.ask("get_next_step", BOB, plan_id=plan)
    assert none["status"] == "no_pending_steps"
    assert none["data"]["held_back"] == [
        {"step_id": f"{plan}.2", "code": "BLOCKED_BY", "waits_for": [f"{plan}.1"]}
    ]
    await door.fail(f"{plan}.1")
    assert (await door.claim(plan, BOB))[0] == f"{plan}.2"


@promise("rule.claim-order", "audit.step_started")
async def test_every_claim_starts_the_clock_afresh(door: Door) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    door.pass_ms(1_000)
    await door.ask("release_step", step_id=step, lease=lease)
    told = (await door.ask("get_next_step", plan_id=plan))["data"]["step"]

    assert told["lease"]["expires_at"] == door.stage.clock.now() + LEASE_MS


@promise("rule.claim-atomic")
async def test_two_sessions_never_get_the_same_step(door: Door) -> None:
    plan = await door.plan(12)
    asked = [door.claim(plan, by, session_id=by.id) for by in (ADA, BOB) * 6]
    claimed = [step for step, _ in await asyncio.gather(*asked)]

    assert sorted(claimed) == sorted(f"{plan}.{number}" for number in range(1, 13))


@promise("rule.max-parallel", "deviation.10", "command.get_next_step.no_pending_steps")
async def test_no_more_steps_are_handed_out_at_once_than_the_plan_allows(door: Door) -> None:
    plan = await door.plan(3, max_parallel_steps=1)
    step, lease = await door.claim(plan)
    none = await door.ask("get_next_step", BOB, plan_id=plan)

    assert (none["status"], none["data"]["counts"]["in_progress"]) == ("no_pending_steps", 1)
    (held,) = none["data"]["current_steps"]
    assert (held["step_id"], held["holder"]) == (step, "ada")
    assert held["until"] == door.stage.clock.now() + LEASE_MS
    assert [row["waits_for"] for row in none["data"]["held_back"]] == [[step], [step]]
    assert {row["code"] for row in none["data"]["held_back"]} == {"LIMIT_REACHED"}
    assert "held_back" in none["next_action"]
    await door.submit(step, lease=lease)
    assert (await door.claim(plan, BOB))[0] == f"{plan}.2"


@promise("rule.depends_on", "refusal.BLOCKED_BY", "deviation.10")
async def test_a_step_with_an_open_dependency_is_not_submitted(door: Door) -> None:
    plan = await door.plan([{"instructions": "a"}, {"instructions": "b", "depends_on": [1]}])
    no = await door.refuse("submit_step_result", **handed_in(f"{plan}.2"))

    assert no["code"] == "BLOCKED_BY"
    assert ("result", "late") in await door.kept(plan)
    await door.fail(f"{plan}.1")
    await door.submit(f"{plan}.2")


@promise("rule.depends_on", "refusal.INVALID_STEP_REFERENCE")
@pytest.mark.parametrize("order", [2, 3])
async def test_a_step_depends_on_earlier_ones_only(door: Door, order: int) -> None:
    steps = [{"instructions": "a"}, {"instructions": "b", "depends_on": [order]}]
    told = {"name": "A plan", "research_question": "?", "steps": steps}
    no = await door.refuse("create_research_plan", **told)

    assert no["code"] == "INVALID_STEP_REFERENCE"
