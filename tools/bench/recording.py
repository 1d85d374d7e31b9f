"""Record what our engine writes, so that a floor can write the same rows with the same bytes.

Nothing is changed on the way: the store hands every script's outcome on as it came. Rows are
counted by SQLite, not by us.
"""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NamedTuple

from interlock.clock import SystemClock
from interlock.store.script import Change, Committed, Script
from interlock.store.sqlite.store import SqliteStore
from tools.bench.ours import Agent


class CountingStore(SqliteStore):
    """A store that can say how many rows were written through it; it may also keep what."""

    changes: list[Change] | None = None

    def run(self, tenant: str, make: Callable[[], Script]) -> Coroutine[Any, Any, Committed]:
        """Drive a script, and keep what it returns where that is wanted."""
        changes = self.changes
        if changes is None:
            return super().run(tenant, make)

        def script() -> Script:
            outcome = yield from make()
            if isinstance(outcome, Change):
                changes.append(outcome)
            return outcome

        return super().run(tenant, script)

    async def rows_written(self) -> int:
        """Return how many rows SQLite has inserted, updated or deleted for us so far."""
        count = await self._writer.call(lambda writer: writer.connection.total_changes())
        if not isinstance(count, int):
            raise TypeError(count)
        return count


class Recording(NamedTuple):
    """What one plan has written: how it was made, and then two changes a step."""

    made: Change
    changes: tuple[Change, ...]

    @property
    def steps(self) -> int:
        """How many steps were claimed and submitted."""
        return len(self.changes) // 2


async def record(folder: Path, steps: int) -> Recording:
    """Play a plan on a new file in the folder and return what was written."""
    store = CountingStore(folder / "recorded.db", SystemClock())
    try:
        agent = Agent(store)
        await agent.begin()
        store.changes = []
        unit = await agent.make(steps)
        await agent.play(unit, steps)
        made, *changes = store.changes
        return Recording(made, tuple(changes))
    finally:
        await store.close()
