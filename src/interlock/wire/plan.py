"""The shapes of the plan's commands."""

from typing import Annotated, Literal

from pydantic import Field

from interlock.wire.envelope import Asking, Id, Name, Said, Shape, Short, Text
from interlock.wire.gates import Verdict

StepType = Literal["search", "extract", "analyze", "critique", "synthesize", "checkpoint", "custom"]
Action = Literal["skip_to", "add_steps", "fail", "continue"]
Seconds = Annotated[int, Field(ge=1, le=30 * 24 * 3600)]
Order = Annotated[int, Field(ge=1, le=10_000)]
Policy = Literal["relay", "human"]
Parallel = Annotated[int, Field(ge=1, le=1_000)]
Confidence = Annotated[float, Field(ge=0, le=1)]
Change = Literal[
    "add_steps", "remove_step", "reorder_steps", "update_step_instructions", "fail_step",
    "retry_step", "add_condition", "remove_condition", "update_plan",
]  # fmt: skip


class NewStep(Shape):
    """A step of a new plan. ``depends_on`` names earlier steps by their order, from 1."""

    title: Name | None = None
    instructions: Said
    step_type: StepType = "custom"
    depends_on: tuple[Order, ...] = ()
    acceptance: Text = Field(default="", description="How to tell that the step is done.")
    stall_after: Seconds | None = Field(default=None, description="Seconds without a sign of life.")


class AddedStep(Shape):
    """A step that is added. ``depends_on`` names steps by id, or by ``+1`` the first one added."""

    title: Name | None = None
    instructions: Said
    step_type: StepType = "custom"
    depends_on: Annotated[tuple[Id, ...], Field(max_length=1_000)] = ()
    acceptance: Text = ""
    stall_after: Seconds | None = None


class NewCondition(Shape):
    """A branch of a new plan: asked after a step has completed; orders count from 1."""

    after_step_order: Order
    expression: Annotated[str, Field(min_length=1, max_length=2_000)]
    action: Action
    target_step_order: Order | None = None
    steps: tuple[NewStep, ...] = ()
    reason: Text = ""


class CreatePlan(Asking):
    """Make a research plan."""

    name: Name
    research_question: Said
    steps: Annotated[tuple[NewStep, ...], Field(min_length=1, max_length=10_000)]
    branching_conditions: Annotated[tuple[NewCondition, ...], Field(max_length=100)] = ()
    plan_design_rationale: Text = ""
    output_formatting_notes: Text = ""
    review_policy: Policy = "relay"
    review_by_others: bool = Field(
        default=False, description="Whoever asks for a review cannot be the one who decides."
    )
    stall_after: Seconds | None = None
    max_parallel_steps: Parallel | None = None
    tags: Annotated[tuple[Name, ...], Field(max_length=20)] = ()


class NextStep(Asking):
    """Claim the next step of a plan, waiting up to ten seconds for one."""

    plan_id: Id
    wait_s: Annotated[float, Field(ge=0, le=10)] = 0


class SubmitStep(Asking):
    """Hand in the result of a step."""

    step_id: Id
    result: dict[str, object] = Field(default_factory=dict)
    result_summary: Short
    confidence: Confidence | None = None
    step_execution_report: Text = ""
    output_formatting_notes: Text = ""
    evidence: Annotated[tuple[Text, ...], Field(max_length=100)] = ()
    lease: Name | None = None
    claim_next: bool = Field(
        default=False, description="Claim the next step in the same transaction."
    )


class HeldStep(Asking):
    """Say something about a step you hold."""

    step_id: Id
    lease: Name | None = None
    note: Text | None = None


class TakeOver(Asking):
    """Take a step from whoever holds it."""

    step_id: Id
    reason: Short


class RequestReview(Asking):
    """Ask the person for a decision about a step; a result given here is a draft until then."""

    step_id: Id
    summary: Short
    questions: Annotated[tuple[Short, ...], Field(max_length=20)] = ()
    artifact_ids: Annotated[tuple[Id, ...], Field(max_length=50)] = ()
    result: dict[str, object] | None = None
    result_summary: Short | None = None
    confidence: Confidence | None = None
    lease: Name | None = None


class Decide(Verdict):
    """Decide about a step that waits for it, named itself or by its gate."""

    step_id: Id | None = None
    gate_id: Id | None = None
    decision: Literal["approve", "reject", "modify", "skip"]
    feedback: Text | None = Field(default=None, description="Needed for modify and reject.")


class ModifyPlan(Asking):
    """Change a plan. Which of the other words an action takes is said with it."""

    plan_id: Id
    action: Change
    steps: Annotated[tuple[AddedStep, ...], Field(max_length=10_000)] = ()
    insert_after_order: Order | None = Field(
        default=None, description="add_steps: else at the end."
    )
    step_id: Id | None = None
    step_ids: Annotated[tuple[Id, ...], Field(max_length=10_000)] = Field(
        default=(), description="reorder_steps: all of them, in their new order."
    )
    instructions: Said | None = None
    title: Name | None = None
    acceptance: Text | None = None
    reason: Short | None = None
    condition: NewCondition | None = None
    condition_number: Order | None = Field(
        default=None, description="remove_condition: its number among those of step_id, from 1."
    )
    name: Name | None = None
    output_formatting_notes: Text | None = None
    review_policy: Policy | None = None
    stall_after: Seconds | None = None
    max_parallel_steps: Parallel | None = None
    modification_rationale: Text = ""
    dry_run: bool = Field(
        default=False, description="Only tell what it would come to; nothing is changed."
    )


class FailPlan(Asking):
    """End a plan for good."""

    plan_id: Id
    reason: Short


class PlanRef(Shape):
    """Name a plan."""

    plan_id: Id
    session_id: Name | None = None


class StepContext(Shape):
    """Name a step, and how many tokens its context may cost."""

    step_id: Id
    token_budget: Annotated[int, Field(ge=200, le=100_000)] = 4_000
