"""The root of all errors this program raises on purpose. What each one means is with its owner.

Whoever catches an ``InterlockError`` can answer the caller with nothing but its attributes.
"""

from collections.abc import Mapping
from types import MappingProxyType


class InterlockError(Exception):
    """Something was refused or has failed in a way we foresaw.

    ``code`` is stable and part of the API, ``http`` the status a door may answer with, and
    ``retryable`` says whether the same call may succeed later without being changed.
    """

    code: str = "INTERNAL"
    http: int = 500
    retryable: bool = False
    details: Mapping[str, object] = MappingProxyType({})
    """What belongs to this code alone, as plain data."""

    def __init__(self, message: str, *, fix: str = "") -> None:
        """Keep what went wrong, and as an instruction what the caller should do about it."""
        super().__init__(message)
        self._message = message
        self._fix = fix

    @property
    def message(self) -> str:
        """What went wrong."""
        return self._message

    @property
    def fix(self) -> str:
        """What the caller should do about it."""
        return self._fix
