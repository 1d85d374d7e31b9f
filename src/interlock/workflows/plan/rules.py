"""What each event does to a plan: guards, walk, slice. One row an event.

The holes of a naive reading are closed here, by walking edges that exist: a stalled plan is
resumed before anything is done to it, a pending step is started before it is completed or
failed, a step whose lease ran out fails and is retried before it is handed out again.
"""

from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.forms import (
    Both,
    By,
    Count,
    Either,
    Form,
    Free,
    Functions,
    In,
    Is,
    Named,
    Not,
)
from interlock.kernel.lease import LEASE_FUNCTIONS
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER, Do, Fire, Guard, Rule
from interlock.workflows.guards import REASON, digest_is_fresh
from interlock.workflows.plan.branching import add_rows, has_room, take_branches
from interlock.workflows.plan.writing import WRITING_FUNCTIONS

ANYONE: Final = frozenset({AGENT, USER, WORKER})
PERSON: Final = frozenset({USER})
CLOCK: Final = frozenset({SYSTEM})

# -- guards ------------------------------------------------------------------------------------


def _step_is(*statuses: str) -> Guard:
    return Guard(In("part", statuses))


OPEN = Guard(
    In("unit", ("planning", "executing", "awaiting_review", "stalled")),
    "PLAN_TERMINAL",
    "The plan has ended; nothing was applied.",
    "Read it with get_research_context, or create a new plan.",
)
NO_REVIEW = Guard(
    In("unit", ("planning", "executing", "stalled")),
    "REVIEW_OPEN",
    "The plan waits for a person's decision.",
    "Wait for the decision; steps in progress can still be submitted, released or taken over.",
)
CHANGEABLE = Guard(In("unit", ("planning", "executing")))
NO_REVIEW_OVER_PENDING = Guard(
    Not(Both((In("unit", ("awaiting_review",)), In("part", ("pending",))))),
    "REVIEW_OPEN",
    "The plan waits for a person's decision, so no pending step can be submitted.",
    "Wait for the decision, then call get_next_step.",
)
MINE = Guard(
    Named("lease_is_mine"),
    "STALE_LEASE",
    "The lease is not yours any more; the result was not applied and is kept as late.",
    "Call get_next_step for other work, or take_over_step once the lease has expired.",
)
NEVER_CLAIMED_IF_PENDING = Guard(
    Either((Not(In("part", ("pending",))), Named("never_claimed"))),
    "STALE_LEASE",
    "The step was given back and waits to be claimed again; the result is kept as late.",
    "Call get_next_step to claim it.",
)
UNBLOCKED = Guard(
    Either((Not(In("part", ("pending",))), Free())),
    "BLOCKED_BY",
    "Steps that this one depends on are still open.",
    "Finish those first; get_plan_status names them.",
)
WITHIN_LIMIT = Guard(
    Either((Not(In("part", ("pending",))), Count("step", ("in_progress",), "<", "max_parallel"))),
    "LIMIT_REACHED",
    "As many steps are in progress as the plan allows at once.",
    "Submit one of them first.",
)
TAKEABLE = Guard(
    Either((In("part", ("pending",)), Named("lease_is_takeable"))),
    "STEP_HELD",
    "Somebody holds the step and their lease is alive.",
    "Call get_next_step for other work.",
)
EXPIRED_OR_PERSON = Guard(
    Either((By((USER,)), Named("lease_is_takeable"))),
    "STEP_HELD",
    "An agent may take a step over only after its lease has expired.",
    "Wait until the lease expires, or ask a person to take it over.",
)
HELD = Guard(Not(Is("part", "holder", (None,))))
NOT_LAPSED = Guard(Is("part", "lapsed", (False,)))
PEOPLE_DECIDE = Guard(
    Either((By((USER,)), Is("unit", "review_policy", ("relay",)))),
    "HUMAN_REQUIRED",
    "This plan is reviewed by people; an agent's token cannot decide.",
    "Ask a person to decide on the review page or with `interlock decide`.",
)
PEOPLE_LOOSEN = Guard(
    Either(
        (
            By((USER,)),
            Is("unit", "review_policy", ("relay",)),
            Not(Is("event", "review_policy", ("relay",))),
        )
    ),
    "HUMAN_REQUIRED",
    "This plan is reviewed by people; only a person can let agents relay decisions.",
    "Ask a person to change the policy.",
)
FRESH = Guard(
    Named("digest_is_fresh"),
    "STALE_APPROVAL",
    "What was reviewed has changed since, or the decision does not say what was reviewed.",
    "Look at the review again and send the digest shown there.",
)
FEEDBACK = Guard(
    Not(Is("event", "feedback", (None, ""))),
    "FEEDBACK_REQUIRED",
    "This decision needs feedback.",
    "Send feedback that says why.",
)
ROOM = Guard(
    Named("has_room"),
    "LIMIT_REACHED",
    "The plan would have more steps than it may.",
    "Add fewer steps, or remove some first.",
)
NOT_LAST = Guard(
    Count("step", (), ">", 1),
    "LAST_STEP",
    "A plan keeps at least one step.",
    "Add another step first, or fail the plan.",
)

