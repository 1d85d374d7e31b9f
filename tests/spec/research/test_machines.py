"""The two maps: every edge is walked by the commands that should, and no other edge by any."""

from typing import Final

import pytest

from interlock.plan import (
    InvalidTransition,
    Timed,
    can_transition_plan,
    can_transition_step,
    derive_plan_status,
    detect_stalled_steps,
    evaluate_condition,
    is_plan_stalled,
    resolve_branch,
    transition_plan,
    transition_step,
)
from tests.spec.door import ADA, LEASE_MS, PAT, Document, Door, handed_in, promise

STATUSES: Final = ("pending", "in_progress", "awaiting_input", "completed", "skipped", "failed")
FAILS: Final = {"after_step_order": 1, "expression": "bad === true", "action": "fail"}

PLAN_EDGES: Final = frozenset({
    ("planning", "executing"), ("planning", "failed"), ("executing", "awaiting_review"),
    ("executing", "stalled"), ("executing", "completed"), ("executing", "failed"),
    ("awaiting_review", "executing"), ("awaiting_review", "failed"), ("stalled", "executing"),
    ("stalled", "failed"),
})  # fmt: skip
STEP_EDGES: Final = frozenset({
    ("pending", "in_progress"), ("pending", "skipped"), ("in_progress", "awaiting_input"),
    ("in_progress", "completed"), ("in_progress", "failed"), ("awaiting_input", "in_progress"),
    ("awaiting_input", "completed"), ("awaiting_input", "skipped"), ("awaiting_input", "failed"),
    ("failed", "pending"),
})  # fmt: skip


def about(step: str, command: str) -> tuple[str, Document]:
    """Return the tool and the arguments of a command about a step."""
    plan = step.partition(".")[0]
    if command in ("approve", "modify", "skip", "reject"):
        return "submit_user_decision", {"step_id": step, "decision": command, "feedback": "so"}
    if command.endswith("_step") and command.partition("_")[0] in ("fail", "retry", "remove"):
        told: Document = {"plan_id": plan, "action": command, "step_id": step}
        return "modify_plan", told | ({"reason": "so"} if command == "fail_step" else {})
    more: dict[str, Document] = {
        "submit_step_result": handed_in(step),
        "take_over_step": {"step_id": step, "reason": "so"},
        "request_user_review": {"step_id": step, "summary": "look"},
    }
    return command, more.get(command, {"step_id": step})


@promise("machine.plan.planning-executing")
@pytest.mark.parametrize("command", ["get_next_step", "submit_step_result", "fail_step"])
async def test_work_begins_a_plan(door: Door, command: str) -> None:
    plan = await door.plan(2)
    tool, told = about(f"{plan}.1", command)
    if command == "get_next_step":
        told = {"plan_id": plan}
    await door.ask(tool, **told)

    assert (await door.walk(plan))[0] == "plan planning>executing"


@promise("machine.plan.planning-failed", "machine.plan.stalled-failed", "command.fail_plan")
@pytest.mark.parametrize("status", ["planning", "executing", "stalled", "awaiting_review"])
async def test_a_person_fails_a_plan_from_wherever_it_stands(door: Door, status: str) -> None:
    plan = await door.plan(2)
    if status == "awaiting_review":
        await door.review(plan)
    elif status != "planning":
        await door.claim(plan)
    if status == "stalled":
        await door.stall(plan)
    before = await door.sequence(plan)

    answer = await door.ask("fail_plan", PAT, plan_id=plan, reason="no longer needed")

    assert (answer["status"], (await door.walk(plan, before))[0]) == (
        "failed", f"plan {status}>failed",
    )  # fmt: skip
    assert (await door.status(plan))["failure"] == "no longer needed"


@promise("command.fail_plan", "deviation.7", "refusal.NOT_ALLOWED")
async def test_an_agent_cannot_fail_a_plan(door: Door) -> None:
    plan = await door.plan(1)
    no = await door.refuse("fail_plan", plan_id=plan, reason="no longer needed")

    assert no["code"] == "NOT_ALLOWED"
    assert await door.standing(plan) == "planning: pending"


@promise("machine.plan.executing-awaiting_review", "machine.step.in_progress-awaiting_input")
async def test_a_review_request_stops_the_plan(door: Door) -> None:
    plan = await door.plan(2)
    await door.review(plan)

    assert (await door.walk(plan))[-2:] == [
        "1 in_progress>awaiting_input", "plan executing>awaiting_review",
    ]  # fmt: skip


@promise("machine.plan.executing-stalled", "stall.by-status")
async def test_a_stall_that_the_status_sees_is_marked(door: Door) -> None:
    plan = await door.plan(1)
    await door.claim(plan)
    await door.stall(plan)

    assert (await door.walk(plan))[-1] == "plan executing>stalled"


