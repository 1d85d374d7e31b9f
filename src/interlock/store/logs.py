"""Logs as rows: what a worker tells while it works on a part, line by line.

A store has these verbs as ``store.logs``. Lines are numbered within their unit, in the order in
which they came. They are a help for people, no record: the oldest ones of a unit go first.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Line(NamedTuple):
    """A line as it comes in: when it was said, by which stream, and what."""

    at: int
    stream: str
    text: str


class LogRow(NamedTuple):
    """A line as it is kept."""

    number: int
    part: int
    member: str
    at: int
    stream: str
    text: str


class WhichLines(NamedTuple):
    """Which lines of a unit are meant: of a part (0: any), of a member, after a number."""

    part: int = 0
    member: str = ""
    after: int = 0


class Logs(Protocol):
    """The logs of a database, tenant by tenant."""

    async def append(
        self, tenant: str, unit: str, part: int, member: str, lines: Sequence[Line], most: int
    ) -> int:
        """Keep lines of a part; of the unit no more than ``most`` stay. Return the last number.

        Where they are the last lines of the part already they came a second time, and nothing is
        written.
        """

    async def read(self, tenant: str, unit: str, which: WhichLines, limit: int) -> Sequence[LogRow]:
        """List lines in their order."""
