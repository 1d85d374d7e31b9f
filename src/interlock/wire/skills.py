"""The shapes of what is told beside the work itself: skills that were executed, feedback."""

from typing import Annotated, Literal

from pydantic import Field

from interlock.wire.envelope import Asking, Id, Name, Shape, Text


class SkillMetadata(Shape):
    """What the person wants of the form of the outcome."""

    output_media_type: Name | None = Field(default=None, description="As in text/markdown.")
    output_formatting_instructions: Text | None = None


class LogSkill(Asking):
    """Say that a skill is being executed, or how it has ended."""

    skill_name: Name
    status: Literal["started", "completed", "failed"]
    session_id: Name = Field(description="Which conversation of yours executes it.")
    skill_execution_id: Id | None = Field(default=None, description="Which one has ended.")
    metadata: SkillMetadata | None = None


class Feedback(Asking):
    """Say what you, or the person you work for, think of a plan."""

    plan_id: Id
    rating: Annotated[int, Field(ge=1, le=5, strict=True)]
    text: Text = ""
