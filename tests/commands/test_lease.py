"""Leases through the commands: claimed, extended, given back, taken over, run out, too late."""

import asyncio
import json
import time
from typing import cast

from interlock.errors import InterlockError
from interlock.service.sweep import sweep
from interlock.service.work import WAIT_MAX_S
from tests.stage import ADA, BOB, DAY_MS, HOME, PAT, Stage, new_plan, staged

HALF_AN_HOUR_MS = 30 * 60 * 1000


def told(error: InterlockError) -> tuple[str, int]:
    return error.code, error.http


@staged
async def test_a_claim_gives_a_lease_for_half_an_hour(stage: Stage) -> None:
    plan = await stage.plan()

    answer = await stage.call("get_next_step", plan_id=plan, session_id="s1")

    step = cast("dict[str, object]", answer.data["step"])
    lease = cast("dict[str, object]", step["lease"])
    whole = await stage.whole(plan)
    assert answer.status == "in_progress"
    assert (step["step_id"], step["status"], step["attempt"]) == (f"{plan}.1", "in_progress", 1)
    assert (lease["token"], lease["holder"]) == (f"{whole.incarnation}.1", "s1")
    lasts = cast("int", lease["expires_at"]) - whole.row.changed_at
    assert lasts == HALF_AN_HOUR_MS
    assert abs(whole.due[f"{plan}.1"] - cast("int", lease["expires_at"])) < 5_000


@staged
async def test_a_step_or_a_plan_may_say_how_long_a_lease_is(stage: Stage) -> None:
    steps = [{"instructions": "a", "stall_after": 60}, {"instructions": "b"}]
    told = {**new_plan(), "steps": steps, "stall_after": 600}
    plan = str((await stage.call("create_research_plan", **told)).data["plan_id"])
    ends = []
    for _ in range(2):
        answer = await stage.call("get_next_step", plan_id=plan)
        step = cast("dict[str, dict[str, int]]", answer.data["step"])
        changed = (await stage.whole(plan)).row.changed_at
        ends.append(step["lease"]["expires_at"] - changed)

    assert ends == [60_000, 600_000]


