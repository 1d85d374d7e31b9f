"""Reviews: every decision in every status, what each does, who may decide, and on what."""

from dataclasses import replace
from typing import Final

import pytest

from tests.doors.mcp.clients import on, refused
from tests.spec.door import ADA, BOB, PAT, Document, Door, promise

DECISIONS: Final = ("approve", "modify", "skip", "reject")
STATUSES: Final = ("pending", "in_progress", "awaiting_input", "completed", "skipped", "failed")
AFTER: Final = {
    "approve": "executing: completed pending",
    "modify": "executing: in_progress pending",
    "skip": "executing: skipped pending",
    "reject": "failed: failed skipped",
}


@promise("decision.matrix", "command.submit_user_decision", "refusal.INVALID_TRANSITION")
@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("decision", DECISIONS)
async def test_only_a_step_that_waits_for_it_is_decided(
    door: Door, decision: str, status: str
) -> None:
    step = await door.at(status)
    plan = step.partition(".")[0]
    before = await door.standing(plan), await door.sequence(plan)
    told: Document = {"step_id": step, "decision": decision, "feedback": "because"}
    if status == "awaiting_input":
        answer = await door.ask("submit_user_decision", **told)
        assert await door.standing(plan) == AFTER[decision]
        assert answer["data"]["step"]["status"] == AFTER[decision].split()[1]
        assert answer["data"]["plan_status"] == answer["status"] == AFTER[decision].split(":")[0]
        assert answer["next_action"]
        return
    no = await door.refuse("submit_user_decision", **told)

    # A step that a person has skipped was decided before: then they are told by whom.
    assert no["code"] == ("GATE_DECIDED" if status == "skipped" else "INVALID_TRANSITION")
    named = no["legal_moves"]
    assert not any(name.startswith("submit_user_decision") for name in named)
    assert before == (await door.standing(plan), await door.sequence(plan))


@promise("decision.approve", "command.request_user_review")
async def test_an_approval_makes_the_draft_the_result(door: Door) -> None:
    plan = await door.plan(2)
    step = await door.review(plan, result={"n": 7}, result_summary="seven", confidence=0.9)
    await door.decide(step, "approve")

    line = (await door.context(plan))["steps"][0]
    assert (line["status"], line["summary"], line["confidence"]) == ("completed", "seven", 0.9)
    assert line["result"] == '{"n": 7}'
    assert ("result", "") in await door.kept(plan)


@promise("decision.approve", "deviation.4", "branch.after-approval")
async def test_an_approval_asks_the_conditions_of_the_step(door: Door) -> None:
    branch = {"after_step_order": 1, "expression": "n === 7", "action": "skip_to",
              "target_step_order": 3}  # fmt: skip
    plan = await door.plan(3, branching_conditions=[branch])
    step = await door.review(plan, result={"n": 7}, result_summary="seven")
    await door.decide(step, "approve")

    assert await door.standing(plan) == "executing: completed skipped pending"


@promise("decision.modify", "command.request_user_review")
async def test_a_modification_goes_into_the_instructions_and_sets_the_draft_aside(
    door: Door,
) -> None:
    plan = await door.plan(2)
    step = await door.review(plan, result={"n": 7}, result_summary="seven")
    await door.decide(step, "modify", PAT, feedback="count again")

    line = (await door.context(plan))["steps"][0]
    assert line["instructions"] == "find out 1\n\n---\n\nUser feedback:\n\ncount again"
    assert ("draft", "") in await door.kept(plan)
    assert "result" not in line


@promise("decision.relayed", "policy.relay")
async def test_feedback_that_an_agent_relays_is_marked_so(door: Door) -> None:
    plan = await door.plan(2)
    step = await door.review(plan)
    before = await door.sequence(plan)
    await door.decide(step, "modify", feedback="count again")

    line = (await door.context(plan))["steps"][0]
    assert "User feedback (relayed" in line["instructions"]
    assert {body["actor"]["kind"] for body in await door.audit(plan, before)} == {"agent"}


