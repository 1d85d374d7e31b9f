"""The hands of the wall clock of real processes: each may have a clock of its own that is wrong."""

import mmap
import struct
import time
from pathlib import Path
from typing import Final

from tests.native import built

SOURCE: Final = Path(__file__).with_name("wall.c")
FORM: Final = "<qq"
SECOND_NS: Final = 1_000_000_000


class Hands:
    """Sets the clock of the processes that hold its file."""

    def __init__(self, path: Path) -> None:
        """Make the file; the clock is right."""
        self.path = path
        path.write_bytes(bytes(struct.calcsize(FORM)))
        with path.open("r+b") as file:
            self._mapped = mmap.mmap(file.fileno(), 0)
        self._ahead_ns = 0

    def jump(self, seconds: float) -> None:
        """Set the clock on or back by so much, and let it go."""
        self._ahead_ns += round(seconds * SECOND_NS)
        self._set(self._ahead_ns, 0)

    def freeze(self) -> None:
        """Stop the clock where it stands."""
        self._set(self._ahead_ns, time.time_ns() + self._ahead_ns)

    def right(self) -> None:
        """Have the clock show what it should."""
        self._ahead_ns = 0
        self._set(0, 0)

    def _set(self, ahead_ns: int, stands_ns: int) -> None:
        self._mapped[:] = struct.pack(FORM, ahead_ns, stands_ns)


def around() -> dict[str, str]:
    """Return what a process must find around it to have a clock that can be set."""
    return {"LD_PRELOAD": str(built(SOURCE))}
