"""The shapes of the ticket's commands: what is said to one while it is planned."""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from interlock.wire.envelope import Asking, Id, Name, Shape, Short

Title = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Description = Annotated[str, StringConstraints(max_length=50_000)]
Note = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
Spoken = Annotated[str, StringConstraints(max_length=20_000)]
Document = Annotated[str, StringConstraints(min_length=1, max_length=900_000)]
Policy = Literal["human", "relay"]
QuestionId = Annotated[str, StringConstraints(min_length=1, max_length=20)]
Reviewed = Literal["interview", "prd", "beads", "setup"]
Commit = Annotated[str, StringConstraints(pattern="^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
Limit = Annotated[int, Field(ge=0, le=10**15)]

DIGEST: Final = "What was looked at, as it was shown at the gate."
BASE: Final = "The digest of the version that was edited; another one in the meantime is not lost."


class CreateTicket(Asking):
    """Write down what is to be built, in a project."""

    project_id: Id
    title: Title
    description: Description = ""
    policy: Policy = "human"
    tags: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    seed: Name | None = Field(
        default=None, description="From a person: the order of drafts in votes follows from it."
    )


class EditTicket(Asking):
    """Change a ticket that was not started; what is left out stays."""

    ticket_id: Id
    project_id: Id | None = None
    title: Title | None = None
    description: Description | None = None
    policy: Policy | None = None


class TicketRef(Shape):
    """Name a ticket."""

    ticket_id: Id


class AboutTicket(Asking):
    """Say something to a ticket."""

    ticket_id: Id


class PlainlyTicket(Asking):
    """Decide something about a ticket, with a reason if there is one."""

    ticket_id: Id
    reason: Spoken = ""


class ListTickets(Shape):
    """List tickets, the last changed first."""

    status: Name | None = None
    project_id: Id | None = None
    tag: Name | None = None
    include_ended: bool = False
    cursor: Name | None = Field(default=None, description="Go on where an earlier list ended.")
    limit: Annotated[int, Field(ge=1, le=200)] = 50


# -- interview ---------------------------------------------------------------------------------


class GivenAnswer(Shape):
    """The answer to a question: options that were chosen, words, or both; neither is a skip."""

    question_id: QuestionId
    selected: Annotated[tuple[Name, ...], Field(max_length=15)] = ()
    text: Spoken = ""


class AnswerBatch(Asking):
    """Answer the questions that wait."""

    ticket_id: Id
    batch: Annotated[int, Field(ge=1, le=1_000)] = Field(
        description="The number of the batch that is answered, as it was shown."
    )
    answers: Annotated[tuple[GivenAnswer, ...], Field(max_length=10)] = ()


class SkipQuestion(Asking):
    """Leave a question of the batch to the council."""

    ticket_id: Id
    question_id: QuestionId
    reason: Spoken = ""


class SkipAll(Asking):
    """End the interview; what is not answered is left to the council."""

    ticket_id: Id
    reason: Spoken = ""


class EditAnswer(Asking):
    """Change an earlier answer while the interview goes on; an empty one is a skip."""

    ticket_id: Id
    question_id: QuestionId
    selected: Annotated[tuple[Name, ...], Field(max_length=15)] = ()
    text: Spoken = ""


# -- gates -------------------------------------------------------------------------------------


class SaveArtifact(Asking):
    """Save an edit of what is to be approved as its next version."""

    ticket_id: Id
    content: Document = Field(description="The whole document, as YAML or JSON.")
    base_digest: Name = Field(description=BASE)


class Approve(Asking):
    """Approve what was shown."""

    ticket_id: Id
    content_digest: Name | None = Field(default=None, description=DIGEST)


class Reopen(Asking):
    """Go back to something that was approved, with what it is to be from now on."""

    ticket_id: Id
    artifact: Reviewed
    reason: Short
    content: Document | None = Field(
        default=None, description="The whole edited document; blueprint and setup need none."
    )
    base_digest: Name | None = Field(default=None, description=BASE)


class Retry(Asking):
    """Go back to the phase that was left, with a word for whoever tries again."""

    ticket_id: Id
    note: Note | None = None


# -- execution ---------------------------------------------------------------------------------


class RegenerateSetupPlan(Asking):
    """Have the setup plan drafted again."""

    ticket_id: Id
    comment: Note | None = Field(default=None, description="What was wrong with the last one.")


class RaiseBudget(Asking):
    """Raise limits of a ticket; what is left out stays."""

    ticket_id: Id
    tokens: Limit | None = None
    cost_micros: Limit | None = Field(default=None, description="Money, in millionths.")
    seconds: Limit | None = Field(default=None, description="How long work may take, added up.")
    attempts: Limit | None = Field(default=None, description="Of beads, setup and final test.")


class ReportMerge(Asking):
    """Say that somebody has merged a ticket's pull request outside of Interlock."""

    ticket_id: Id
    merge_commit: Commit
    base_head: Commit = Field(description="Where the base branch is; it contains the merge.")
    head: Commit = Field(description="The commit that was merged: the ticket's candidate.")
