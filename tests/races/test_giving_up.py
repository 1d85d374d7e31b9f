"""Callers who give up at any moment and ask again: nothing is lost, nothing happens twice.

A caller who is cancelled does not know whether the command has happened; the same request id
tells. Every command here is given up several times before it is waited for.
"""

import asyncio
import random
from pathlib import Path

import pytest

from interlock.clock import SystemClock
from interlock.service.engine import Engine
from interlock.service.run import Answer
from interlock.store.port import Store
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from interlock.store.sqlite.store import SqliteStore
from tests.crash.child import RUNNING
from tests.crash.clients import Board, Client
from tests.crash.intents import TENANT, Intent, perform
from tests.crash.journal import Journal, read
from tests.crash.judge import judge
from tests.stage import _place

CLIENTS = 12
SECONDS = 1.5
LONGEST_S = 60
PATIENCE_S = (0, 0.0005, 0.001, 0.002, 0.005)
TRIES = 4


class Impatient:
    """Asks as clients do, and gives up again and again before the last try."""

    def __init__(self, seed: int) -> None:
        """Draw patience from a seed."""
        self.given_up = 0
        self._chance = random.Random(seed)  # noqa: S311 (repeatable on purpose)

    async def __call__(self, engine: Engine, intent: Intent) -> Answer:
        """Ask until there is an answer."""
        for _ in range(TRIES):
            try:
                async with asyncio.timeout(self._chance.choice(PATIENCE_S)):
                    return await perform(engine, intent)
            except TimeoutError:
                self.given_up += 1
        return await perform(engine, intent)


async def opened(where: Path | str, clock: SystemClock) -> Store:
    """Open a store that need not wait for its disk."""
    if isinstance(where, Path):
        return SqliteStore(where, clock, synchronous="off")
    return await PostgresStore.open(where, clock, Options(allow_degraded=True))


async def give_up_often(where: Path | str, journal: Path, ask: Impatient) -> list[str]:
    """Let clients work for a while; return what does not fit afterwards."""
    clock = SystemClock()
    store = await opened(where, clock)
    await store.add_tenant(TENANT, "Acme", clock.now())
    engine = Engine(store, clock, RUNNING)
    stop, board, written = asyncio.Event(), Board(), Journal(journal)
    async with asyncio.TaskGroup() as group:
        for number in range(CLIENTS):
            chance = random.Random(number)  # noqa: S311 (repeatable on purpose)
            client = Client(f"client{number}", engine, written, board, chance, ask=ask)
            group.create_task(client.run([], stop))
        await asyncio.sleep(SECONDS)
        # A slow machine needs longer for as much.
        async with asyncio.timeout(LONGEST_S):
            while ask.given_up <= CLIENTS or not _heard_later(journal):  # noqa: ASYNC110 (told by nobody)
                await asyncio.sleep(0.1)
        stop.set()
    found = await judge(engine, read(journal))
    await store.close()
    return found


def _heard_later(journal: Path) -> bool:
    """Say whether somebody who had given up was told what had happened."""
    return any(line.outcome and line.outcome.is_replay for line in read(journal).values())


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_whoever_gives_up_and_asks_again_is_answered_once_and_for_all(
    request: pytest.FixtureRequest, tmp_path: Path, dialect: str
) -> None:
    ask = Impatient(seed=1)
    with _place(request, dialect) as where:
        findings = asyncio.run(give_up_often(where, tmp_path / "journal", ask))

    assert findings == []
    assert ask.given_up > CLIENTS
    assert _heard_later(tmp_path / "journal")
