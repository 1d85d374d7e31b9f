"""The proxy of ``tests.cut`` in a thread of its own, for campaigns that wait and do not await."""

import asyncio
from collections.abc import Callable, Coroutine
from threading import Thread
from typing import Final, Self

from tests.cut import Cut, Fate

PATIENCE_S: Final = 60.0


class Network:
    """A network to a server on the loopback; ``with Network(port)`` has it up."""

    def __init__(self, port: int) -> None:
        """Take where the server is."""
        self._cut = Cut(port)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="network")

    def __enter__(self) -> Self:
        self._thread.start()
        self._do(self._cut.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._cut.__aexit__())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._cut.port

    def befall(self, fate: Fate) -> None:
        """Let this befall the next connection in use, and wait until it has."""
        self._do(self._cut.befall(fate))

    def stall(self, seconds: float) -> None:
        """Hold everything up for so long."""
        self._do(self._cut.stall(seconds), seconds)

    def cut(self) -> None:
        """Cut every connection, and let no new one through."""
        self._do(_calling(self._cut.cut))

    def mend(self) -> None:
        """Let new connections through again."""
        self._do(_calling(self._cut.mend))

    def _do(self, what: Coroutine[object, object, object], more_s: float = 0.0) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE_S + more_s)


async def _calling(what: Callable[[], None]) -> None:
    what()