@promise("decision.modify", "rule.claim-order", "lease.unheld", "audit.step_started")
async def test_a_modified_step_is_unheld_and_handed_out_first_without_an_edge(door: Door) -> None:
    plan = await door.plan(3)
    first, lease = await door.claim(plan)
    step = await door.review(plan)
    await door.decide(step, "modify")
    await door.ask("release_step", step_id=first, lease=lease)
    before = await door.sequence(plan)
    told = (await door.ask("get_next_step", BOB, plan_id=plan))["data"]["step"]

    assert (told["step_id"], told["attempt"], told["order"]) == (step, 1, 2)
    assert told["lease"]["holder"] == "bob"
    assert await door.walk(plan, before) == []
    (event,) = [one for one in (await door.context(plan))["last_events"]
                if one["sequence"] > before]  # fmt: skip
    assert (event["types"], event["reason"]) == (["step_started"], "modified")


@promise("decision.modify", "lease.unheld")
async def test_until_it_is_claimed_anyone_may_submit_a_modified_step(door: Door) -> None:
    plan = await door.plan(2)
    step = await door.review(plan)
    await door.decide(step, "modify")
    answer = await door.submit(step, BOB)

    assert answer["data"]["step"]["status"] == "completed"


@promise("decision.ends-lease", "lease.stale")
async def test_a_review_request_ends_the_lease(door: Door) -> None:
    plan = await door.plan(2)
    step, lease = await door.claim(plan)
    await door.ask("request_user_review", step_id=step, lease=lease, summary="look")
    assert "holder" not in (await door.status(plan))["current_steps"][0]
    await door.decide(step, "modify")
    await door.claim(plan, BOB)
    no = await door.refuse("submit_step_result", step_id=step, lease=lease, result_summary="s")

    assert no["code"] == "STALE_LEASE"


@promise("decision.feedback-required", "refusal.FEEDBACK_REQUIRED", "deviation.10")
@pytest.mark.parametrize("decision", ["modify", "reject"])
@pytest.mark.parametrize("feedback", [None, ""])
async def test_without_feedback_there_is_no_modify_and_no_reject(
    door: Door, decision: str, feedback: str | None
) -> None:
    step = await door.at("awaiting_input")
    told = {"step_id": step, "decision": decision, "feedback": feedback}
    no = await door.refuse("submit_user_decision", **told)

    assert no["code"] == "FEEDBACK_REQUIRED"


@promise("decision.reject", "machine.ways-to-fail", "command.get_next_step.plan_failed")
async def test_a_rejection_keeps_its_reason(door: Door) -> None:
    step = await door.at("awaiting_input")
    plan = step.partition(".")[0]
    await door.decide(step, "reject", feedback="wrong question")

    status = await door.status(plan)
    assert (status["failure"], status["failed_steps"][0]["failure"]) == (("wrong question",) * 2)
    over = await door.ask("get_next_step", plan_id=plan)
    assert (over["status"], over["data"]["failure"]) == ("plan_failed", "wrong question")


@promise("decision.skip")
async def test_a_skip_skips_the_step_alone(door: Door) -> None:
    plan = await door.plan(2)
    await door.decide(await door.review(plan), "skip")

    assert await door.standing(plan) == "executing: skipped pending"
    assert (await door.types(plan))[-2:] == ["user_reviewed", "step_skipped"]


# -- while a review is open --------------------------------------------------------------------


@promise("review.open", "refusal.REVIEW_OPEN")
async def test_while_a_review_is_open(door: Door) -> None:
    plan = await door.plan(6)
    held = [await door.claim(plan) for _ in range(4)]
    asks = await door.review(plan)
    (first, one), (second, two), (third, _), (fourth, four) = held

    again = await door.refuse("request_user_review", step_id=fourth, lease=four, summary="look")
    pending = await door.refuse("submit_step_result", step_id=f"{plan}.6", result_summary="s")
    assert (again["code"], pending["code"]) == ("REVIEW_OPEN", "REVIEW_OPEN")
    waiting = await door.ask("get_next_step", plan_id=plan)
    assert waiting["status"] == "awaiting_review"
    await door.submit(first, lease=one)
    await door.ask("release_step", step_id=second, lease=two)
    await door.ask("take_over_step", PAT, step_id=third, reason="mine")
    assert await door.standing(plan) == (
        "awaiting_review: completed pending in_progress in_progress awaiting_input pending"
    )
    await door.decide(asks, "approve")
    assert (await door.status(plan))["status"] == "executing"


