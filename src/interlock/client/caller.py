"""What the methods of every toolset are called through."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from interlock.wire.envelope import Envelope


class Caller(ABC):
    """Whoever can call a command by its name."""

    @abstractmethod
    async def call(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        """Call a command; an argument that is None was not given."""
