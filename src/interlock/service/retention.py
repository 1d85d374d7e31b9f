"""Retention: what has grown old is forgotten, in small portions, so that nobody waits for it.

How long what is kept is a setting; nothing that a unit needs which has not ended is forgotten. A
request id that is forgotten is as good as new: by then its unit has ended, and refuses what was
asked of it then. Chains verify as before, because the audit is not touched; the bytes of an old
version may be gone, and its SHA-256 stays.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from interlock.service.engine import Engine
from interlock.store.retention import What

DAY_MS: Final = 24 * 3600 * 1000
BATCH: Final = 500
"""How many go in one transaction: others wait for no more than that."""

COUNTED_MAX: Final = 1_000_000
"""How far is counted where nothing is to go."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """For how many days what is kept after it is over; 0 is for ever."""

    replies: int = 30
    deliveries: int = 30
    logs: int = 30
    sessions: int = 30
    artifacts: int = 0

    def days(self) -> Mapping[What, int]:
        """Return the days of everything that is to be forgotten one day."""
        told: dict[What, int] = {
            "replies": self.replies, "deliveries": self.deliveries, "logs": self.logs,
            "sessions": self.sessions, "logins": self.sessions, "invitations": self.sessions,
            "contents": self.artifacts,
        }  # fmt: skip
        return {what: days for what, days in told.items() if days}


async def prune(engine: Engine, keeping: Keeping, *, is_dry: bool = False) -> dict[str, int]:
    """Forget all that has grown old; return how many of what, or dry how many would go."""
    gone: dict[str, int] = {}
    for what, days in keeping.days().items():
        gone[what] = await _prune(engine, what, engine.store.now() - days * DAY_MS, is_dry=is_dry)
    if engine.meter is not None and not is_dry:
        for name, count in gone.items():
            engine.meter.prune(name, count)
    return gone


async def _prune(engine: Engine, what: What, before: int, *, is_dry: bool) -> int:
    retention = engine.store.retention
    if is_dry:
        return (await retention.prune(what, before, COUNTED_MAX, is_dry=True)).found
    gone = 0
    while True:
        done = await retention.prune(what, before, BATCH)
        gone += done.gone
        # Where some became alive again meanwhile, the next time is soon enough.
        if done.found < BATCH or done.gone < done.found:
            return gone
        await asyncio.sleep(0)
