"""The shapes of lists of plans."""

from typing import Annotated, Literal

from pydantic import Field

from interlock.wire.envelope import Name, Shape

PlanStatus = Literal["planning", "executing", "awaiting_review", "stalled", "completed", "failed"]


class PlanFilter(Shape):
    """Which plans are wanted."""

    status: PlanStatus | None = None
    tag: Name | None = None
    include_ended: bool = False


class ListPlans(Shape):
    """List plans, the last changed first."""

    filter: PlanFilter | None = None
    cursor: Name | None = Field(default=None, description="Go on where an earlier list ended.")
    limit: Annotated[int, Field(ge=1, le=200)] = 50
