"""How a plan stands, noticed stalls, remembered sessions, and the end a person puts to it."""

from typing import cast

from tests.stage import ADA, BOB, PAT, Stage, staged

Rows = list[dict[str, object]]
HOUR_MS = 3_600_000


@staged
async def test_the_status_of_a_plan(stage: Stage) -> None:
    plan = await stage.plan(4)
    step, lease = await stage.claim(plan)
    await stage.call(
        "submit_step_result", step_id=step, lease=lease, result_summary="it is so", confidence=0.5
    )
    await stage.call(
        "modify_plan", plan_id=plan, action="fail_step", step_id=f"{plan}.2", reason="no source"
    )
    await stage.claim(plan)

    answer = await stage.call("get_plan_status", plan_id=plan)

    data = answer.data
    assert (answer.status, data["derived_status"], data["name"]) == (
        "executing",
        "executing",
        "A plan",
    )
    assert (data["progress"], data["settled"]) == (25, 50)
    assert (data["total_steps"], data["counts"]) == (
        4, {"completed": 1, "failed": 1, "in_progress": 1, "pending": 1},
    )  # fmt: skip
    (done,), (failed,) = cast("Rows", data["completed_steps"]), cast("Rows", data["failed_steps"])
    assert (done["summary"], done["confidence"], done["order"]) == ("it is so", 0.5, 1)
    assert (failed["failure"], failed["order"]) == ("no source", 2)
    (current,), (pending,) = (
        cast("Rows", data["current_steps"]),
        cast("Rows", data["pending_steps"]),
    )
    assert (current["order"], current["holder"], pending["order"]) == (3, "ada", 4)
    assert answer.receipt is None


@staged
async def test_asking_for_the_status_notices_a_stall(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, _ = await stage.claim(plan)
    await stage.pass_ms(HOUR_MS)

    answer = await stage.call("get_plan_status", BOB, plan_id=plan)

    assert (answer.status, answer.data["stalled"], answer.data["stalled_steps"]) == (
        "stalled", True, [step],
    )  # fmt: skip


@staged
async def test_a_session_that_is_new_to_a_plan_is_remembered_once(stage: Stage) -> None:
    plan = await stage.plan(1, session_id="first")
    before = (await stage.whole(plan)).row.version
    for session in ("first", "second", "second", None):
        await stage.call("get_plan_status", plan_id=plan, session_id=session)

    whole = await stage.whole(plan)
    assert whole.row.unit.fields["sessions"] == ("first", "second")
    assert whole.row.version == before + 1


@staged
async def test_only_a_person_ends_a_plan_and_its_steps_end_with_it(stage: Stage) -> None:
    plan = await stage.plan(2)
    await stage.claim(plan)

    no = await stage.refused("fail_plan", ADA, plan_id=plan, reason="enough")
    done = await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")

    assert (no.code, done.status) == ("NOT_ALLOWED", "failed")
    assert await stage.standing(plan) == "failed: failed skipped"
    assert (await stage.call("get_plan_status", plan_id=plan)).data["failure"] == "enough"
