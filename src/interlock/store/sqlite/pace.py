"""Whether commands are quick enough to be carried out where they are asked for.

A thread of its own costs two hand-overs a command: on a disk that syncs in a fraction of a
millisecond more than the commit itself. An event loop may wait that long, but not longer. What
counts is the mean of the last commands: one that was held up says little, a slow disk is slow every
time, and the slower it is the longer it is remembered.
"""

from typing import Final

QUICK_S: Final = 0.002
"""How long a command may take, with its share of the commit, to be worth no thread."""

FIRST_S: Final = 0.01
"""What is believed before there was any: nothing is trusted yet."""

SHARE: Final = 1 / 8
"""What the last one counts in the mean; all before it count the rest."""


class Pace:
    """How quick the last commands were."""

    __slots__ = ("_mean_s",)

    def __init__(self) -> None:
        """Trust nothing yet."""
        self._mean_s = FIRST_S

    @property
    def is_quick(self) -> bool:
        """Whether the next command may be waited for."""
        return self._mean_s <= QUICK_S

    def took(self, seconds: float, commands: int) -> None:
        """Take note of how long a group of commands took."""
        self._mean_s += (seconds / commands - self._mean_s) * SHARE
