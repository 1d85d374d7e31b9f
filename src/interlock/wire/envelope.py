"""The one envelope every answer comes in, and the one form every error has."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from interlock.errors import InterlockError
from interlock.kernel.refusal import Legal

Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Text = Annotated[str, StringConstraints(max_length=100_000)]
Said = Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
Short = Annotated[str, StringConstraints(min_length=1, max_length=10_000)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=120)]


class Shape(BaseModel):
    """A shape of ours: unknown words are refused, so a mistyped one is not silently ignored.

    What checks it is built when it is first used: a command needs two or three of them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Asking(Shape):
    """What every command that changes something may carry."""

    request_id: Name | None = Field(
        default=None, description="Makes the call safe to repeat: same id, same answer."
    )
    session_id: Name | None = Field(
        default=None, description="Which conversation of yours is calling."
    )


class Receipt(Shape):
    """Proof of a committed command: the audit entry it ended with."""

    unit: str
    sequence: int
    hash: str


class Envelope(Shape):
    """An answer."""

    status: str
    next_action: str = ""
    legal_moves: tuple[str, ...] = ()
    data: dict[str, object] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    receipt: Receipt | None = None
    durability: str | None = Field(
        default=None,
        description="Present and `degraded` where a setting may lose acknowledged work.",
    )


class Problem(Shape):
    """An error that a caller can act on."""

    code: str
    message: str
    fix: str = ""
    retryable: bool = False
    legal_moves: tuple[str, ...] = ()


def problem(error: InterlockError) -> Problem:
    """Return an error as it is told; what only the clock sends is no move of anybody's."""
    legal = (row.command for row in getattr(error, "legal", ()) if isinstance(row, Legal))
    return Problem(
        code=error.code, message=error.message, fix=error.fix, retryable=error.retryable,
        legal_moves=tuple(dict.fromkeys(command for command in legal if command)),
    )  # fmt: skip
