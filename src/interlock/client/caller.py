"""What the methods of every toolset are called through."""

from collections.abc import Mapping
from typing import Protocol

from interlock.wire.envelope import Envelope


class Caller(Protocol):
    """Whoever can call a command by its name."""

    async def call(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        """Call a command; an argument that is None was not given."""
