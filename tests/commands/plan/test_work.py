"""Steps are claimed, handed in, branched after, and held back where they must be."""

from typing import cast

from interlock.kernel.refusal import Refusal
from tests.stage import ADA, BOB, PAT, Stage, new_plan, staged

Rows = list[dict[str, object]]


@staged
async def test_a_step_waits_for_those_it_depends_on(stage: Stage) -> None:
    steps = [{"instructions": "a"}, {"instructions": "b", "depends_on": [1, 1]}]
    told = {**new_plan(), "steps": steps}
    plan = str((await stage.call("create_research_plan", **told)).data["plan_id"])
    first, lease = await stage.claim(plan)

    waiting = await stage.call("get_next_step", BOB, plan_id=plan)
    assert waiting.status == "no_pending_steps"
    no = await stage.refused("submit_step_result", BOB, step_id=f"{plan}.2", result_summary="s")
    assert no.code == "BLOCKED_BY"

    await stage.call("submit_step_result", step_id=first, lease=lease, result_summary="s")
    assert (await stage.claim(plan, BOB))[0] == f"{plan}.2"


@staged
async def test_branches_are_asked_when_a_step_is_completed(stage: Stage) -> None:
    branches = [
        {"after_step_order": 1, "expression": "result.go === true", "action": "skip_to",
         "target_step_order": 3},
        {"after_step_order": 3, "expression": "result.more > 1", "action": "add_steps",
         "steps": [{"instructions": "look again", "step_type": "critique"}]},
        {"after_step_order": 3, "expression": "result.more > 9", "action": "fail", "reason": "no"},
    ]  # fmt: skip
    plan = await stage.plan(3, branching_conditions=branches)
    step, lease = await stage.claim(plan)

    done = await stage.call(
        "submit_step_result", step_id=step, lease=lease, result={"go": True}, result_summary="s"
    )
    assert await stage.standing(plan) == "executing: completed skipped pending"
    (row,) = cast("Rows", done.data["branches"])
    assert (row["action"], row["applied"]) == ("skip_to", True)

    step, lease = await stage.claim(plan)
    await stage.call(
        "submit_step_result", step_id=step, lease=lease, result={"more": 2}, result_summary="s"
    )
    assert await stage.standing(plan) == "executing: completed skipped completed pending"
    assert (await stage.whole(plan)).parts[3].part.fields["instructions"] == "look again"


@staged
async def test_a_checkpoint_tells_the_agent_to_ask_for_a_review(stage: Stage) -> None:
    steps = [{"instructions": "stop here", "step_type": "checkpoint"}]
    told = {**new_plan(), "steps": steps}
    plan = str((await stage.call("create_research_plan", **told)).data["plan_id"])

    answer = await stage.call("get_next_step", plan_id=plan)

    assert "request_user_review" in answer.next_action


@staged
async def test_submit_and_claim_the_next_step_in_one_call(stage: Stage) -> None:
    plan = await stage.plan(2)
    step, lease = await stage.claim(plan)

    first = await stage.call(
        "submit_step_result", step_id=step, lease=lease, result_summary="s", claim_next=True
    )
    following = cast("dict[str, object]", first.data["next_step"])
    assert following["step_id"] == f"{plan}.2"
    assert await stage.standing(plan) == "executing: completed in_progress"

    token = cast("dict[str, object]", following["lease"])["token"]
    last = await stage.call(
        "submit_step_result", step_id=f"{plan}.2", lease=token, result_summary="s", claim_next=True
    )
    assert (last.status, "next_step" in last.data) == ("completed", False)
    assert last.next_action.startswith("The plan has ended")


@staged
async def test_a_result_is_not_lost_because_the_next_claim_is_refused(stage: Stage) -> None:
    plan = await stage.plan(3)
    asks, _ = await stage.claim(plan)
    works, lease = await stage.claim(plan)
    await stage.call("request_user_review", step_id=asks, summary="look")

    done = await stage.call(
        "submit_step_result", step_id=works, lease=lease, result_summary="s", claim_next=True
    )

    assert (done.status, "next_step" in done.data) == ("awaiting_review", False)
    assert await stage.standing(plan) == "awaiting_review: awaiting_input completed pending"