@promise("machine.plan.executing-completed", "machine.step.in_progress-completed")
async def test_the_last_step_completes_the_plan(door: Door) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    answer = await door.submit(step, lease=lease)

    assert answer["status"] == "completed"
    assert (await door.walk(plan))[-2:] == ["1 in_progress>completed", "plan executing>completed"]


@promise("machine.plan.executing-failed", "machine.plan.awaiting_review-failed", "branch.fail")
@pytest.mark.parametrize("status", ["executing", "awaiting_review"])
async def test_a_fail_branch_fails_the_plan(door: Door, status: str) -> None:
    plan = await door.plan(3, branching_conditions=[{**FAILS, "reason": "it is bad"}])
    step, lease = await door.claim(plan)
    if status == "awaiting_review":
        await door.review(plan)
    answer = await door.submit(step, lease=lease, result={"bad": True})

    assert answer["status"] == "failed"
    assert f"plan {status}>failed" in await door.walk(plan)
    assert (await door.status(plan))["failure"] == "it is bad"


@promise("machine.plan.awaiting_review-executing", "machine.step.awaiting_input")
@pytest.mark.parametrize(
    ("decision", "target"),
    [("approve", "completed"), ("modify", "in_progress"), ("skip", "skipped")],
)
async def test_a_decision_lets_the_plan_go_on(door: Door, decision: str, target: str) -> None:
    step = await door.at("awaiting_input")
    plan = step.partition(".")[0]
    before = await door.sequence(plan)
    await door.decide(step, decision)

    assert await door.walk(plan, before) == [
        "plan awaiting_review>executing", f"1 awaiting_input>{target}",
    ]  # fmt: skip


@promise("machine.plan.awaiting_review-failed", "machine.step.awaiting_input")
async def test_a_rejection_fails_step_and_plan(door: Door) -> None:
    step = await door.at("awaiting_input")
    plan = step.partition(".")[0]
    await door.decide(step, "reject")

    assert await door.standing(plan) == "failed: failed skipped"
    assert "plan awaiting_review>failed" in await door.walk(plan)


@promise("machine.step.pending-in_progress")
async def test_a_claim_starts_a_step(door: Door) -> None:
    plan = await door.plan(1)
    await door.claim(plan)

    assert (await door.walk(plan))[-1] == "1 pending>in_progress"


@promise("machine.step.pending-skipped")
@pytest.mark.parametrize("how", ["skip_to", "fail_plan"])
async def test_a_pending_step_is_skipped(door: Door, how: str) -> None:
    branch = {"after_step_order": 1, "expression": "go === true", "action": "skip_to",
              "target_step_order": 3}  # fmt: skip
    plan = await door.plan(3, branching_conditions=[branch])
    if how == "skip_to":
        await door.submit(f"{plan}.1", result={"go": True})
    else:
        await door.ask("fail_plan", PAT, plan_id=plan, reason="enough")

    walked = await door.walk(plan)
    assert ("2 pending>skipped" if how == "skip_to" else "1,2,3 pending>skipped") in walked


@promise("machine.step.in_progress-failed", "machine.step.failed-pending")
@pytest.mark.parametrize(
    ("reason", "goes_on"),
    [("fail_step", ""), ("lease_expired", "1 failed>pending"), ("fail_plan", ""),
     ("taken_over", "1 failed>pending"), ("released", "1 failed>pending")],
)  # fmt: skip
async def test_a_step_in_progress_fails_for_these_reasons(
    door: Door, reason: str, goes_on: str
) -> None:
    step = await door.at("in_progress")
    plan = step.partition(".")[0]
    token = (await door.ask("heartbeat_step", step_id=step))["data"]["step"]["lease"]["token"]
    before = await door.sequence(plan)
    if reason == "lease_expired":
        door.pass_ms(LEASE_MS + 1)
        await door.sweep()
    calls: dict[str, tuple[str, Document]] = {
        "fail_step": about(step, "fail_step"),
        "lease_expired": ("get_next_step", {"plan_id": plan}),
        "taken_over": about(step, "take_over_step"),
        "released": ("release_step", {"step_id": step, "lease": token}),
        "fail_plan": ("fail_plan", {"plan_id": plan, "reason": "enough"}),
    }
    tool, told = calls[reason]
    await door.ask(tool, PAT if reason in ("taken_over", "fail_plan") else ADA, **told)

    failed = [body for body in await door.audit(plan, before) if body.get("target") == "failed"]
    assert "1 in_progress>failed" in await door.walk(plan, before)
    assert reason == "fail_plan" or failed[0]["reason"] == reason
    assert not goes_on or goes_on in await door.walk(plan, before)


