"""Whether commands are quick enough to be carried out where they are asked for.

A thread of its own costs two hand-overs a command: on a disk that syncs in a fraction of a
millisecond more than the commit itself. An event loop may wait that long, but never longer: the
first command that takes its time sends those after it to the thread again, for a while.
"""

from typing import Final

QUICK_S: Final = 0.002
"""How long a command may take, with its share of the commit, to be worth no thread."""

TRIAL: Final = 8
PROBATION: Final = 64
"""How many commands in a row must be quick: at first, and after one that was not."""


class Pace:
    """How quick the last commands were."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        """Trust nothing yet."""
        self._left = TRIAL

    @property
    def is_quick(self) -> bool:
        """Whether the next command may be waited for."""
        return not self._left

    def took(self, seconds: float, commands: int) -> None:
        """Take note of how long a group of commands took."""
        if seconds > QUICK_S * commands:
            self._left = PROBATION
        elif self._left:
            self._left = max(0, self._left - commands)
