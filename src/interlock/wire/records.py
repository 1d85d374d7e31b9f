"""The shapes of what is read beside the units: leases, artifacts, the log of calls, workflows."""

from typing import Annotated

from pydantic import Field, StringConstraints

from interlock.wire.envelope import Id, Name, Shape

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Cursor = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Page = Annotated[int, Field(ge=1, le=200)]


class ListLeases(Shape):
    """List who holds what until when, the lease that ends first at the top."""

    unit_id: Id | None = Field(default=None, description="Only those of this unit.")
    cursor: Cursor | None = Field(default=None, description="Go on where an earlier list ended.")
    limit: Page = 50


class ListArtifacts(Shape):
    """List what is kept for a unit, by part, name and version."""

    id: Id
    cursor: Cursor | None = Field(default=None, description="Go on where an earlier list ended.")
    limit: Page = 50


class ReadContent(Shape):
    """Read what is kept for a unit, some of it at a time."""

    id: Id
    digest: Digest = Field(description="The SHA-256 of the content.")
    offset: Annotated[int, Field(ge=0, le=2**31)] = 0
    limit: Annotated[int, Field(ge=1, le=100_000)] = 20_000


class ListCalls(Shape):
    """List calls of commands, the newest first."""

    unit: Annotated[str, Field(max_length=120)] = Field(
        default="", description="Only those that name this unit or part."
    )
    command: Annotated[str, Field(max_length=100)] = ""
    is_failed: bool = Field(default=False, description="Only those that were refused.")
    cursor: Cursor | None = Field(default=None, description="Go on where an earlier list ended.")
    limit: Page = 50


class WorkflowRef(Shape):
    """Name a workflow."""

    name: Name
