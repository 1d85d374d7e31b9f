"""The shape of what is asked of a board."""

from typing import Annotated, Literal

from pydantic import Field

from interlock.wire.envelope import Name, Shape


class GetBoard(Shape):
    """Read the board; empty means all. A cursor is good for the column that it was given for."""

    workflow: Annotated[str, Field(max_length=100)] = ""
    q: Annotated[
        str,
        Field(
            max_length=200, description="A part of the id or of the name; capitals do not matter."
        ),
    ] = ""
    column: Literal["", "todo", "doing", "needs_you", "done"] = ""
    tag: Annotated[str, Field(max_length=200)] = ""
    cursor: Name | None = None
    limit: Annotated[
        int, Field(ge=1, le=200, description="How many units of each column are told.")
    ] = 30