@promise("machine.step.failed-pending", "walk.retry", "deviation.5")
async def test_a_failed_step_is_retried(door: Door) -> None:
    step = await door.at("failed")
    plan = step.partition(".")[0]
    await door.modify(plan, "retry_step", step_id=step)

    assert (await door.walk(plan))[-1] == "1 failed>pending"
    assert (await door.status(plan))["pending_steps"][0]["attempt"] == 2


# -- no other edge -----------------------------------------------------------------------------

COMMANDS: Final = {
    "submit_step_result": ("pending", "in_progress"),
    "heartbeat_step": ("in_progress",),
    "release_step": ("in_progress",),
    "take_over_step": ("in_progress",),
    "request_user_review": ("in_progress",),
    "fail_step": ("pending", "in_progress"),
    "retry_step": ("failed",),
    "remove_step": ("pending",),
}


@promise("machine.no-other-edge", "refusal.INVALID_TRANSITION")
@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("command", COMMANDS)
async def test_what_the_maps_do_not_have_is_refused_with_what_is_legal(
    door: Door, command: str, status: str
) -> None:
    step = await door.at(status)
    plan = step.partition(".")[0]
    tool, told = about(step, command)
    by = PAT if command == "take_over_step" else ADA
    if status in COMMANDS[command]:
        await door.ask(tool, by, **told)
        return
    before = await door.standing(plan), await door.sequence(plan)
    no = await door.refuse(tool, by, **told)

    is_asked = status == "awaiting_input" and command in ("request_user_review", "fail_step")
    assert no["code"] == ("REVIEW_OPEN" if is_asked else "INVALID_TRANSITION")
    named = no["legal_moves"]
    assert named
    assert not any(row.endswith(command) for row in named)
    assert before == (await door.standing(plan), await door.sequence(plan))


@promise("invariant.terminal-is-final", "refusal.PLAN_TERMINAL", "walk.plan-fails")
@pytest.mark.parametrize("end", ["completed", "failed"])
@pytest.mark.parametrize(
    "command", [*COMMANDS, "approve", "modify", "skip", "reject", "add_steps", "fail_plan"]
)
async def test_a_plan_that_has_ended_never_changes(door: Door, end: str, command: str) -> None:
    plan = await door.plan(1)
    step, _ = await door.claim(plan)
    if end == "completed":
        await door.submit(step)
    else:
        await door.ask("fail_plan", PAT, plan_id=plan, reason="enough")
    before = await door.standing(plan), await door.sequence(plan)
    tool, told = about(step, command)
    if command == "add_steps":
        tool = "modify_plan"
        told = {"plan_id": plan, "action": command, "steps": [{"instructions": "more"}]}
    if command == "fail_plan":
        told = {"plan_id": plan, "reason": "again"}

    no = await door.refuse(tool, PAT, **told)

    assert no["code"] == "PLAN_TERMINAL"
    assert before == (await door.standing(plan), await door.sequence(plan))


@promise("machine.functions", "machine.no-other-edge")
async def test_the_pure_functions_know_the_same_edges(door: Door) -> None:
    plans = sorted({name for edge in PLAN_EDGES for name in edge})
    for edges, names, can, go in (
        (PLAN_EDGES, plans, can_transition_plan, transition_plan),
        (STEP_EDGES, STATUSES, can_transition_step, transition_step),
    ):
        for source in names:
            for target in names:
                assert can(source, target) == ((source, target) in edges)
                if (source, target) in edges:
                    assert go(source, target) == target
                    continue
                with pytest.raises(InvalidTransition) as no:
                    go(source, target)
                assert no.value.code == "INVALID_TRANSITION"
                assert source in str(no.value)
    assert not can_transition_plan("nowhere", "executing")
    assert (await door.ask("ping"))["status"] == "ok"


@promise("machine.functions", "machine.derive", "stall.function", "branch.function")
async def test_the_pure_functions_say_what_the_door_says(door: Door) -> None:
    plan = await door.plan(2)
    await door.claim(plan)
    status = await door.status(plan)
    standing = [step["status"] for step in (await door.context(plan))["steps"]]

    assert derive_plan_status(standing) == derive_plan_status(status["counts"])
    assert derive_plan_status(standing) == status["derived_status"] == "executing"
    assert derive_plan_status([]) == "planning"
    row = Timed("p.1", "in_progress", updated_at=0, started_at=0)
    assert detect_stalled_steps([row], 1_800_000) == ()
    assert detect_stalled_steps([row], 1_800_001) == (row,)
    assert is_plan_stalled([row], 1_800_001)
    assert evaluate_condition("n > 1", {"result": {"n": 2}})
    assert resolve_branch("skip_to", {}, ["completed", "pending", "pending"], 0, 2).skipped == (1,)