# -- functions ---------------------------------------------------------------------------------


def _next_attempt(draft: Draft) -> None:
    draft.write("part", "attempt", cast("int", draft.part.fields["attempt"]) + 1)


def _mark_stall(draft: Draft) -> None:
    draft.write("part", "stall_marked", value=True)


def _show(draft: Draft) -> None:
    draft.write("part", "shown", str(draft.event.args.get("digest", "")))


def _remove(draft: Draft) -> None:
    draft.write("unit", "is_shuffled", value=True)
    draft.drop("part", "removed")


def _rows(draft: Draft) -> list[dict[str, object]]:
    return cast("list[dict[str, object]]", draft.event.args.get("steps", []))


def _has_room(draft: Draft) -> bool:
    return has_room(draft, len(_rows(draft)))


def _add(draft: Draft) -> None:
    add_rows(draft, _rows(draft))


FUNCTIONS: Final[Functions] = {
    **LEASE_FUNCTIONS,
    **WRITING_FUNCTIONS,
    "take_branches": take_branches,
    "next_attempt": _next_attempt,
    "mark_stall": _mark_stall,
    "show_for_review": _show,
    "digest_is_fresh": digest_is_fresh("review_policy"),
    "remove_step": _remove,
    "has_room": _has_room,
    "add_steps": _add,
}

# -- walks -------------------------------------------------------------------------------------

BEGIN = Fire("unit", "begin", maybe=True)
RESUME = Fire("unit", "resume", maybe=True)
START = Fire("part", "start", maybe=True)
HAS_FAILED: Form = In("part", ("failed",))
IS_HELD: Form = Both((In("part", ("in_progress",)), Not(Is("part", "holder", (None,)))))


def _give_back(reason: str, *, when: Form | None = None) -> tuple[Fire | Do, ...]:
    """Fail a step and make it pending again: no edge leads there directly."""
    return (
        Fire("part", "fail", when=when, reason=reason),
        Do("note_attempt", when=HAS_FAILED),
        Do("next_attempt", when=HAS_FAILED),
        Fire("part", "retry", when=HAS_FAILED, reason=reason),
    )


LEASED = (Do("grant_lease"),)
SUBMITTED = ({"result": {}, "result_summary": "what was found"},)
DECIDED = ({"digest": "sha256:shown", "feedback": "what to change"},)

