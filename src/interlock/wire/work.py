"""The shapes of the generic verbs: work of any workflow, units, explanations, the audit."""

from typing import Annotated, Final

from pydantic import Field

from interlock.wire.envelope import Asking, Id, Name, Shape, Short, Text
from interlock.wire.mission import Failure


class NextWork(Asking):
    """Claim the next work that fits, waiting up to ten seconds for some. Empty means any."""

    workflow: Annotated[str, Field(max_length=100)] = ""
    kind: Annotated[str, Field(max_length=100)] = ""
    role: Annotated[str, Field(max_length=100)] = ""
    member: Annotated[str, Field(max_length=100)] = ""
    tags: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    site: Annotated[str, Field(max_length=100)] = Field(
        default="", description="Where you work: what is bound to another place is left out."
    )
    wait_s: Annotated[float, Field(ge=0, le=10)] = 0


Amount = Annotated[int, Field(ge=0, le=10**15)]


class Usage(Shape):
    """What a piece of work has cost, as far as whoever did it knows."""

    tokens_in: Amount | None = None
    tokens_out: Amount | None = None
    cost_micros: Amount | None = Field(default=None, description="Money, in millionths.")
    seconds: Annotated[float, Field(ge=0, le=10**9, allow_inf_nan=False)] | None = None


COST: Final = "Work of a ticket: what it has cost, counted for its budget."


class SubmitWork(Asking):
    """Hand in the answer to work you hold."""

    part_id: Id
    answer: dict[str, object] = Field(default_factory=dict)
    lease: Name | None = None
    usage: Usage | None = Field(default=None, description=COST)


class HeldWork(Asking):
    """Say something about work you hold."""

    part_id: Id
    lease: Name | None = None
    note: Text | None = None


class GiveUpWork(Asking):
    """Give work up, with the reason."""

    part_id: Id
    reason: Short
    failure: Failure | None = Field(
        default=None,
        description="Work of a mission: its class; unsaid it is unhandled, and the mission fails.",
    )
    lease: Name | None = None
    usage: Usage | None = Field(default=None, description=COST)


class TakeOverWork(Asking):
    """Take work from whoever holds it, with the reason."""

    part_id: Id
    reason: Short


class PartRef(Shape):
    """Name a piece of work."""

    part_id: Id


class ListWork(Shape):
    """List what is offered or held, of the oldest unit first. Empty means any."""

    workflow: Annotated[str, Field(max_length=100)] = ""
    kind: Annotated[str, Field(max_length=100)] = ""
    role: Annotated[str, Field(max_length=100)] = ""
    member: Annotated[str, Field(max_length=100)] = ""
    tag: Annotated[str, Field(max_length=200)] = ""
    site: Annotated[str, Field(max_length=100)] = ""
    unit_id: Id | None = Field(default=None, description="Only work of this unit.")
    cursor: Name | None = Field(default=None, description="Go on where an earlier list ended.")
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class Ref(Shape):
    """Name a unit or a part."""

    id: Id


class DeleteUnit(Asking):
    """Name a unit that nobody is to find any more."""

    id: Id


class ListUnits(Shape):
    """List units, the last changed first."""

    workflow: Annotated[str, Field(max_length=100)] = ""
    status: Annotated[str, Field(max_length=100)] = ""
    tag: Annotated[str, Field(max_length=200)] = ""
    is_open: bool = Field(default=False, description="Only those that have not ended.")
    cursor: Name | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class ReadAudit(Shape):
    """Read the audit of a unit from a sequence on."""

    id: Id
    after: Annotated[int, Field(ge=0, le=2**53)] = 0
    limit: Annotated[int, Field(ge=1, le=1_000)] = 200


class ReadUnit(Shape):
    """Read a unit and its parts, from a place in their order on."""

    id: Id
    at: Annotated[int, Field(ge=-(2**53), le=2**53)] | None = Field(
        default=None, description="As it stood right after this entry of its audit."
    )
    after: Annotated[int, Field(ge=0, le=2**31)] = 0
    limit: Annotated[int, Field(ge=1, le=1_000)] = 200


class Nothing(Shape):
    """Ask without saying anything."""
