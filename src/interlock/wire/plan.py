"""The shapes of the plan's commands."""

from typing import Annotated, Literal

from pydantic import Field

from interlock.wire.envelope import Asking, Id, Name, Said, Shape, Short, Text

StepType = Literal["search", "extract", "analyze", "critique", "synthesize", "checkpoint", "custom"]
Action = Literal["skip_to", "add_steps", "fail", "continue"]
Seconds = Annotated[int, Field(ge=1, le=30 * 24 * 3600)]
Order = Annotated[int, Field(ge=1, le=10_000)]


class NewStep(Shape):
    """A step of a new plan. ``depends_on`` names earlier steps by their order, from 1."""

    title: Name | None = None
    instructions: Said
    step_type: StepType = "custom"
    depends_on: tuple[Order, ...] = ()
    stall_after: Seconds | None = Field(None, description="Seconds without a sign of life.")


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
    review_policy: Literal["relay", "human"] = "relay"
    stall_after: Seconds | None = None
    max_parallel_steps: Annotated[int, Field(ge=1, le=1_000)] | None = None
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
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
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


class PlanRef(Shape):
    """Name a plan."""

    plan_id: Id
