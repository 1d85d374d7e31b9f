"""The shapes of the library's commands: keep, read, find, extract."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from interlock.wire.envelope import Asking, Id, Name, Shape, Text

Kind = Annotated[
    str, StringConstraints(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_][A-Za-z0-9_ .-]*$")
]
Body = Annotated[str, StringConstraints(min_length=1, max_length=1_000_000)]
MediaType = Annotated[
    str, StringConstraints(max_length=100, pattern=r"^[A-Za-z0-9_.+-]+/[A-Za-z0-9_.+-]+(;.*)?$")
]
Url = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
Instant = Annotated[int, Field(ge=0, le=2**53)]


class StoreResearch(Asking):
    """Keep something that was found or thought, for a plan or one of its steps."""

    plan_id: Id
    step_id: Id | None = None
    artifact_type: Kind = Field(description="What it is: source, notes, data, analysis, ...")
    title: Name = Field(description="Storing under the same type and title makes a new version.")
    content: Body
    source_urls: Annotated[tuple[Url, ...], Field(max_length=100)] = ()
    media_type: MediaType = "text/plain"


class StoreOutput(Asking):
    """Keep the deliverable of a plan."""

    plan_id: Id
    title: Name
    content: Body
    media_type: MediaType = "text/markdown"


class ReadArtifact(Shape):
    """Read what was stored, some characters at a time."""

    artifact_id: Id
    offset: Annotated[int, Field(ge=0, le=2**31)] = 0
    limit: Annotated[int, Field(ge=1, le=100_000)] = 20_000


class Filters(Shape):
    """What to search in; what is left out does not matter."""

    plan_id: Id | None = None
    artifact_type: Kind | None = None
    kind: Literal["artifact", "output"] | None = None
    author: Name | None = None
    since: Instant | None = Field(default=None, description="Milliseconds since 1970.")
    until: Instant | None = Field(default=None, description="Milliseconds since 1970.")
    tags: Annotated[tuple[Name, ...], Field(max_length=20)] = ()


class SearchSources(Shape):
    """Search what was stored."""

    query: Annotated[str, StringConstraints(max_length=100_000)]
    filters: Filters | None = None
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class ExtractData(Asking):
    """Have a model read data out of a text or a stored artifact."""

    source_text: Body | None = None
    artifact_id: Id | None = None
    answer_schema: dict[str, object] = Field(
        alias="schema", description="The JSON Schema that the data must fit."
    )
    instructions: Text = ""

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if (self.source_text is None) == (self.artifact_id is None):
            message = "give either source_text or artifact_id"
            raise ValueError(message)
        return self
