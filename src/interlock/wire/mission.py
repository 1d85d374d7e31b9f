"""The shapes of the mission's commands: missions, hops, assets, and how both are decided about."""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from interlock.wire.envelope import Asking, Id, Name, Said, Shape, Short, Text

Policy = Literal["human", "relay"]
Criteria = Annotated[tuple[Short, ...], Field(max_length=50)]
Schema = dict[str, object]
MissionStatus = Literal[
    "PROPOSED", "READY_FOR_NEXT_HOP", "BUILDING_HOP", "HOP_READY_TO_EXECUTE", "EXECUTING_HOP",
    "COMPLETED", "FAILED", "CANCELLED",
]  # fmt: skip

YEARS_S: Final = 10 * 366 * 24 * 3600
Seconds = Annotated[int, Field(ge=1, le=YEARS_S)]
Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]
"""Why somebody decides so; blanks are no reason."""

DIGEST: Final = "What was looked at, as it was shown at the gate."


class NewAsset(Shape):
    """A thing that is worked with: its name, and the JSON Schema that its content must fit."""

    name: Name
    description: Text = ""
    content_schema: Schema | None = Field(
        default=None, alias="schema", description="The JSON Schema that its content must fit."
    )
    ttl_s: Seconds | None = Field(
        default=None,
        description="For how many seconds it lasts: since it is wanted, anew once it is there.",
    )


class GivenAsset(NewAsset):
    """An input, which may come with its content."""

    content: object = Field(default=None, description="Any JSON value; left out: supplied later.")


class ProposeMission(Asking):
    """Propose a mission; a person accepts it before anything begins."""

    name: Name
    goal: Said
    description: Text = ""
    success_criteria: Criteria = ()
    inputs: Annotated[tuple[GivenAsset, ...], Field(max_length=100)] = ()
    outputs: Annotated[tuple[NewAsset, ...], Field(max_length=100)] = ()
    assets: Annotated[tuple[NewAsset, ...], Field(max_length=100)] = Field(
        default=(), description="What lies between inputs and outputs."
    )
    policy: Policy = Field(
        default="human", description="relay: an agent may pass a person's decisions on."
    )
    tries_max: Annotated[int, Field(ge=1, le=20)] = Field(
        default=3, description="How often a tool step is attempted."
    )
    recovery_deadline_s: Seconds | None = Field(
        default=None,
        description="Held for a repair for so many seconds, it fails; left out: never.",
    )
    tags: Annotated[tuple[Name, ...], Field(max_length=20)] = ()


class EditMission(Asking):
    """Change what is proposed; what is left out stays."""

    mission_id: Id
    name: Name | None = None
    goal: Said | None = None
    description: Text | None = None
    success_criteria: Criteria | None = None
    recovery_deadline_s: Annotated[int, Field(ge=0, le=YEARS_S)] | None = Field(
        default=None, description="0: it is held for ever."
    )


class MissionRef(Shape):
    """Name a mission."""

    mission_id: Id
    session_id: Name | None = None


class AboutMission(Asking):
    """Decide about a mission."""

    mission_id: Id
    content_digest: Name | None = Field(default=None, description=DIGEST)


class WhyMission(Asking):
    """Say something to a mission that needs a reason."""

    mission_id: Id
    reason: Reason


class SetAsset(Asking):
    """Supply the content of an asset."""

    asset_id: Id
    content: object = Field(description="Any JSON value that fits the asset's schema.")


class ListMissions(Shape):
    """List missions, the last changed first."""

    status: MissionStatus | None = None
    tag: Name | None = None
    include_ended: bool = False
    cursor: Name | None = Field(default=None, description="Go on where an earlier list ended.")
    limit: Annotated[int, Field(ge=1, le=200)] = 50


# -- hops --------------------------------------------------------------------------------------