@staged
async def test_why_no_step_is_handed_out(stage: Stage) -> None:
    plan = await stage.plan(2, max_parallel_steps=1)
    step, lease = await stage.claim(plan)

    busy = await stage.call("get_next_step", BOB, plan_id=plan)
    assert (busy.status, busy.data["counts"]) == (
        "no_pending_steps", {"in_progress": 1, "pending": 1},
    )  # fmt: skip
    (held,), (free,) = (
        cast("Rows", busy.data["current_steps"]),
        cast("Rows", busy.data["pending_steps"]),
    )
    assert (held["holder"], held["until"]) == ("ada", (await stage.whole(plan)).due[step])
    assert "holder" not in free
    assert busy.data["held_back"] == [
        {"step_id": f"{plan}.2", "code": "LIMIT_REACHED", "waits_for": [step]}
    ]

    await stage.call("request_user_review", step_id=step, summary="look", questions=["right?"])
    waiting = await stage.call("get_next_step", plan_id=plan)
    gate = cast("dict[str, object]", waiting.data["gate"])
    assert (waiting.status, gate["questions"]) == ("awaiting_review", ["right?"])
    assert str(gate["url"]).endswith(f"/gates/{gate['gate_id']}")
    await stage.call("submit_user_decision", PAT, step_id=step, decision="reject", feedback="no")
    over = await stage.call("get_next_step", plan_id=plan)
    assert (over.status, over.data["failure"]) == ("plan_failed", "no")
    no = await stage.refused("release_step", step_id=step, lease=lease)
    assert no.code == "PLAN_TERMINAL"


@staged
async def test_a_result_without_a_lease_is_taken_from_whoever_claimed_last(stage: Stage) -> None:
    plan = await stage.plan(3)
    await stage.claim(plan, session_id="s1")
    await stage.claim(plan, session_id="s2")
    told = {"step_id": f"{plan}.1", "result_summary": "s"}

    for by, session in ((ADA, "s2"), (BOB, None), (ADA, None)):
        no = await stage.refused("submit_step_result", by, **told, session_id=session)
        assert no.code == "STALE_LEASE"
    done = await stage.call("submit_step_result", **told, session_id="s1")
    never_claimed = {**told, "step_id": f"{plan}.3"}

    assert cast("dict[str, object]", done.data["step"])["status"] == "completed"
    assert (await stage.call("submit_step_result", BOB, **never_claimed)).status == "executing"


@staged
async def test_a_refusal_says_what_is_legal(stage: Stage) -> None:
    plan = await stage.plan(1)

    no = await stage.refused("heartbeat_step", step_id=f"{plan}.1")

    assert isinstance(no, Refusal)
    assert (no.code, no.http) == ("INVALID_TRANSITION", 409)
    assert "get_next_step" in [row.command for row in no.legal]


@staged
async def test_the_end_of_a_plan_says_how_the_deliverable_is_to_look(stage: Stage) -> None:
    plan = await stage.plan(2, output_formatting_notes="as a table")
    for number in (1, 2):
        await stage.call(
            "submit_step_result", step_id=f"{plan}.{number}", result_summary="s",
            output_formatting_notes="in short" if number == 2 else "",
        )  # fmt: skip

    over = await stage.call("get_next_step", plan_id=plan)

    assert (over.status, over.data["plan_formatting_notes"]) == ("plan_complete", "as a table")
    assert over.data["step_formatting_notes"] == [{"step_id": f"{plan}.2", "note": "in short"}]


@staged
async def test_earlier_attempts_are_told_to_whoever_tries_next(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    await stage.call("release_step", step_id=step, lease=lease, note="the site was down")

    answer = await stage.call("get_next_step", BOB, plan_id=plan)

    told = cast("dict[str, object]", answer.data["step"])
    assert told["notes"] == [{"attempt": 1, "ended_by": "released", "note": "the site was down"}]
    assert (told["order"], told["attempt"]) == (1, 1)
