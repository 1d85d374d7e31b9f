"""The plan's stories, from its specification, and its legal pairs said a second time.

``broken(flow)`` plays all of them against any workflow object and returns what went wrong, so
that the mutation tests can ask what happens when a row is gone.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from interlock.kernel.draft import Draft
from interlock.kernel.refusal import BrokenTable
from interlock.kernel.seen import Event, Seen
from interlock.kernel.settle import check_pairs
from interlock.kernel.snapshot import Condition
from interlock.kernel.tally import tally
from interlock.kernel.workflow import Workflow
from interlock.workflows.plan.branching import read_expression
from tests.workflows.story import CLOCK, ME, OTHER, PERSON, Story, standing, told

TRUE = read_expression("go === true")
GO = {"result": {"go": True}}
MINE = {"fence": 1}
WHY = {"reason": "because"}
SHOWN = {"shown": "d1"}
SEEN = {"digest": "d1", "feedback": "shorter"}
HUMAN = {"review_policy": "human"}

# fmt: off
CLAIMS = (
    Story("the first claim begins the plan", "planning: pending pending", "claim", part=1, then="executing: in_progress pending", moves="unit.begin part.start", leaves={"holder": "me", "fence": 1}),
    Story("a claim resumes a stalled plan", "stalled: in_progress! pending", "claim", OTHER, part=2, then="executing: in_progress in_progress", moves="unit.resume part.start"),
    Story("a lapsed step is given back and handed out", "stalled: in_progress!", "claim", OTHER, part=1, then="executing: in_progress", moves="unit.resume part.fail part.retry part.start", leaves={"holder": "other", "fence": 2, "attempt": 2, "lapsed": False, "notes": ({"attempt": 1, "ended_by": "lease_expired"},)}),
    Story("after modify a claim is a lease and no edge", "executing: in_progress~", "claim", OTHER, part=1, then="executing: in_progress", leaves={"holder": "other", "fence": 2, "attempt": 1}),
    Story("a held step is passed over", "executing: in_progress*", "claim", OTHER, part=1, refused="STEP_HELD"),
    Story("nothing is claimed during a review", "awaiting_review: awaiting_input pending", "claim", part=2, refused="REVIEW_OPEN"),
    Story("nothing is claimed in an ended plan", "failed: skipped", "claim", part=1, refused="PLAN_TERMINAL"),
    Story("a completed step is not claimed", "executing: completed pending", "claim", part=1, refused="INVALID_TRANSITION"),
    Story("a step waits for what it depends on", "planning: pending pending<", "claim", part=2, refused="BLOCKED_BY"),
    Story("a failed dependency is no obstacle", "executing: failed pending<", "claim", part=2, then="executing: failed in_progress"),
    Story("max_parallel holds work back", "executing: in_progress* pending", "claim", part=2, fields={"max_parallel": 1}, refused="LIMIT_REACHED"),
    Story("a lapsed step is handed out at the limit", "stalled: in_progress! pending", "claim", OTHER, part=1, fields={"max_parallel": 1}, then="executing: in_progress pending"),
    Story("the clock does not claim", "planning: pending", "claim", CLOCK, part=1, refused="NOT_ALLOWED"),
)
SUBMITS = (
    Story("a result completes the step", "executing: in_progress* pending", "submit", part=1, args=MINE, then="executing: completed pending", moves="part.complete"),
    Story("the last result completes the plan", "executing: failed in_progress*", "submit", part=2, args=MINE, then="completed: failed completed", moves="part.complete unit.finish"),
    Story("a pending step nobody claimed is walked through", "planning: pending", "submit", part=1, then="completed: completed", moves="unit.begin part.start part.complete unit.finish"),
    Story("a result resumes a stalled plan", "stalled: in_progress!", "submit", part=1, args=MINE, then="completed: completed", moves="unit.resume part.complete unit.finish"),
    Story("an old fence is refused", "executing: in_progress*", "submit", part=1, args={"fence": 0}, refused="STALE_LEASE"),
    Story("a stranger without a fence is refused", "executing: in_progress*", "submit", OTHER, part=1, refused="STALE_LEASE"),
    Story("the same session needs no fence", "executing: in_progress*", "submit", part=1, then="completed: completed"),
    Story("after modify anyone may submit", "executing: in_progress~", "submit", OTHER, part=1, then="completed: completed"),
    Story("a step given back must be claimed again", "executing: pending~", "submit", part=1, args=MINE, refused="STALE_LEASE"),
    Story("a pending step is not submitted during a review", "awaiting_review: awaiting_input pending", "submit", part=2, refused="REVIEW_OPEN"),
    Story("a running step is submitted during a review", "awaiting_review: awaiting_input in_progress*", "submit", part=2, args=MINE, then="awaiting_review: awaiting_input completed"),
    Story("a pending step with open dependencies is not submitted", "planning: pending pending<", "submit", part=2, refused="BLOCKED_BY"),
    Story("a completed step is not submitted again", "executing: completed pending", "submit", part=1, refused="INVALID_TRANSITION"),
    Story("an ended plan takes no result", "failed: skipped", "submit", part=1, refused="PLAN_TERMINAL"),
)
BRANCHES = (
    Story("a fail branch fails the plan and closes its steps", "executing: in_progress* pending in_progress*", "submit", part=1, args={**MINE, **GO}, conditions=(Condition(TRUE, "fail", {"reason": "no"}),), then="failed: completed skipped failed", moves="part.complete unit.fail_branch all.close all.close", sets={"failure": "no"}),
    Story("a fail branch during a review fails the plan", "awaiting_review: awaiting_input in_progress*", "submit", part=2, args={**MINE, **GO}, conditions=(Condition(TRUE, "fail"),), then="failed: failed completed"),
    Story("skip_to passes over pending steps only", "executing: in_progress* pending completed pending", "submit", part=1, args={**MINE, **GO}, conditions=(Condition(TRUE, "skip_to", {}, "4"),), then="executing: completed skipped completed pending"),
    Story("skip_to leaves a step that waits for review alone", "awaiting_review: in_progress* awaiting_input pending pending", "submit", part=1, args={**MINE, **GO}, conditions=(Condition(TRUE, "skip_to", {}, "4"),), then="awaiting_review: completed awaiting_input skipped pending"),
    Story("skip_to a step that is no longer pending does nothing", "executing: in_progress* pending failed pending", "submit", part=1, args={**MINE, **GO}, conditions=(Condition(TRUE, "skip_to", {}, "3"),), then="executing: completed pending failed pending"),
    Story("skip_to backwards does nothing", "executing: pending pending in_progress*", "submit", part=3, args={**MINE, **GO}, conditions=(Condition(TRUE, "skip_to", {}, "1"),), then="executing: pending pending completed"),
    Story("add_steps inserts right after", "executing: in_progress* failed", "submit", part=1, args={**MINE, **GO}, conditions=(Condition(TRUE, "add_steps", {"steps": ({}, {})}),), then="executing: completed pending pending failed"),
    Story("add_steps beyond the limit is noted only", "executing: in_progress* pending", "submit", part=1, args={**MINE, **GO}, fields={"max_steps": 2}, conditions=(Condition(TRUE, "add_steps", {"steps": ({},)}),), then="executing: completed pending"),
    Story("continue has no effect", "executing: in_progress* pending", "submit", part=1, args={**MINE, **GO}, conditions=(Condition(TRUE, "continue"),), then="executing: completed pending"),
    Story("only the first true condition acts", "executing: in_progress* pending", "submit", part=1, args={**MINE, **GO}, conditions=(Condition(TRUE, "continue"), Condition(TRUE, "fail")), then="executing: completed pending"),
    Story("a false condition does not act", "executing: in_progress* pending", "submit", part=1, args={**MINE, "result": {"go": 1}}, conditions=(Condition(TRUE, "fail"),), then="executing: completed pending"),
    Story("an approval asks the conditions too", "awaiting_review: awaiting_input pending", "approve", PERSON, part=1, own=SHOWN, args={**SEEN, **GO}, conditions=(Condition(TRUE, "fail"),), then="failed: completed skipped"),
)
LEASES = (
    Story("a heartbeat resumes a stalled plan", "stalled: in_progress!", "heartbeat", part=1, args=MINE, then="executing: in_progress", moves="unit.resume", leaves={"lapsed": False}),
    Story("a heartbeat with an old fence is refused", "executing: in_progress*", "heartbeat", part=1, args={"fence": 0}, refused="STALE_LEASE"),
    Story("nobody's step has no heartbeat", "executing: in_progress~", "heartbeat", part=1, args=MINE, refused="INVALID_TRANSITION"),
    Story("a pending step has no heartbeat", "executing: pending~ pending", "heartbeat", part=1, args=MINE, refused="INVALID_TRANSITION"),
    Story("no heartbeat in an ended plan", "failed: failed*", "heartbeat", part=1, args=MINE, refused="PLAN_TERMINAL"),
    Story("a released step is pending, its attempt unchanged", "stalled: in_progress!", "release", part=1, args=MINE, then="executing: pending", moves="unit.resume part.fail part.retry", leaves={"holder": None, "fence": 1, "attempt": 1, "notes": ({"attempt": 1, "ended_by": "released"},)}),
    Story("only the holder releases", "executing: in_progress*", "release", OTHER, part=1, refused="STALE_LEASE"),
    Story("nobody's step is not released", "executing: in_progress~", "release", part=1, args=MINE, refused="INVALID_TRANSITION"),
    Story("a pending step is not released", "executing: pending pending", "release", part=1, refused="INVALID_TRANSITION"),
    Story("nothing is released in an ended plan", "failed: failed*", "release", part=1, args=MINE, refused="PLAN_TERMINAL"),
    Story("a person takes over at any time", "executing: in_progress*", "take_over", PERSON, part=1, args=WHY, then="executing: in_progress", moves="part.fail part.retry part.start", leaves={"holder": "ann", "fence": 2, "attempt": 2}),
    Story("an agent takes over only after expiry", "executing: in_progress*", "take_over", OTHER, part=1, args=WHY, refused="STEP_HELD"),
    Story("an agent takes over a lapsed step", "stalled: in_progress!", "take_over", OTHER, part=1, args=WHY, then="executing: in_progress", moves="unit.resume part.fail part.retry part.start"),
    Story("an unheld step is taken without an edge", "executing: in_progress~", "take_over", OTHER, part=1, args=WHY, then="executing: in_progress", leaves={"attempt": 1, "fence": 2}),
    Story("taking over needs a reason", "executing: in_progress!", "take_over", PERSON, part=1, refused="REASON_REQUIRED"),
    Story("a pending step is not taken over", "executing: pending pending", "take_over", PERSON, part=1, args=WHY, refused="INVALID_TRANSITION"),
    Story("nothing is taken over in an ended plan", "failed: failed*", "take_over", PERSON, part=1, args=WHY, refused="PLAN_TERMINAL"),
    Story("a step is taken over during a review", "awaiting_review: awaiting_input in_progress*", "take_over", PERSON, part=2, args=WHY, then="awaiting_review: awaiting_input in_progress"),
    Story("a lapse stalls the plan", "executing: in_progress*", "lapse", CLOCK, part=1, then="stalled: in_progress", moves="unit.stall", leaves={"lapsed": True, "stall_marked": True, "holder": "me"}),
    Story("a lapse stalls once per attempt", "executing: in_progress*", "lapse", CLOCK, part=1, own={"stall_marked": True}, then="executing: in_progress", leaves={"lapsed": True}),
    Story("a lapse during a review only marks the lease", "awaiting_review: awaiting_input in_progress*", "lapse", CLOCK, part=2, then="awaiting_review: awaiting_input in_progress", leaves={"lapsed": True, "stall_marked": False}),
    Story("a lapse is told once", "stalled: in_progress!", "lapse", CLOCK, part=1, refused="INVALID_TRANSITION"),
    Story("nobody's lease does not lapse", "executing: in_progress~", "lapse", CLOCK, part=1, refused="INVALID_TRANSITION"),
    Story("a pending step has no lease to lapse", "executing: pending~ in_progress", "lapse", CLOCK, part=1, own={"holder": "me"}, refused="INVALID_TRANSITION"),
    Story("nothing lapses in an ended plan", "failed: failed*", "lapse", CLOCK, part=1, refused="PLAN_TERMINAL"),
    Story("agents do not tell the time", "executing: in_progress*", "lapse", ME, part=1, refused="NOT_ALLOWED"),
)
REVIEWS = (
    Story("a review pauses the plan and ends the lease", "stalled: in_progress!", "request_review", part=1, args={**MINE, "digest": "d1"}, then="awaiting_review: awaiting_input", moves="unit.resume part.ask unit.review", leaves={"holder": None, "shown": "d1"}),
    Story("only one review at a time", "awaiting_review: awaiting_input in_progress*", "request_review", part=2, args=MINE, refused="REVIEW_OPEN"),
    Story("a pending step is not reviewed", "executing: pending pending", "request_review", part=1, refused="INVALID_TRANSITION"),
    Story("only the holder asks for review", "executing: in_progress*", "request_review", OTHER, part=1, refused="STALE_LEASE"),
    Story("no review in an ended plan", "completed: completed", "request_review", part=1, refused="PLAN_TERMINAL"),
    Story("approving the last step completes the plan", "awaiting_review: awaiting_input", "approve", PERSON, part=1, own=SHOWN, args=SEEN, then="completed: completed", moves="unit.decided part.approve unit.finish"),
    Story("an agent may relay an approval", "awaiting_review: awaiting_input pending", "approve", part=1, own=SHOWN, then="executing: completed pending"),
    Story("modify gives the step back unheld", "awaiting_review: awaiting_input", "modify", PERSON, part=1, own=SHOWN, args=SEEN, then="executing: in_progress", moves="unit.decided part.modify", leaves={"holder": None, "instructions": "\n\n---\n\nUser feedback:\n\nshorter"}),
    Story("a relayed modify says that it was relayed", "awaiting_review: awaiting_input", "modify", part=1, own=SHOWN, args=SEEN, then="executing: in_progress", leaves={"instructions": "\n\n---\n\nUser feedback (relayed by an agent, not confirmed by a person):\n\nshorter"}),
    Story("skip skips", "awaiting_review: awaiting_input", "skip", PERSON, part=1, own=SHOWN, args=SEEN, then="completed: skipped", moves="unit.decided part.skip unit.finish"),
    Story("reject fails step and plan", "awaiting_review: awaiting_input pending in_progress*", "reject", PERSON, part=1, own=SHOWN, args=SEEN, then="failed: failed skipped failed", moves="part.reject unit.reject all.close all.close", leaves={"failure": "shorter"}, sets={"failure": "shorter"}),
    Story("modify needs feedback", "awaiting_review: awaiting_input", "modify", PERSON, part=1, own=SHOWN, args={"digest": "d1"}, refused="FEEDBACK_REQUIRED"),
    Story("reject needs feedback", "awaiting_review: awaiting_input", "reject", PERSON, part=1, own=SHOWN, args={"digest": "d1", "feedback": ""}, refused="FEEDBACK_REQUIRED"),
    *(
        story
        for decision in ("approve", "modify", "skip", "reject")
        for story in (
            Story(f"{decision}: people decide where the policy says so", "awaiting_review: awaiting_input", decision, part=1, own=SHOWN, args=SEEN, fields=HUMAN, refused="HUMAN_REQUIRED"),
            Story(f"{decision}: another digest is stale", "awaiting_review: awaiting_input", decision, PERSON, part=1, own=SHOWN, args={**SEEN, "digest": "d0"}, refused="STALE_APPROVAL"),
            Story(f"{decision}: people must say what they saw", "awaiting_review: awaiting_input", decision, PERSON, part=1, own=SHOWN, args={"feedback": "x"}, fields=HUMAN, refused="STALE_APPROVAL"),
            Story(f"{decision}: there must be a review", "executing: in_progress*", decision, PERSON, part=1, args={"feedback": "x"}, refused="INVALID_TRANSITION"),
            Story(f"{decision}: not in an ended plan", "failed: failed", decision, PERSON, part=1, args={"feedback": "x"}, refused="PLAN_TERMINAL"),
        )
    ),
)
CHANGES = (
    Story("fail_step on a pending step begins the plan", "planning: pending pending", "fail_step", part=1, args=WHY, then="executing: failed pending", moves="unit.begin part.start part.fail", leaves={"failure": "because"}),
    Story("fail_step resumes a stalled plan", "stalled: in_progress! pending", "fail_step", part=1, args=WHY, then="executing: failed pending", moves="unit.resume part.fail"),
    Story("failing the last open step completes the plan", "executing: completed in_progress*", "fail_step", part=2, args=WHY, then="completed: completed failed"),
    Story("fail_step needs a reason", "executing: in_progress*", "fail_step", part=1, refused="REASON_REQUIRED"),
    Story("fail_step not during a review", "awaiting_review: awaiting_input pending", "fail_step", part=2, args=WHY, refused="REVIEW_OPEN"),
    Story("fail_step not on a completed step", "executing: completed pending", "fail_step", part=1, args=WHY, refused="INVALID_TRANSITION"),
    Story("fail_step not in an ended plan", "failed: skipped", "fail_step", part=1, args=WHY, refused="PLAN_TERMINAL"),
    Story("a failed step is retried", "executing: failed~ pending", "retry_step", part=1, then="executing: pending pending", own={"failure": "x"}, moves="part.retry", leaves={"attempt": 2, "failure": "", "notes": ({"attempt": 1, "ended_by": "failed", "failure": "x"},)}),
    Story("a retry resumes a stalled plan", "stalled: failed in_progress!", "retry_step", part=1, then="executing: pending in_progress", moves="unit.resume part.retry"),
    Story("no retry in a completed plan", "completed: failed", "retry_step", part=1, refused="PLAN_TERMINAL"),
    Story("no retry during a review", "awaiting_review: failed awaiting_input", "retry_step", part=1, refused="INVALID_TRANSITION"),
    Story("only a failed step is retried", "executing: pending pending", "retry_step", part=1, refused="INVALID_TRANSITION"),
    Story("a pending step is removed", "executing: pending in_progress*", "remove_step", part=1, then="executing: in_progress"),
    Story("removing the last open step completes the plan", "executing: completed pending", "remove_step", part=2, then="completed: completed", moves="unit.finish"),
    Story("the only step stays", "planning: pending", "remove_step", part=1, refused="LAST_STEP"),
    Story("a running step is not removed", "executing: in_progress* pending", "remove_step", part=1, refused="INVALID_TRANSITION"),
    Story("nothing is removed from a stalled plan", "stalled: in_progress! pending", "remove_step", part=2, refused="INVALID_TRANSITION"),
    Story("nothing is removed from an ended plan", "failed: skipped failed", "remove_step", part=1, refused="PLAN_TERMINAL"),
    Story("instructions change in any status of a step", "executing: completed pending", "update_step_instructions", part=1, args={"instructions": "do", "title": "t", "acceptance": "a"}, then="executing: completed pending", leaves={"instructions": "do", "title": "t", "acceptance": "a"}),
    Story("instructions do not change in a stalled plan", "stalled: in_progress!", "update_step_instructions", part=1, refused="INVALID_TRANSITION"),
    Story("instructions do not change in an ended plan", "completed: completed", "update_step_instructions", part=1, refused="PLAN_TERMINAL"),
    Story("steps are added at the end", "planning: pending", "add_steps", args={"steps": [{}, {}]}, then="planning: pending pending pending"),
    Story("no more steps than allowed", "planning: pending", "add_steps", args={"steps": [{}]}, fields={"max_steps": 1}, refused="LIMIT_REACHED"),
    Story("no steps are added during a review", "awaiting_review: awaiting_input", "add_steps", args={"steps": [{}]}, refused="INVALID_TRANSITION"),
    Story("no steps are added to an ended plan", "completed: completed", "add_steps", args={"steps": [{}]}, refused="PLAN_TERMINAL"),
    Story("steps are inserted after another one", "executing: in_progress* failed", "insert_steps", part=1, args={"steps": [{}, {}]}, then="executing: in_progress pending pending failed"),
    Story("no more steps than allowed are inserted", "planning: pending", "insert_steps", part=1, args={"steps": [{}]}, fields={"max_steps": 1}, refused="LIMIT_REACHED"),
    Story("no steps are inserted during a review", "awaiting_review: awaiting_input", "insert_steps", part=1, args={"steps": [{}]}, refused="INVALID_TRANSITION"),
    Story("no steps are inserted into an ended plan", "completed: completed", "insert_steps", part=1, args={"steps": [{}]}, refused="PLAN_TERMINAL"),
    Story("a plan's notes change", "executing: pending", "update_plan", args={"name": "n", "max_parallel": 2, "sessions": ("x",)}, then="executing: pending", sets={"name": "n", "max_parallel": 2, "sessions": ("me",)}),
    Story("a session is remembered once", "executing: pending", "visit", fields={"sessions": ("me",)}, then="executing: pending", sets={"sessions": ("me",)}),
    Story("a second session is remembered too", "executing: pending", "visit", OTHER, fields={"sessions": ("me",)}, then="executing: pending", sets={"sessions": ("me", "other")}),
    Story("an ended plan remembers nobody new", "completed: completed", "visit", OTHER, refused="PLAN_TERMINAL"),
    Story("a stalled plan is not changed", "stalled: in_progress!", "update_plan", refused="INVALID_TRANSITION"),
    Story("an ended plan is not changed", "completed: completed", "update_plan", refused="PLAN_TERMINAL"),
    *(
        Story(f"a person fails a plan that is {given.partition(':')[0]}", given, "fail_plan", PERSON, args=WHY, then=then, sets={"failure": "because"})
        for given, then in (
            ("planning: pending", "failed: skipped"),
            ("executing: in_progress* pending completed", "failed: failed skipped completed"),
            ("stalled: in_progress!", "failed: failed"),
            ("awaiting_review: awaiting_input pending", "failed: failed skipped"),
        )
    ),
    Story("an agent cannot fail the plan", "executing: pending", "fail_plan", args=WHY, refused="NOT_ALLOWED"),
    Story("failing a plan needs a reason", "executing: pending", "fail_plan", PERSON, refused="REASON_REQUIRED"),
    Story("an ended plan does not fail", "completed: completed", "fail_plan", PERSON, args=WHY, refused="PLAN_TERMINAL"),
)
# fmt: on

STORIES = (*CLAIMS, *SUBMITS, *BRANCHES, *LEASES, *REVIEWS, *CHANGES)


def is_legal(plan: str, steps: tuple[str, ...]) -> bool:
    """Say the legal pairs a second time, in plain words of the specification."""
    settled = all(step in ("completed", "skipped", "failed") for step in steps)
    if (plan in ("completed", "failed")) != settled:
        return False
    if (plan == "awaiting_review") != ("awaiting_input" in steps):
        return False
    if plan == "planning":
        return set(steps) == {"pending"}
    return plan != "stalled" or "in_progress" in steps


def unlike(flow: Workflow) -> Iterator[str]:
    """Compare the workflow's legal pairs with ``is_legal`` over all plans of up to 3 steps."""
    statuses = flow.kind("step").machine.names()
    for plan in flow.unit.names():
        for count in (1, 2, 3):
            for steps in combinations_with_replacement(statuses, count):
                snapshot = standing(flow, "step", f"{plan}: {' '.join(steps)}", {})
                event = Event("", CLOCK)
                draft = Draft(flow, Seen(snapshot.unit, tally(snapshot.parts)), event, 0)
                try:
                    check_pairs(draft)
                    holds = True
                except BrokenTable:
                    holds = False
                if holds != is_legal(plan, steps):
                    yield f"pairs: {plan} with {', '.join(steps)} is {'' if holds else 'il'}legal"


OFFERED = {
    "claim": "pending in_progress",
    "submit": "pending in_progress",
    "heartbeat": "in_progress",
    "release": "in_progress",
    "take_over": "in_progress",
    "lapse": "in_progress",
    "request_review": "in_progress",
    "approve": "awaiting_input",
    "modify": "awaiting_input",
    "skip": "awaiting_input",
    "reject": "awaiting_input",
    "fail_step": "pending in_progress",
    "retry_step": "failed",
    "remove_step": "pending",
}


def misoffered(flow: Workflow) -> Iterator[str]:
    """Compare where a step's events are offered with the specification."""
    for event, words in OFFERED.items():
        for status in flow.kind("step").machine.names():
            plan = "awaiting_review" if words == "awaiting_input" else "executing"
            offered = event in {row.event for row in flow.legal(plan, "step", status)}
            if offered != (status in words.split()):
                yield f"offers: {event} on a step that is {status}: {offered}"


def broken(flow: Workflow) -> list[str]:
    """Play every story, compare pairs and offers; return what went wrong."""
    wrong = [said for story in STORIES if (said := told(flow, "step", story))]
    return wrong or [*unlike(flow), *misoffered(flow)]
