"""Faults at the port of a store: errors before and after a commit, and delays; drawn by a seed.

Around a real store stands one that mostly hands on. What it does to a command is drawn from the
chance of that command, so the same command meets the same fate whatever else goes on.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, cast

from interlock.store.errors import StoreUnavailable
from interlock.store.port import Store
from interlock.store.script import Artifact, Committed, Script

BEFORE: Final = "error before"
AFTER: Final = "committed, then error"
DELAY: Final = "delay"
KINDS: Final = (BEFORE, AFTER, DELAY)

DELAY_MAX_S: Final = 5.0
FIX: Final = "Send it again later."


@dataclass(slots=True)
class Fate:
    """What befalls one command: its chance, and how likely each fault is."""

    chance: random.Random
    rates: dict[str, float]

    def strikes(self, kind: str) -> bool:
        """Draw whether a fault happens now."""
        rate = self.rates.get(kind, 0.0)
        return rate > 0 and self.chance.random() < rate


SAFE: Final = Fate(random.Random(0), {})  # noqa: S311 (nothing is drawn from it)
FATE: ContextVar[Fate] = ContextVar("fate", default=SAFE)
"""The fate of the command that is under way in this task."""


class Faulty:
    """A store that now and then fails, before or after it has done what it was asked for."""

    def __init__(self, inner: Store, struck: Counter[str], delay_s: float = DELAY_MAX_S) -> None:
        """Stand around a store; ``struck`` counts the faults."""
        self._inner = inner
        self._struck = struck
        self._delay_s = delay_s

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the store has)
        """Hand on what never fails here."""
        return getattr(self._inner, name)

    async def run(self, tenant: str, make: Callable[[], Script]) -> Committed:
        """Run a script, or do not, or say that nothing came of it."""
        fate = FATE.get()
        await self._before(fate)
        done = await self._inner.run(tenant, make)
        await self._after(fate)
        return done

    async def keep(self, tenant: str, unit: str, artifact: Artifact) -> int | None:
        """Keep an artifact, or do not, or say that nothing came of it."""
        fate = FATE.get()
        await self._before(fate)
        done = await self._inner.keep(tenant, unit, artifact)
        await self._after(fate)
        return done

    async def _before(self, fate: Fate) -> None:
        await self._wait(fate)
        if fate.strikes(BEFORE):
            self._struck[BEFORE] += 1
            message = "The database did not answer, and has done nothing."
            raise StoreUnavailable(message, fix=FIX)

    async def _after(self, fate: Fate) -> None:
        await self._wait(fate)
        if fate.strikes(AFTER):
            self._struck[AFTER] += 1
            message = "The database did not answer, but has done everything."
            raise StoreUnavailable(message, fix=FIX)

    async def _wait(self, fate: Fate) -> None:
        if fate.strikes(DELAY):
            self._struck[DELAY] += 1
            await asyncio.sleep(fate.chance.random() * self._delay_s)


def around(inner: Store, struck: Counter[str], delay_s: float = DELAY_MAX_S) -> Store:
    """Return a store that fails as the command under way is fated."""
    return cast("Store", Faulty(inner, struck, delay_s))
