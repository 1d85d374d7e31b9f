"""The shape of what is asked of the whole audit."""

from typing import Annotated

from pydantic import Field

from interlock.wire.envelope import Name, Shape


class VerifyAudit(Shape):
    """Verify one unit, or a page of all units, the last changed first."""

    unit: Annotated[str, Field(max_length=120, description="Only this one.")] = ""
    cursor: Name | None = None
    limit: Annotated[
        int, Field(ge=1, le=500, description="How many units are verified at once.")
    ] = 100
