"""Which event types an entry stands for, as the specification's table has them."""

import pytest

from interlock.workflows.plan.history import action_of, command_of, event_types, reason_of


def _step(event: str, source: str, target: str, **more: object) -> dict[str, object]:
    return {"event": event, "change": "move", "kind": "step", "ids": ["p.1"], "source": source, "target": target, **more}  # fmt: skip


def _plan(event: str, source: str, target: str, **more: object) -> dict[str, object]:
    return {"event": event, "change": "move", "kind": "plan", "unit": True, "source": source, "target": target, **more}  # fmt: skip


def _write(event: str, **written: object) -> dict[str, object]:
    return {"event": event, "change": "write", "kind": "step", "ids": ["p.1"], "set": written}


# fmt: off
TABLE = [
    (_step("claim", "pending", "in_progress"), "step_started"),
    (_write("claim", fence=2, holder="me"), "step_started"),
    (_write("heartbeat", lapsed=False), ""),
    (_step("submit", "in_progress", "completed"), "step_completed"),
    (_step("submit", "in_progress", "completed", branches=[]), "step_completed branch_evaluated"),
    (_step("approve", "awaiting_input", "completed"), "step_completed"),
    (_step("fail_step", "in_progress", "failed", action="fail_step"), "plan_modified step_failed"),
    (_step("claim", "in_progress", "failed", reason="lease_expired"), "step_failed"),
    (_step("claim", "failed", "pending"), "step_retried"),
    (_step("submit", "pending", "skipped"), "step_skipped"),
    (_step("modify", "awaiting_input", "in_progress"), ""),
    (_step("request_review", "in_progress", "awaiting_input"), "user_reviewed"),
    (_plan("approve", "awaiting_review", "executing", decision="approve"), "user_reviewed"),
    (_plan("reject", "awaiting_review", "failed"), "user_reviewed plan_failed"),
    (_plan("claim", "planning", "executing"), ""),
    (_plan("claim", "stalled", "executing"), "plan_resumed"),
    (_plan("lapse", "executing", "stalled"), "plan_stalled"),
    (_write("lapse", lapsed=True), "lease_expired"),
    (_plan("submit", "executing", "completed"), "plan_completed"),
    (_plan("fail_plan", "executing", "failed"), "plan_failed"),
    ({"event": "begin", "change": "begin"}, "plan_modified"),
    ({"event": "skill_started", "change": "note"}, "skill_started"),
    ({"event": "skill_completed", "change": "note"}, "skill_completed"),
    ({"event": "update_plan", "change": "note", "action": "update_plan"}, "plan_modified"),
    ({"event": "update_plan", "change": "arrange", "ids": []}, "plan_modified"),
    ({"event": "visit", "change": "write", "unit": True, "set": {"sessions": ["a", "b"]}}, "session_resumed"),
    ({"event": "claim", "change": "write", "unit": True, "set": {"sessions": ["a"]}}, ""),
]
# fmt: on


# fmt: off
WORDS = [
    ({"event": "begin", "change": "begin"}, ("create_research_plan", "created", "")),
    (_step("request_review", "in_progress", "awaiting_input"), ("request_user_review", "review_requested", "")),
    (_plan("modify", "awaiting_review", "executing", decision="modify"), ("submit_user_decision modify", "modify", "")),
    (_step("fail_step", "in_progress", "failed", action="fail_step", reason="fail_step"), ("modify_plan fail_step", "fail_step", "fail_step")),
    (_step("claim", "in_progress", "failed", reason="lease_expired"), ("get_next_step", "", "lease_expired")),
    (_write("claim", fence=2, holder="me"), ("get_next_step", "", "modified")),
    (_write("heartbeat", lapsed=False), ("heartbeat_step", "", "")),
    (_plan("lapse", "executing", "stalled"), ("", "", "")),
    ({"event": "skill_started", "change": "note"}, ("log_skill_execution", "", "")),
]
# fmt: on


@pytest.mark.parametrize(("body", "words"), WORDS)
def test_an_entry_says_command_action_and_reason(
    body: dict[str, object], words: tuple[str, str, str]
) -> None:
    assert (command_of(body), action_of(body), reason_of(body)) == words


@pytest.mark.parametrize(("body", "types"), TABLE)
def test_an_entry_stands_for_these_events(body: dict[str, object], types: str) -> None:
    assert " ".join(event_types(body)) == types
