"""The shapes of the commands about logs: what workers tell while they work."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from interlock.wire.envelope import Asking, Id, Name, Shape

LineText = Annotated[str, StringConstraints(max_length=16_384)]


class LogLine(Shape):
    """A line: when it was said (milliseconds since 1970), by which stream, and what."""

    at: Annotated[int, Field(ge=0, le=2**53)]
    stream: Literal["out", "err", "note"] = "out"
    text: LineText


class AppendLog(Asking):
    """Tell lines about work you hold."""

    part_id: Id
    lease: Name
    lines: Annotated[tuple[LogLine, ...], Field(min_length=1, max_length=500)]


class ReadLogs(Shape):
    """Read what was told about a unit: of one part or member, from a line on."""

    id: Id
    part_id: Id | None = None
    member: Annotated[str, Field(max_length=100)] = ""
    after: Annotated[int, Field(ge=0, le=2**53)] = Field(
        default=0, description="The number of the last line you have."
    )
    limit: Annotated[int, Field(ge=1, le=1_000)] = 200