@promise("review.pending-refused", "refusal.INVALID_TRANSITION")
async def test_a_pending_step_cannot_be_reviewed(door: Door) -> None:
    plan = await door.plan(1)
    no = await door.refuse("request_user_review", step_id=f"{plan}.1", summary="look")

    assert no["code"] == "INVALID_TRANSITION"
    assert "get_next_step" in no["legal_moves"]


@promise("command.request_user_review", "command.get_next_step.awaiting_review")
async def test_what_is_asked_is_told_with_where_to_answer(door: Door) -> None:
    plan = await door.plan(1)
    step, lease = await door.claim(plan)
    asked = {"step_id": step, "lease": lease, "summary": "look", "questions": ["is it so?"],
             "artifact_ids": ["doc-1"]}  # fmt: skip
    made = (await door.ask("request_user_review", **asked))["data"]["gate"]
    told = await door.ask("get_next_step", plan_id=plan)

    gate = told["data"]["gate"]
    assert made["gate_id"] == gate["gate_id"]
    assert gate["url"].endswith(f"/gates/{gate['gate_id']}")
    assert (gate["summary"], gate["questions"]) == ("look", ["is it so?"])
    assert gate["artifact_ids"] == ["doc-1"]
    assert "gate" in (await door.status(plan))
    by_gate = {"gate_id": gate["gate_id"], "decision": "approve", "answers": ["yes"]}
    answer = await door.ask("submit_user_decision", **by_gate)
    assert answer["status"] == "completed"
    (decided,) = [body for body in await door.audit(plan) if body.get("decision")]
    assert decided["answers"] == ["yes"]


# -- who may decide, and on what ---------------------------------------------------------------


@promise("policy.human", "refusal.HUMAN_REQUIRED")
@pytest.mark.parametrize("decision", DECISIONS)
async def test_where_people_decide_an_agent_cannot(door: Door, decision: str) -> None:
    plan = await door.plan(2, review_policy="human")
    step = await door.review(plan)
    told: Document = {"step_id": step, "decision": decision, "feedback": "because"}
    no = await door.refuse("submit_user_decision", **told)
    assert no["code"] == "HUMAN_REQUIRED"

    digest = (await door.status(plan))["gate"]["content_digest"]
    await door.ask("submit_user_decision", PAT, **told, content_digest=digest)
    assert await door.standing(plan) == AFTER[decision]


@promise("policy.relay", "refusal.NOT_ALLOWED")
async def test_whoever_may_only_read_passes_no_decision_on(door: Door) -> None:
    step = await door.at("awaiting_input")
    async with on(door.stage, replace(ADA, scopes=frozenset({"read"}))) as client:
        no = await refused(client, "submit_user_decision", step_id=step, decision="approve")

    assert no["code"] == "NOT_ALLOWED"
    assert await door.standing(step.partition(".")[0]) == "awaiting_review: awaiting_input pending"


@promise("policy.digest", "refusal.STALE_APPROVAL")
@pytest.mark.parametrize("digest", [None, "0" * 64])
async def test_where_people_decide_they_say_what_they_saw(door: Door, digest: str | None) -> None:
    plan = await door.plan(1, review_policy="human")
    step = await door.review(plan)
    told = {"step_id": step, "decision": "approve", "content_digest": digest}
    no = await door.refuse("submit_user_decision", PAT, **told)

    assert no["code"] == "STALE_APPROVAL"


@promise("policy.digest", "refusal.STALE_APPROVAL")
@pytest.mark.parametrize("by", [ADA, PAT])
async def test_a_decision_about_an_earlier_review_is_refused(door: Door, by: object) -> None:
    plan = await door.plan(1)
    step = await door.review(plan, result={"n": 1}, result_summary="one")
    first = (await door.status(plan))["gate"]
    await door.decide(step, "modify")
    await door.review(plan, result={"n": 2}, result_summary="two")
    old = {"step_id": step, "decision": "approve", "content_digest": first["content_digest"]}
    no = await door.refuse("submit_user_decision", PAT if by is PAT else ADA, **old)
    gone = await door.refuse("submit_user_decision", gate_id=first["gate_id"], decision="approve")

    assert (no["code"], gone["code"]) == ("STALE_APPROVAL", "GATE_DECIDED")
    assert await door.standing(plan) == "awaiting_review: awaiting_input"
