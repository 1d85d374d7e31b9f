"""An event loop in which nothing happens by itself: time is a clock of tests, order is drawn.

Nobody waits for anything real. Where all stand still, the one who writes gets his turn, and where
he has nothing to do, the clock goes on to whatever is due next. Who of several goes first is drawn
from the seed, and what a thread would do is done here: the same seed gives the same run.
"""

import asyncio
import random
import selectors
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from tests.still import StillClock

T = TypeVar("T")

MS: Final = 1_000


class Wedged(Exception):
    """Somebody waits for something that nobody will ever bring about."""


class _Turns(selectors.BaseSelector):
    """What the loop asks when it could wait: nothing is ever ready, but somebody may go on."""

    def __init__(self, idle: Callable[[float | None], None]) -> None:
        self._idle = idle
        self._known: dict[int, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:  # noqa: ANN401 (as it is declared)
        """Note what the loop wakes itself up with; nobody looks at it."""
        number = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        self._known[number] = selectors.SelectorKey(fileobj, number, events, data)
        return self._known[number]

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:  # noqa: ANN401 (as it is declared)
        """Forget it again."""
        return self._known.pop(fileobj if isinstance(fileobj, int) else fileobj.fileno())

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        """Return all that is known."""
        return self._known

    def select(
        self, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        """Let somebody else go on instead of waiting."""
        self._idle(timeout)
        return []


class DrawnLoop(asyncio.SelectorEventLoop):
    """A loop on a clock of tests; ``chance`` says who is next, ``write`` lets the writer go on."""

    def __init__(self, clock: StillClock) -> None:
        """Begin with nobody who writes."""
        self.clock = clock
        self.chance = random.Random(0)  # noqa: S311 (repeatable on purpose)
        # Commits what waits to be written, some of it; says whether anything did.
        self.write: Callable[[], bool] = lambda: False
        super().__init__(_Turns(self._go_on))
        # What is due at this very millisecond is due.
        self._clock_resolution = 1 / MS

    def time(self) -> float:
        """Return the time of the clock in seconds."""
        return self.clock.now() / MS

    def _write_to_self(self) -> None:
        """Wake nobody up: nobody sleeps."""

    def run_in_executor(
        self, executor: Any, func: Callable[..., T], *args: Any  # noqa: ANN401 (as it is declared)
    ) -> "asyncio.Future[T]":
        """Do it here, when its turn comes."""
        del executor
        future: asyncio.Future[T] = self.create_future()

        def do() -> None:
            if future.cancelled():
                return
            try:
                future.set_result(func(*args))
            except Exception as exc:  # noqa: BLE001 (whoever waits is told)
                future.set_exception(exc)

        self.call_soon(do)
        return future

    def _go_on(self, timeout: float | None) -> None:
        ready = self._ready  # type: ignore[attr-defined]  # who is next is what we are here for
        if timeout == 0 and ready:
            if len(ready) > 1:
                drawn = list(ready)
                self.chance.shuffle(drawn)
                ready.clear()
                ready.extend(drawn)
            return
        if self.write() or timeout == 0:
            return
        if timeout is None:
            message = "Everybody waits, and nothing is under way that could end it."
            raise Wedged(message)
        self.clock.pass_ms(max(1, round(timeout * MS)))