@staged
async def test_a_bare_heartbeat_extends_the_lease_and_changes_nothing_else(stage: Stage) -> None:
    plan = await stage.plan()
    step, lease = await stage.claim(plan)
    await stage.pass_ms(HALF_AN_HOUR_MS // 2)
    version, head, changed, due, kept = await stage.mark(plan)

    answer = await stage.call("heartbeat_step", step_id=step, lease=lease)

    after = await stage.mark(plan)
    assert after[:3] == (version, head, changed)
    assert after[4] == kept
    longer = cast("dict[str, int]", after[3])[step] - cast("dict[str, int]", due)[step]
    assert abs(longer - HALF_AN_HOUR_MS // 2) < 5_000
    assert answer.receipt is not None
    assert answer.receipt.sequence == version


@staged
async def test_a_heartbeat_with_a_note_is_audited(stage: Stage) -> None:
    plan = await stage.plan()
    step, lease = await stage.claim(plan)
    before = len(await stage.audit(plan))

    await stage.call("heartbeat_step", step_id=step, lease=lease, note="2 of 4 sources")

    (entry,) = (await stage.audit(plan))[before:]
    assert (entry["event"], entry["note"]) == ("heartbeat", "2 of 4 sources")


@staged
async def test_a_heartbeat_wakes_a_stalled_plan_and_is_audited(stage: Stage) -> None:
    plan = await stage.plan()
    step, lease = await stage.claim(plan)
    await stage.pass_ms(DAY_MS)
    await sweep(stage.engine)
    before = len(await stage.audit(plan))

    answer = await stage.call("heartbeat_step", step_id=step, lease=lease)

    entries = (await stage.audit(plan))[before:]
    assert answer.status == "executing"
    assert [(e["event"], e["change"]) for e in entries] == [
        ("heartbeat", "move"), ("heartbeat", "write"),
    ]  # fmt: skip
    assert await sweep(stage.engine) == 0


@staged
async def test_a_released_step_can_be_claimed_at_once(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)

    await stage.call("release_step", step_id=step, lease=lease, note="no access")

    again, other = await stage.claim(plan, BOB)
    assert (again, other != lease) == (step, True)
    notes = [e["note"] for e in await stage.audit(plan) if "note" in e]
    assert notes == ["no access"]


@staged
async def test_a_person_takes_over_any_time_an_agent_only_after_expiry(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, _ = await stage.claim(plan)
    before = await stage.mark(plan)

    no = await stage.refused("take_over_step", BOB, step_id=step, reason="I want it")
    assert told(no) == ("STEP_HELD", 409)
    assert await stage.mark(plan) == before

    taken = await stage.call("take_over_step", PAT, step_id=step, reason="ada is on leave")
    mine = cast("dict[str, dict[str, object]]", taken.data["step"])["lease"]
    assert mine["holder"] == "pat"
    reasons = [e["told"] for e in await stage.audit(plan) if "told" in e]
    assert reasons == [{"reason": "ada is on leave"}]

    await stage.pass_ms(DAY_MS)
    await sweep(stage.engine)
    taken = await stage.call("take_over_step", BOB, step_id=step, reason="it has expired")
    assert cast("dict[str, dict[str, object]]", taken.data["step"])["lease"]["holder"] == "bob"


@staged
async def test_an_agent_takes_over_what_has_expired_though_nobody_has_swept(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, _ = await stage.claim(plan)
    await stage.pass_ms(DAY_MS)

    await stage.call("take_over_step", BOB, step_id=step, reason="it has expired")

    events = [entry["event"] for entry in await stage.audit(plan)]
    assert events.index("lapse") < events.index("take_over")


@staged
async def test_a_step_left_yesterday_is_claimed_today_though_nobody_has_swept(
    stage: Stage,
) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    nothing = await stage.call("get_next_step", BOB, plan_id=plan)
    assert nothing.status == "no_pending_steps"

    await stage.pass_ms(DAY_MS)
    again, other = await stage.claim(plan, BOB)

    assert (again, other != lease) == (step, True)
    (row,) = (await stage.whole(plan)).parts
    assert (row.part.fields["holder"], row.part.fields["attempt"]) == ("bob", 2)
    events = [entry["event"] for entry in await stage.audit(plan)]
    assert "lapse" in events


@staged
async def test_agents_who_ask_at_once_each_get_a_step_that_was_left(stage: Stage) -> None:
    plan = await stage.plan(3)
    left = {(await stage.claim(plan))[0] for _ in range(3)}
    await stage.pass_ms(DAY_MS)

    claimed = await asyncio.gather(*(stage.claim(plan, by) for by in (BOB, PAT, ADA)))

    assert {step for step, _ in claimed} == left


@staged
async def test_an_old_fence_is_refused_and_its_result_kept_as_late_once(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, old = await stage.claim(plan)
    await stage.call("take_over_step", PAT, step_id=step, reason="ada is on leave")
    *before, _ = await stage.mark(plan)
    result = {"step_id": step, "lease": old, "result": {"n": 7}, "result_summary": "seven"}

    for _ in range(3):
        no = await stage.refused("submit_step_result", **result)
        assert told(no) == ("STALE_LEASE", 409)

    *after, kept = await stage.mark(plan)
    assert after == before
    (late,) = await stage.engine.store.artifacts(HOME, plan)
    assert (late.part, late.name, late.mark, late.author) == (1, "result", "late", "ada")
    content = await stage.engine.store.content(HOME, late.digest)
    assert json.loads(content or b"") == {"result": {"n": 7}, "result_summary": "seven"}
    assert kept == (late,)

    for event in ("heartbeat_step", "release_step"):
        assert told(await stage.refused(event, step_id=step, lease=old))[0] == "STALE_LEASE"
    assert (await stage.mark(plan))[4] == (late,)


@staged
async def test_a_lease_of_another_incarnation_is_refused(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    before = await stage.mark(plan)
    name, _, number = lease.rpartition(".")

    for other in (f"zzzzzz.{number}", number, f"{name}.", f"{name}.-1", f"{name}.1e0", ".", name):
        no = await stage.refused("heartbeat_step", step_id=step, lease=other)
        assert told(no)[0] == "STALE_LEASE", other
    assert await stage.mark(plan) == before


@staged
async def test_results_that_come_after_the_plan_has_ended_are_kept_too(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    done = {"step_id": step, "lease": lease, "result_summary": "done"}
    assert (await stage.call("submit_step_result", **done)).status == "completed"

    no = await stage.refused("submit_step_result", **{**done, "result_summary": "better"})

    assert told(no)[0] == "PLAN_TERMINAL"
    kept = await stage.engine.store.artifacts(HOME, plan)
    assert [one.mark for one in kept] == ["", "late"]


@staged
async def test_a_lease_is_good_after_its_end_until_somebody_else_claims(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    await stage.pass_ms(DAY_MS)
    await sweep(stage.engine)

    done = await stage.call("submit_step_result", step_id=step, lease=lease, result_summary="ok")

    assert done.status == "completed"


# -- waiting -----------------------------------------------------------------------------------


@staged
async def test_a_long_poll_ends_as_soon_as_there_is_work(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    polls = [
        asyncio.ensure_future(stage.call("get_next_step", BOB, plan_id=plan, wait_s=10)),
        asyncio.ensure_future(stage.call("get_next_work", BOB, wait_s=10)),
    ]
    assert await asyncio.wait(polls, timeout=0.1) == (set(), set(polls))

    await stage.call("release_step", step_id=step, lease=lease)
    first_come = asyncio.FIRST_COMPLETED
    done, _ = await asyncio.wait(polls, return_when=first_come, timeout=WAIT_MAX_S / 2)

    # One of them got it, and long before its time was over.
    (first,) = done
    assert first.result().status in ("in_progress", "claimed")
    for poll in polls:
        poll.cancel()
    await asyncio.gather(*polls, return_exceptions=True)


@staged
async def test_a_long_poll_ends_in_time_when_there_is_none(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.claim(plan)
    began = time.monotonic()

    answer = await stage.call("get_next_step", BOB, plan_id=plan, wait_s=0.2)

    assert 0.15 < time.monotonic() - began < 5
    assert answer.status == "no_pending_steps"


@staged
async def test_a_long_poll_on_an_ended_plan_does_not_wait(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    await stage.call("submit_step_result", step_id=step, lease=lease, result_summary="ok")
    began = time.monotonic()

    answer = await stage.call("get_next_step", ADA, plan_id=plan, wait_s=10)

    assert time.monotonic() - began < 8
    assert answer.status == "plan_complete"
