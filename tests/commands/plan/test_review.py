"""Reviews: what is asked is what is decided on, and only by those who may."""

import json
from typing import cast

import pytest

from interlock.service.engine import Principal
from tests.stage import ADA, BOB, HOME, PAT, Stage, staged

DRAFT = {"result": {"go": True}, "result_summary": "a draft", "confidence": 0.4}


async def _asked(stage: Stage, plan: str, **more: object) -> dict[str, object]:
    """Claim the next step and ask for a review of it; return the gate."""
    step, lease = await stage.claim(plan)
    told = await stage.call(
        "request_user_review", step_id=step, lease=lease, summary="look", **more
    )
    assert told.status == "awaiting_review"
    return cast("dict[str, object]", told.data["gate"])


async def _results(stage: Stage, plan: str, name: str) -> list[object]:
    rows = await stage.engine.store.artifacts(HOME, plan)
    found = [await stage.engine.store.content(HOME, row.digest) for row in rows if row.name == name]
    return [json.loads(one or b"null") for one in found]


@staged
async def test_an_approval_makes_the_draft_the_result_and_asks_its_branches(stage: Stage) -> None:
    branch = {"after_step_order": 1, "expression": "result.go === true", "action": "skip_to", "target_step_order": 3}  # fmt: skip
    plan = await stage.plan(3, branching_conditions=[branch])
    gate = await _asked(stage, plan, **DRAFT)

    done = await stage.call(
        "submit_user_decision", PAT, gate_id=gate["gate_id"], decision="approve"
    )

    assert (done.status, await stage.standing(plan)) == (
        "executing", "executing: completed skipped pending",
    )  # fmt: skip
    assert await _results(stage, plan, "result") == [DRAFT]
    fields = (await stage.whole(plan)).parts[0].part.fields
    assert (fields["summary"], fields["confidence"]) == ("a draft", 0.4)


@staged
async def test_a_modification_sets_the_draft_aside_and_adds_the_feedback(stage: Stage) -> None:
    plan = await stage.plan(2)
    gate = await _asked(stage, plan, **DRAFT)
    told = {"step_id": gate["step_id"], "decision": "modify", "feedback": "shorter"}

    await stage.call("submit_user_decision", PAT, **told)

    assert await _results(stage, plan, "draft") == [DRAFT]
    step = cast(
        "dict[str, object]", (await stage.call("get_next_step", BOB, plan_id=plan)).data["step"]
    )
    assert (step["step_id"], step["attempt"]) == (gate["step_id"], 1)
    assert str(step["instructions"]).endswith("\n\n---\n\nUser feedback:\n\nshorter")


@staged
async def test_relayed_feedback_says_that_it_was_relayed(stage: Stage) -> None:
    plan = await stage.plan(1)
    gate = await _asked(stage, plan)
    told = {"step_id": gate["step_id"], "decision": "modify", "feedback": "shorter"}
    by = Principal(HOME, "agent", "ada", ADA.scopes, on_behalf_of="pat")

    await stage.call("submit_user_decision", by, **told)

    fields = (await stage.whole(plan)).parts[0].part.fields
    assert "relayed by an agent" in str(fields["instructions"])
    assert (await stage.audit(plan))[-1]["actor"] == {
        "kind": "agent", "id": "ada", "on_behalf_of": "pat",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("decision", "standing"),
    [("skip", "executing: skipped pending"), ("reject", "failed: failed skipped")],
)
@staged
async def test_a_step_is_skipped_or_the_plan_fails(
    stage: Stage, decision: str, standing: str
) -> None:
    plan = await stage.plan(2)
    gate = await _asked(stage, plan)
    told = {"step_id": gate["step_id"], "decision": decision, "feedback": "no"}

    await stage.call("submit_user_decision", PAT, **told)

    assert await stage.standing(plan) == standing


@staged
async def test_where_people_decide_no_agent_does(stage: Stage) -> None:
    plan = await stage.plan(1, review_policy="human")
    gate = await _asked(stage, plan)
    told = {"step_id": gate["step_id"], "decision": "approve"}
    seen = {**told, "content_digest": gate["content_digest"]}
    reader = Principal(HOME, "user", "rea", frozenset({"read", "work"}))

    assert (await stage.refused("submit_user_decision", ADA, **seen)).code == "HUMAN_REQUIRED"
    assert (await stage.refused("submit_user_decision", PAT, **told)).code == "STALE_APPROVAL"
    assert (await stage.refused("submit_user_decision", reader, **seen)).code == "NOT_ALLOWED"
    assert (await stage.call("submit_user_decision", PAT, **seen)).status == "completed"


@staged
async def test_a_decision_about_an_earlier_review_is_stale(stage: Stage) -> None:
    plan = await stage.plan(1)
    first = await _asked(stage, plan)
    told = {"step_id": first["step_id"], "decision": "modify", "feedback": "more"}
    await stage.call("submit_user_decision", PAT, **told)
    second = await _asked(stage, plan, questions=["now?"])

    shown = {"step_id": first["step_id"], "content_digest": first["content_digest"]}
    no = await stage.refused("submit_user_decision", PAT, **shown, decision="approve")
    assert no.code == "STALE_APPROVAL"
    named = {"gate_id": first["gate_id"], "decision": "approve"}
    no = await stage.refused("submit_user_decision", PAT, **named)
    assert (no.code, "modify by user pat at" in no.message) == ("GATE_DECIDED", True)
    fresh = {"gate_id": second["gate_id"], "decision": "approve"}
    assert (await stage.call("submit_user_decision", PAT, **fresh)).status == "completed"


@staged
async def test_what_is_missing_is_said(stage: Stage) -> None:
    plan = await stage.plan(2)
    gate = await _asked(stage, plan)
    step = gate["step_id"]

    for decision in ("modify", "reject"):
        no = await stage.refused("submit_user_decision", PAT, step_id=step, decision=decision)
        assert no.code == "FEEDBACK_REQUIRED"
    assert (await stage.refused("submit_user_decision", decision="approve")).code == "INVALID_INPUT"
    second = await stage.refused("request_user_review", step_id=f"{plan}.2", summary="s")
    assert second.code == "REVIEW_OPEN"
    absent = await stage.refused("submit_user_decision", step_id=f"{plan}.9", decision="skip")
    assert absent.code == "NOT_FOUND"
    other = await stage.refused("submit_user_decision", step_id=f"{plan}.2", decision="skip")
    assert other.code == "INVALID_TRANSITION"
