"""Which events an entry of a plan's audit stands for, in the words that users of plans know.

Pure: it reads the body of an entry and nothing else.
"""

from collections.abc import Iterator, Mapping
from typing import Final, cast

from interlock.workflows.plan.rules import RULES

DECISIONS: Final = frozenset({"approve", "modify", "skip", "reject"})
CHANGES: Final = frozenset({
    "fail_step", "retry_step", "remove_step", "update_step_instructions", "add_steps",
    "insert_steps", "update_plan",
})  # fmt: skip

SKILLS: Final = frozenset({"skill_started", "skill_completed"})

COMMANDS: Final = {
    **{rule.event: rule.command for rule in RULES},
    "begin": "create_research_plan",
    **dict.fromkeys(SKILLS, "log_skill_execution"),
}
"""Which command sends an event."""

PLAN_ENTERS: Final = {
    "completed": "plan_completed",
    "failed": "plan_failed",
    "stalled": "plan_stalled",
}
STEP_ENTERS: Final = {
    "in_progress": "step_started",
    "completed": "step_completed",
    "failed": "step_failed",
    "skipped": "step_skipped",
    "pending": "step_retried",
}


def event_types(body: Mapping[str, object]) -> tuple[str, ...]:
    """Return the types of event that an entry of the audit tells, each once."""
    return tuple(dict.fromkeys(_types(body)))


def command_of(body: Mapping[str, object]) -> str:
    """Return the command that an entry came from; empty where the clock sent the event."""
    return COMMANDS.get(str(body["event"]), "")


def action_of(body: Mapping[str, object]) -> str:
    """Return what was done to the plan, or decided about it, in a word; empty for most."""
    if body["change"] == "begin":
        return "created"
    if body.get("target") == "awaiting_input":
        return "review_requested"
    return str(body.get("action") or body.get("decision") or "")


def reason_of(body: Mapping[str, object]) -> str:
    """Return why it happened; a claim that walks no edge takes up what a reviewer sent back."""
    return "modified" if _is_taken_up(body) else str(body.get("reason") or "")


def _is_taken_up(body: Mapping[str, object]) -> bool:
    written = cast("Mapping[str, object]", body.get("set", {}))
    return body["change"] == "write" and written.get("holder") is not None


def _types(body: Mapping[str, object]) -> Iterator[str]:
    event, change = body["event"], body["change"]
    if event in SKILLS:
        yield str(event)
    if change == "begin":
        yield "plan_modified"
    if event in CHANGES and ("action" in body or change in ("new", "drop", "arrange")):
        yield "plan_modified"
    if change == "move":
        yield from _moved(body)
    yield from _written(body)
    if "branches" in body:
        yield "branch_evaluated"


def _written(body: Mapping[str, object]) -> Iterator[str]:
    written = cast("Mapping[str, object]", body.get("set", {}))
    if _is_taken_up(body):
        yield "step_started"
    if "sessions" in written and len(cast("list[str]", written["sessions"])) > 1:
        yield "session_resumed"
    if body["event"] == "lapse" and "lapsed" in written:
        yield "lease_expired"


def _moved(body: Mapping[str, object]) -> Iterator[str]:
    event, source, target = body["event"], body["source"], str(body["target"])
    if "unit" in body:
        if source == "stalled" and target == "executing":
            yield "plan_resumed"
        if event in DECISIONS and target != "completed":
            yield "user_reviewed"
        if target in PLAN_ENTERS:
            yield PLAN_ENTERS[target]
        return
    if target == "awaiting_input":
        yield "user_reviewed"
    elif source == "awaiting_input" and target == "in_progress":
        return  # modify: the decision is told with the plan
    elif target in STEP_ENTERS:
        yield STEP_ENTERS[target]
