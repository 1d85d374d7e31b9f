"""A line before each name: one has it, the others wait and get it in the order they came.

A name that nobody has costs nothing, and one that nobody waits for next to nothing: locks that are
made, found and forgotten with every command cost more than the command's own way to its lock.
"""

import asyncio
from collections import deque
from typing import Generic, TypeVar

Name = TypeVar("Name")


class Lines(Generic[Name]):
    """Who has a name, and who waits for it, in one event loop."""

    def __init__(self) -> None:
        """Begin with every name free."""
        # Names that somebody has, each with those who wait for it.
        self._waiting: dict[Name, deque[asyncio.Future[None]]] = {}

    def has_taken(self, name: Name) -> bool:
        """Take a name if it is free; say whether it was."""
        if name in self._waiting:
            return False
        self._waiting[name] = deque()
        return True

    async def wait(self, name: Name) -> None:
        """Wait until a name that somebody has is ours."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[name].append(turn)
        try:
            await turn
        except BaseException:
            if not turn.cancel() and not turn.cancelled():
                self.leave(name)  # it was our turn, and we did not take it
            raise

    def leave(self, name: Name) -> None:
        """Hand a name to who waits longest; it is free where nobody does."""
        line = self._waiting[name]
        while line:
            turn = line.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        del self._waiting[name]
