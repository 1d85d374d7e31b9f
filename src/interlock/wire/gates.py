"""The shapes of the commands about gates."""

from typing import Annotated, Literal

from pydantic import Field

from interlock.wire.envelope import Asking, Id, Name, Shape, Text

Word = Annotated[str, Field(min_length=1, max_length=60, pattern="^[a-z_]+$")]


class Verdict(Asking):
    """What everybody says who decides at a gate."""

    decision: Word
    feedback: Text | None = Field(default=None, description="Why; some decisions need it.")
    answers: Annotated[tuple[Text, ...], Field(max_length=20)] = ()
    content_digest: Name | None = Field(
        default=None, description="What was reviewed, as it was shown."
    )


class DecideGate(Verdict):
    """Decide at a gate; get_gate says what can be decided there."""

    gate_id: Id


class GateRef(Shape):
    """Name a gate."""

    gate_id: Id


class ListGates(Shape):
    """List gates: open ones, the oldest first, then decided ones, the last first."""

    state: Literal["open", "decided", "all"] = "open"
    workflow: Annotated[str, Field(max_length=100)] = ""
    unit: Annotated[str, Field(max_length=120)] = ""
    cursor: Name | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50
