"""What is wrong with a chain of tool steps, and how it is told: all of it, each with its place."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from interlock.service.errors import InvalidInput

CHAIN: Final = 0
"""The step of what is wrong with the chain as a whole; steps count from 1."""


class Wrong(NamedTuple):
    """One thing that is wrong with a chain."""

    step: int
    field: str
    message: str
    fix: str


class ChainInvalid(InvalidInput):
    """The chain of tool steps is not valid; nothing was applied."""

    code = "VALIDATION_FAILED"

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        """Tell all that is wrong, each with its place."""
        count = f"{len(wrong)} mistake{'s' if len(wrong) > 1 else ''}"
        message = f"The chain is not valid ({count}). {in_words(wrong)}"
        fields = tuple((f"steps.{one.step}.{one.field}", one.message) for one in wrong)
        super().__init__(message, fix="Mend all of it, then submit the whole chain.", fields=fields)
        self.wrong = tuple(wrong)


def told(wrong: Sequence[Wrong]) -> list[dict[str, object]]:
    """Tell what is wrong, each by itself."""
    return [one._asdict() for one in wrong]


def in_words(wrong: Sequence[Wrong]) -> str:
    """Tell all that is wrong in one text."""
    return " ".join(
        f"{f'Step {one.step}' if one.step else 'The chain'}, {one.field}: {one.message} {one.fix}"
        for one in wrong
    )