# fmt: off
RULES: Final = (
    Rule(
        "claim", "step", ANYONE, command="get_next_step",
        doc="Hand the step out, with a lease; one whose lease ran out is given back first.",
        guards=(OPEN, NO_REVIEW, _step_is("pending", "in_progress"), UNBLOCKED, TAKEABLE, WITHIN_LIMIT),
        walk=(BEGIN, RESUME, *_give_back("lease_expired", when=IS_HELD), START, *LEASED),
        sees=("next",),
    ),
    Rule(
        "submit", "step", ANYONE, command="submit_step_result", lease=True,
        doc="Complete the step with a result, then ask its conditions.",
        guards=(OPEN, _step_is("pending", "in_progress"), MINE, NEVER_CLAIMED_IF_PENDING, NO_REVIEW_OVER_PENDING, UNBLOCKED),
        walk=(BEGIN, RESUME, START, Fire("part", "complete"), Do("keep_result"), Do("take_branches")),
        sees=("part", "conditions"), examples=SUBMITTED,
    ),
    Rule(
        "heartbeat", "step", ANYONE, command="heartbeat_step", lease=True,
        doc="A sign of life: the lease is extended, a stalled plan goes on.",
        guards=(OPEN, _step_is("in_progress"), HELD, MINE),
        walk=(RESUME, Do("keep_lease")),
        sees=("part",),
    ),
    Rule(
        "release", "step", ANYONE, command="release_step", lease=True,
        doc="Give the step back; it can be claimed again at once.",
        guards=(OPEN, _step_is("in_progress"), HELD, MINE),
        walk=(
            RESUME, Fire("part", "fail", reason="released"), Do("note_attempt"),
            Fire("part", "retry", reason="released"),
        ),
        sees=("part",),
    ),
    Rule(
        "take_over", "step", ANYONE, command="take_over_step",
        doc="Take a step from whoever holds it; an agent only after the lease has expired.",
        guards=(OPEN, _step_is("in_progress"), REASON, EXPIRED_OR_PERSON),
        walk=(RESUME, *_give_back("taken_over", when=IS_HELD), START, *LEASED),
        sees=("part",), examples=({"reason": "its agent is gone"},),
    ),
    Rule(
        "lapse", "step", CLOCK, command="",
        doc="The clock says that the lease ran out: the plan stalls, once per attempt.",
        guards=(OPEN, _step_is("in_progress"), HELD, NOT_LAPSED),
        walk=(
            Do("lapse_lease"),
            Fire("unit", "stall", maybe=True, when=Is("part", "stall_marked", (False,))),
            Do("mark_stall", when=In("unit", ("stalled",))),
        ),
        sees=("part",),
    ),
    Rule(
        "request_review", "step", ANYONE, command="request_user_review", lease=True,
        doc="Pause the plan until a person has decided about the step.",
        guards=(OPEN, NO_REVIEW, _step_is("in_progress"), MINE),
        walk=(RESUME, Fire("part", "ask"), Do("show_for_review")),
        sees=("part",), examples=({"digest": "sha256:shown", "summary": "what was done"},),
    ),
    Rule(
        "approve", "step", ANYONE, command="submit_user_decision approve",
        doc="The step is completed as it was shown; its conditions are asked.",
        guards=(OPEN, _step_is("awaiting_input"), PEOPLE_DECIDE, FRESH),
        walk=(Fire("unit", "decided"), Fire("part", "approve"), Do("keep_result"), Do("take_branches")),
        sees=("part", "gate", "conditions"), examples=DECIDED,
    ),
    Rule(
        "modify", "step", ANYONE, command="submit_user_decision modify",
        doc="The step goes on with the feedback added to its instructions; nobody holds it.",
        guards=(OPEN, _step_is("awaiting_input"), PEOPLE_DECIDE, FEEDBACK, FRESH),
        walk=(Fire("unit", "decided"), Fire("part", "modify"), Do("append_feedback")),
        sees=("part", "gate"), examples=DECIDED,
    ),
    Rule(
        "skip", "step", ANYONE, command="submit_user_decision skip",
        doc="The step is skipped.",
        guards=(OPEN, _step_is("awaiting_input"), PEOPLE_DECIDE, FRESH),
        walk=(Fire("unit", "decided"), Fire("part", "skip")),
        sees=("part", "gate"), examples=DECIDED,
    ),
    Rule(
        "reject", "step", ANYONE, command="submit_user_decision reject",
        doc="The step and with it the plan fail.",
        guards=(OPEN, _step_is("awaiting_input"), PEOPLE_DECIDE, FEEDBACK, FRESH),
        walk=(Fire("part", "reject"), Fire("unit", "reject"), Do("keep_reason"), Do("keep_plan_reason")),
        sees=("part", "gate"), examples=DECIDED,
    ),
    Rule(
        "fail_step", "step", ANYONE, command="modify_plan fail_step",
        doc="Give the step up; the plan goes on without it.",
        guards=(OPEN, NO_REVIEW, _step_is("pending", "in_progress"), REASON),
        walk=(BEGIN, RESUME, START, Fire("part", "fail", reason="fail_step"), Do("keep_reason")),
        sees=("part",), examples=({"reason": "no source has it"},),
    ),
    Rule(
        "retry_step", "step", ANYONE, command="modify_plan retry_step",
        doc="A failed step becomes pending again.",
        guards=(OPEN, Guard(In("unit", ("executing", "stalled"))), _step_is("failed")),
        walk=(
            RESUME, Do("note_attempt"), Do("next_attempt"), Do("forget_failure"),
            Fire("part", "retry", reason="retry_step"),
        ),
        sees=("part",),
    ),
    Rule(
        "remove_step", "step", ANYONE, command="modify_plan remove_step",
        doc="Take a pending step out; what depended on it no longer does.",
        guards=(OPEN, CHANGEABLE, _step_is("pending"), NOT_LAST),
        walk=(Do("remove_step"),),
        sees=("part",),
    ),
    Rule(
        "update_step_instructions", "step", ANYONE, command="modify_plan update_step_instructions",
        doc="Write new instructions; no status changes.",
        guards=(OPEN, CHANGEABLE),
        walk=(Do("write_instructions"),),
        sees=("part",), examples=({"instructions": "what to do instead"},),
    ),
    Rule(
        "add_steps", "plan", ANYONE, command="modify_plan add_steps",
        doc="Add steps at the end.",
        guards=(OPEN, CHANGEABLE, ROOM),
        walk=(Do("add_steps"),),
        examples=({"steps": ({"step_type": "custom"},)},),
    ),
    Rule(
        "insert_steps", "step", ANYONE, command="modify_plan add_steps",
        doc="Add steps right after this one.",
        guards=(OPEN, CHANGEABLE, ROOM),
        walk=(Do("insert_steps"),),
        sees=("part",), examples=({"steps": ({"step_type": "custom"},)},),
    ),
    Rule(
        "update_plan", "plan", ANYONE, command="modify_plan update_plan",
        doc="Change name, notes, order, conditions or limits; no status changes.",
        guards=(OPEN, CHANGEABLE, PEOPLE_LOOSEN),
        walk=(Do("write_settings"),),
        examples=({"name": "a better name"},),
    ),
    Rule(
        "visit", "plan", ANYONE, command="get_research_context",
        doc="A session looks at the plan for the first time.",
        guards=(OPEN,),
    ),
    Rule(
        "fail_plan", "plan", PERSON, command="fail_plan",
        doc="A person ends the plan; its open steps are closed with it.",
        guards=(OPEN, REASON),
        walk=(Fire("unit", "fail_plan", reason="fail_plan"), Do("keep_plan_reason")),
        examples=({"reason": "no longer needed"},),
    ),
)
# fmt: on
