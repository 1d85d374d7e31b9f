"""What the trees of a site take on the disk, how long they have rested, and what may go.

A tree goes when its ticket has ended, as the server says, and nothing was done in it for a while.
One whose ticket nobody knows is told and stays: the server may have been the wrong one to ask.
"""

import asyncio
import os
import stat
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from interlock.errors import InterlockError
from interlock.worker.workspace.intents import read_intents
from interlock.worker.workspace.room import INTENTS, Site

BLOCK: Final = 512
ENDED: Final = frozenset({"COMPLETED", "CANCELED"})
UNKNOWN: Final = "unknown"
USED: Final = ("about.json", "vault.git/index", "vault.git/refs", "tree")
"""What is written when something is done with a tree."""

Ask = Callable[[str, Mapping[str, object]], Awaitable[object]]


class Kept(NamedTuple):
    """A tree that lies there: whose, how that ticket stands, how large, how long at rest."""

    ticket: str
    state: str
    size: int
    rested_ms: int
    is_busy: bool = False

    def told(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "ticket_id": self.ticket, "state": self.state, "bytes": self.size,
            "rested_ms": self.rested_ms, "is_busy": self.is_busy,
        }  # fmt: skip

    def may_go(self, older_ms: int) -> bool:
        """Say whether it may be removed."""
        return self.state in ENDED and not self.is_busy and self.rested_ms >= older_ms


class Pruned(NamedTuple):
    """What was removed, what stays, and what could not be removed with why."""

    removed: tuple[Kept, ...]
    kept: tuple[Kept, ...]
    failed: tuple[tuple[str, str], ...] = ()


State = Callable[[str], Awaitable[str]]
"""Says how a ticket stands; raises ``InterlockError`` where the server does not say."""


async def kept(
    site: Site, state: State, now: int, told: Callable[[int], None] | None = None
) -> list[Kept]:
    """Return the trees of a site, the largest first; raises ``InterlockError``."""
    busy = {one.unit for one in read_intents(site.data / INTENTS)}
    found = []
    for number, ticket in enumerate(site.trees()):
        place = site.room / ticket
        size = await asyncio.to_thread(size_of, place)
        rested = max(now - await asyncio.to_thread(_used, place), 0)
        found.append(Kept(ticket, await state(ticket), size, rested, ticket in busy))
        if told is not None:
            told(number + 1)
    return sorted(found, key=lambda one: (-one.size, one.ticket))


async def prune(site: Site, trees: list[Kept], older_ms: int, *, is_dry: bool = False) -> Pruned:
    """Remove the trees of ended tickets that have rested long enough."""
    going = [one for one in trees if one.may_go(older_ms)]
    staying = tuple(one for one in trees if not one.may_go(older_ms))
    if is_dry:
        return Pruned(tuple(going), staying)
    removed, failed = [], []
    for one in going:
        try:
            await site.tree(one.ticket).remove()
            removed.append(one)
        except OSError as error:
            failed.append((one.ticket, error.strerror or str(error)))
    await site.reconcile()
    return Pruned(tuple(removed), staying, tuple(failed))


def size_of(folder: Path) -> int:
    """Return how many bytes of the disk a folder takes; what has two names counts once."""
    seen: set[tuple[int, int]] = set()
    total = 0
    for about in _every(folder):
        key = (about.st_dev, about.st_ino)
        if key not in seen:
            total += about.st_blocks * BLOCK
        if about.st_nlink > 1 and not stat.S_ISDIR(about.st_mode):
            seen.add(key)
    return total


def _every(folder: Path) -> Iterator[os.stat_result]:
    """Yield what is known of everything in a folder; nothing is followed."""
    left = [folder]
    while left:
        try:
            with os.scandir(left.pop()) as entries:
                for entry in entries:
                    yield entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False):
                        left.append(Path(entry.path))
        except OSError:
            continue  # It is gone, or closed: then we do not know.


def _used(place: Path) -> int:
    """Return when something was done with a tree, in milliseconds."""
    moments = [0]
    for name in USED:
        try:
            moments.append((place / name).lstat().st_mtime_ns // 1_000_000)
        except OSError:
            continue
    return max(moments)


async def state_of(ask: Ask, ticket: str) -> str:
    """Ask the server how a ticket stands; one that it does not know is unknown."""
    try:
        answer = await ask("ticket_status", {"ticket_id": ticket})
    except InterlockError as no:
        if no.code == "NOT_FOUND":
            return UNKNOWN
        raise
    data = getattr(answer, "data", {})
    phase = data.get("phase") if isinstance(data, Mapping) else None
    return str(phase.get("name", UNKNOWN)) if isinstance(phase, Mapping) else UNKNOWN