class ProposeHop(Asking):
    """Propose the next hop. Assets are named by id, or by name where that is the mission's own."""

    mission_id: Id
    name: Name
    goal: Said
    description: Text = ""
    success_criteria: Criteria = ()
    rationale: Text = ""
    inputs: Annotated[tuple[Id, ...], Field(max_length=100)] = Field(
        default=(), description="Assets it needs, by id; inputs and outputs of the mission by name."
    )
    output: Id = Field(description="The one asset that it makes, named like the inputs.")
    assets: Annotated[tuple[NewAsset, ...], Field(max_length=100)] = Field(
        default=(),
        description="New assets that come with the hop; inputs and output may name them.",
    )
    is_final: bool = Field(
        default=False, description="With this hop the mission is completed, whatever is missing."
    )


class CreateHop(ProposeHop):
    """Write the next hop as a person; it is named like one that is proposed."""


class ReviseHop(Asking):
    """Write a proposal anew; what is left out stays."""

    hop_id: Id
    name: Name | None = None
    goal: Said | None = None
    description: Text | None = None
    success_criteria: Criteria | None = None
    rationale: Text | None = None
    inputs: Annotated[tuple[Id, ...], Field(max_length=100)] | None = None
    output: Id | None = None
    assets: Annotated[tuple[NewAsset, ...], Field(max_length=100)] | None = None
    is_final: bool | None = Field(default=None, description="Only a person changes it.")
    lease: Name | None = None


class HopRef(Asking):
    """Name a hop."""

    hop_id: Id


class AcceptHop(Asking):
    """Accept or run a hop as it was shown."""

    hop_id: Id
    content_digest: Name | None = Field(default=None, description=DIGEST)
    is_final: bool | None = Field(default=None, description="Change whether it is the final hop.")


class ApproveDesign(Asking):
    """Approve a design as it was shown."""

    hop_id: Id
    content_digest: Name | None = Field(default=None, description=DIGEST)


class RefuseHop(Asking):
    """Say no to a hop as it was shown, and why."""

    hop_id: Id
    reason: Reason
    content_digest: Name | None = Field(default=None, description=DIGEST)


class WhyHop(Asking):
    """Say something to a hop that needs a reason."""

    hop_id: Id
    reason: Reason


# -- resolving and running ---------------------------------------------------------------------

Failure = Literal[
    "transient", "validation", "configuration", "user_correctable", "resource_unavailable",
    "system", "unhandled",
]  # fmt: skip


class ChainStep(Shape):
    """A tool step. A parameter comes from an asset, an earlier step of the chain, or a literal.

    With nothing but ``step_id`` it stands for a step that the hop has already.
    """

    tool: Annotated[str, Field(max_length=200)] = ""
    description: Text = ""
    parameter_mapping: dict[str, object] = Field(
        default_factory=dict,
        description='By parameter, assets by id: {"asset": id, "path"?} | '
        '{"step": n, "output"?, "path"?} | {"literal": value}',
    )
    result_mapping: dict[str, object] = Field(
        default_factory=dict,
        description='By result: {"asset": id} | {"scratch": true} | {"discard": true}',
    )
    step_id: Annotated[str, Field(max_length=120)] = ""
    deadline_s: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="How many seconds it may run; left out: as the tool says."
    )


class SubmitResolution(Asking):
    """Hand in the whole chain of tool steps of a hop."""

    hop_id: Id
    steps: Annotated[tuple[ChainStep, ...], Field(max_length=1_000)] = ()
    lease: Name | None = None


class FailResolution(Asking):
    """Say that a hop cannot be resolved, of which class that is, and why."""

    hop_id: Id
    failure: Failure
    message: Short
    detail: Text = ""
    lease: Name | None = None


class StepError(Shape):
    """What went wrong when a tool ran."""

    message: Short
    detail: Text = ""


class SubmitToolResult(Asking):
    """Hand in what a tool has returned, by the names of its results; or how it has failed."""

    part_id: Id
    outputs: dict[str, object] = Field(
        default_factory=dict, description="What the tool returned, by the names of its results."
    )
    failure: Failure | None = Field(
        default=None, description="transient is tried again, up to tries_max."
    )
    error: StepError | None = None
    resource_down: bool = Field(default=False, description="A declared resource is down.")
    lease: Name | None = None


class Cancel(Asking):
    """Cancel a mission or a hop."""

    id: Id = Field(description="The mission's or the hop's id.")
    reason: Reason
    cascade: bool = Field(default=False, description="With its current hop cancel the mission.")
