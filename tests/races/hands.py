"""The hands of the machine's clocks, held by a test: wall time jumps, elapsed time only grows."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from interlock import clock

NS_PER_MS = 1_000_000
START_NS = 1_800_000_000_000 * NS_PER_MS


class Hands:
    """Where both clocks stand."""

    def __init__(self) -> None:
        """Begin somewhere."""
        self.wall_ns = START_NS
        self.elapsed_ns = 0

    def jump_ms(self, ms: int) -> None:
        """Set the wall clock, as an administrator or a time server may."""
        self.wall_ns += ms * NS_PER_MS

    def pass_ms(self, ms: int) -> None:
        """Let time pass on both."""
        self.wall_ns += ms * NS_PER_MS
        self.elapsed_ns += ms * NS_PER_MS


@contextmanager
def held() -> Iterator[Hands]:
    """Hold the hands of the clocks that our clock reads."""
    hands = Hands()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: hands.wall_ns)
        patch.setattr(clock, "_elapsed_ns", lambda: hands.elapsed_ns)
        yield hands
