"""The shapes of the commands about projects: where the code lies, who works on it, how much."""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from interlock.wire.envelope import Id, Name, Shape

Called = Annotated[
    str,
    StringConstraints(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9_ .:/+-]*$"),
]
Branch = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9][A-Za-z0-9_./+-]*$")
]
Repository = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
PromptText = Annotated[str, StringConstraints(max_length=50_000)]


class Member(Shape):
    """A member of the council: what it is called, which agent asks which model."""

    name: Called
    agent: Called = Field(description="One of the agents that a worker is set up with.")
    model: Annotated[str, Field(max_length=200)] = ""


Limit = Annotated[int, Field(ge=0, le=10**15)]


class Budget(Shape):
    """What a ticket may spend; what is left out has no limit."""

    tokens: Limit | None = None
    cost_micros: Limit | None = Field(default=None, description="Money, in millionths.")
    seconds: Limit | None = Field(default=None, description="How long work may take, added up.")
    attempts: Limit | None = Field(default=None, description="Of beads, setup and final test.")


Secret = Annotated[str, StringConstraints(min_length=16, max_length=200)]
SIGNED: Final = "What the forge signs its webhooks with; kept, and never shown again."


class Forge(Shape):
    """Where pull requests are opened."""

    kind: Literal["local", "github"] = "local"


class Limits(Shape):
    """How much, how long and how often; what is left out is as usual."""

    quorum: Annotated[int, Field(ge=1, le=10)] | None = Field(
        default=None, description="How many answers a round of the council needs; usually 2."
    )
    round_s: Annotated[int, Field(ge=1, le=3_600)] = Field(
        default=1_200, description="How long a phase waits for its work."
    )
    structured_retries: Annotated[int, Field(ge=0, le=5)] = Field(
        default=1, description="How often an answer that is no good may be mended."
    )
    questions_max: Annotated[int, Field(ge=1, le=50)] = 50
    follow_up_percent: Annotated[int, Field(ge=0, le=100)] = 20
    tries_max: Annotated[int, Field(ge=1, le=20)] = Field(
        default=5, description="How many attempts a bead has."
    )
    parallel_beads: Annotated[int, Field(ge=1, le=10)] = 1
    parallel_tickets: Annotated[int, Field(ge=1, le=100)] = Field(
        default=3, description="How many tickets may be between pre-flight and clean-up."
    )
    budget: Budget = Field(default_factory=Budget, description="What each ticket may spend.")


class CreateProject(Shape):
    """Make a project: a repository, its base branch, and a council for its tickets."""

    name: Name
    repository: Repository = Field(description="A path or an address that git can clone.")
    base_branch: Branch = "main"
    members: Annotated[tuple[Member, ...], Field(min_length=1, max_length=10)] = Field(
        description="The council; the first one is the main implementer."
    )
    limits: Limits = Field(default_factory=Limits)
    prompts: Annotated[dict[Name, PromptText], Field(max_length=50)] = Field(
        default_factory=dict, description="Texts in place of ours, by the name of the prompt."
    )
    forge: Forge = Field(default_factory=Forge)
    webhook_secret: Secret | None = Field(default=None, description=SIGNED)


class EditProject(Shape):
    """Change a project; what is left out stays. Tickets that were started keep what they had."""

    project_id: Id
    name: Name | None = None
    repository: Repository | None = None
    base_branch: Branch | None = None
    members: Annotated[tuple[Member, ...], Field(min_length=1, max_length=10)] | None = None
    limits: Limits | None = None
    prompts: Annotated[dict[Name, PromptText], Field(max_length=50)] | None = None
    forge: Forge | None = None
    webhook_secret: Secret | None = Field(default=None, description=SIGNED)


class ProjectRef(Shape):
    """Name a project."""

    project_id: Id


class ArchiveProject(Shape):
    """Put a project away: no ticket can be begun in it any more."""

    project_id: Id


class ListProjects(Shape):
    """List projects, the oldest first."""

    include_archived: bool = False
