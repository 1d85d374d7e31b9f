"""The whole plan workflow: kinds, rules, and the interlock between plan and steps."""

from typing import Final

from interlock.kernel.forms import All, Any, Both, Either, Free, In, Is, Named, Not
from interlock.kernel.forms import Count as Number
from interlock.kernel.rules import Cascade, Lift, Pair
from interlock.kernel.workflow import Field, PartKind, Workflow, lease
from interlock.workflows.plan.branching import GRAMMAR
from interlock.workflows.plan.machines import PLAN, SETTLED, STEP
from interlock.workflows.plan.rules import FUNCTIONS, RULES

STEPS_MAX: Final = 1_000
"""How many steps a plan may have unless it is told otherwise; 10,000 is the most it can be told."""

LIVE: Final = ("planning", "executing", "awaiting_review", "stalled")
ENDED: Final = ("completed", "failed")

STEP_KIND: Final = PartKind(
    machine=STEP,
    fields=(
        *lease("in_progress"),
        Field("stall_marked", default=False, during=("in_progress",)),
        Field("shown", "", during=("awaiting_input",)),
        Field("attempt", 1, is_read=False),
        Field("lease_ms", is_read=False),
        Field("step_type", "custom", is_read=False),
        Field("title", "", is_read=False),
        Field("instructions", "", is_read=False),
        Field("acceptance", "", is_read=False),
        Field("summary", "", is_read=False),
        Field("confidence", is_read=False),
        Field("result", "", is_read=False),
        Field("formatting_notes", "", is_read=False),
        Field("failure", "", is_read=False),
        Field("notes", (), is_read=False),
    ),
    closed=frozenset(SETTLED),
    claim="claim",
    claimable=Either(
        (
            Both(
                (
                    In("part", ("pending",)),
                    Free(),
                    Number("step", ("in_progress",), "<", "max_parallel"),
                )
            ),
            Both((In("part", ("in_progress",)), Named("lease_is_takeable"))),
        )
    ),
    first=Both((In("part", ("in_progress",)), Is("part", "holder", (None,)))),
    verbs={
        "submit": "submit",
        "heartbeat": "heartbeat",
        "release": "release",
        "take_over": "take_over",
        "fail": "fail_step",
        "lapse": "lapse",
    },
)

LIFTS: Final = (
    Lift("a step asks", Any("step", ("awaiting_input",)), "review"),
    Lift("every step settled", All("step", SETTLED), "finish"),
)

CASCADES: Final = (
    Cascade("close the steps", of="plan", enters=("failed",), to="step", fire="close",
            reason="plan_failed"),
)  # fmt: skip

PAIRS: Final = (
    Pair("an ended plan has only settled steps", ENDED, All("step", SETTLED)),
    Pair("a plan of settled steps has ended", LIVE, Not(All("step", SETTLED))),
    Pair("awaiting_review has its step", ("awaiting_review",), Any("step", ("awaiting_input",))),
    Pair("a step that asks holds the plan", ("planning", "executing", "stalled", *ENDED),
         Not(Any("step", ("awaiting_input",)))),
    Pair("planning has not begun", ("planning",), All("step", ("pending",))),
    Pair("stalled has a silent step", ("stalled",), Any("step", ("in_progress",))),
)  # fmt: skip

WORKFLOW: Final = Workflow(
    name="plan",
    doc="A research plan whose steps agents pull one by one, with reviews by people.",
    unit=PLAN,
    parts=(STEP_KIND,),
    fields=(
        Field("review_policy", "relay"),
        # Whether whoever asks for a review may not decide it; a gate looks at it, no rule does.
        Field("review_by_others", default=False, is_read=False),
        Field("max_parallel"),
        Field("max_steps", STEPS_MAX),
        Field("lease_ms", is_read=False),
        Field("name", "", is_read=False),
        Field("research_question", "", is_read=False),
        Field("design_rationale", "", is_read=False),
        Field("formatting_notes", "", is_read=False),
        Field("failure", "", is_read=False),
        Field("sessions", (), is_read=False),
        # Whether a step's number may differ from its place in the order.
        Field("is_shuffled", default=False, is_read=False),
    ),
    rules=RULES,
    lifts=LIFTS,
    cascades=CASCADES,
    pairs=PAIRS,
    functions=FUNCTIONS,
    conditions=GRAMMAR,
)
