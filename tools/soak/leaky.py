"""The server with a leak in it: ``python -m tools.soak.leaky KIND ...``, the rest as ours takes it.

Only for the soak, which must find it. Nothing of ours loads this.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from typing import Any, Final

from interlock.cli.main import run
from interlock.commands.verbs import LocalVerbs

LOST_BYTES: Final = 2_000
"""What a command leaves behind: about as much as one answer that somebody keeps."""
_lost: list[object] = []


def _lose_memory() -> None:
    _lost.append(bytearray(LOST_BYTES))


def _lose_descriptors() -> None:
    # One in a hundred commands: slow enough that nobody sees it in a test.
    _lost.append(None)
    if len(_lost) % 100 == 0:
        _lost[-1] = os.open(tempfile.gettempdir(), os.O_RDONLY)


LEAKS: Final[Mapping[str, Callable[[], None]]] = {
    "memory": _lose_memory,
    "descriptors": _lose_descriptors,
}


def plant(kind: str) -> None:
    """Make every command of this process lose something."""
    lose, call = LEAKS[kind], LocalVerbs.call

    async def losing(self: LocalVerbs, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 (passed on as it came)
        lose()
        return await call(self, *arguments, **named)

    LocalVerbs.call = losing  # type: ignore[method-assign]  # that is the leak


if __name__ == "__main__":
    plant(sys.argv.pop(1))
    run()
