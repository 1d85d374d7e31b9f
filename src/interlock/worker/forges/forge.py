"""What a forge is to a worker: a request is opened or brought up to date, looked at, and merged.

Nothing is believed that git can say: a request counts as merged when the base branch contains it.
Everything may be asked twice and has one effect; a request is never closed from here.
"""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Final, NamedTuple

DRAFT: Final = "draft"
OPEN: Final = "open"
MERGED: Final = "merged"
CLOSED: Final = "closed"
"""How a request stands."""

INTERLOCK: Final = "interlock"
OUTSIDE: Final = "outside"
"""Who has merged it."""

HEAD_MOVED: Final = "head_moved"
CONFLICT: Final = "conflict"
REFUSED: Final = "refused"
"""Why something was not merged."""


class ForgeFailed(Exception):
    """A forge cannot be asked, or has said no; the message may be shown to anybody."""

    def __init__(self, message: str) -> None:
        """Keep why."""
        super().__init__(message)
        self.message = message


class NotMerged(ForgeFailed):
    """The request was not merged, and will not be by being asked again."""

    def __init__(self, reason: str, message: str) -> None:
        """Keep which of the reasons it is."""
        super().__init__(message)
        self.reason = reason


class Draft(NamedTuple):
    """A request as it is to be: which commit, from which branch into which, with which words."""

    branch: str
    base: str
    head: str
    title: str
    body: str


class Request(NamedTuple):
    """A request as it stands."""

    number: int
    url: str
    state: str
    head: str
    base: str
    branch: str


class Merged(NamedTuple):
    """A merge that git has confirmed: the base branch contains it."""

    merge_commit: str
    base_head: str
    by: str
    warning: str = ""


class Forge(ABC):
    """Somewhere to open requests. ``vault`` is a repository of ours that holds the commits."""

    kind: str

    @abstractmethod
    async def check(self) -> str:
        """Say how it can be reached; raises ``ForgeFailed`` where it cannot."""

    @abstractmethod
    async def open(self, vault: Path, draft: Draft) -> Request:
        """Push the commit and open a draft for it, or bring the one of the branch up to date."""

    @abstractmethod
    async def merge(self, vault: Path, request: Request) -> Merged:
        """Merge a request whose head is what was reviewed; raises ``NotMerged``.

        One that is merged already is looked at, and not merged again.
        """

    @abstractmethod
    async def merged(self, vault: Path, request: Request) -> Merged | None:
        """Look whether somebody has merged it; changes nothing."""
