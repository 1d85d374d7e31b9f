"""What is counted while others are served: plain numbers, as cheap as an addition.

Nothing is formatted, sent or labelled with a tenant here; whoever wants to see the figures reads
them. Every process counts for itself.
"""

from bisect import bisect_left
from typing import Final

BOUNDS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Where one bucket of a histogram ends and the next begins; the last has no end."""


class Timing:
    """How often something was done, and how long it took."""

    __slots__ = ("counts", "total_s")

    def __init__(self) -> None:
        """Begin with nothing."""
        self.counts = [0] * (len(BOUNDS_S) + 1)
        self.total_s = 0.0

    def add(self, took_s: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS_S, took_s)] += 1
        self.total_s += took_s

    def merge(self, counts: list[int], total_s: float) -> None:
        """Count what was counted elsewhere, too."""
        self.counts = [mine + other for mine, other in zip(self.counts, counts, strict=True)]
        self.total_s += total_s


class Meter:
    """The figures of one process."""

    def __init__(self) -> None:
        """Begin with nothing."""
        # By the name of the command, the way in, and the code it was answered with.
        self.commands: dict[tuple[str, str, str], Timing] = {}
        self.commits = Timing()
        # By workflow: leases that ran out, and those of them that left their unit stalled.
        self.lapses: dict[str, int] = {}
        self.stalls: dict[str, int] = {}
        # By what it was: what had grown old and is forgotten.
        self.pruned: dict[str, int] = {}

    def command(self, name: str, channel: str, code: str, took_s: float) -> None:
        """Count a command that was answered."""
        key = (name, channel, code)
        timing = self.commands.get(key)
        if timing is None:
            timing = self.commands[key] = Timing()
        timing.add(took_s)

    def lapse(self, workflow: str, *, is_stall: bool) -> None:
        """Count a lease that ran out."""
        self.lapses[workflow] = self.lapses.get(workflow, 0) + 1
        if is_stall:
            self.stalls[workflow] = self.stalls.get(workflow, 0) + 1

    def prune(self, what: str, count: int) -> None:
        """Count what was forgotten."""
        self.pruned[what] = self.pruned.get(what, 0) + count
