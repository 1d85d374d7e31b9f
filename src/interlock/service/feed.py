"""The feed for many readers: one watch serves a tenant, and one read all who stand at one place.

Nobody is pushed anything. A follower is woken when there may be more, and reads it when it can;
one who is slow holds a page at most, and holds nobody up.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from interlock.store.port import AuditRow, Store

PAGE: Final = 100
SHARED_MAX: Final = 8
"""How many pages are kept for others; those who are up to date all want the same one."""

Page = tuple[AuditRow, ...]


@dataclass(slots=True)
class _Room:
    """Those who follow one tenant."""

    wakes: set[asyncio.Event] = field(default_factory=set)
    # What was read since the last change, by the place it was read from.
    pages: dict[str, asyncio.Task[Page]] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None

    def ring(self) -> None:
        """Wake everybody: what was read until now may not be all."""
        self.pages = {}
        for wake in self.wakes:
            wake.set()


@dataclass(frozen=True, slots=True)
class Follower:
    """One who follows; ``wake`` is set when there may be more, or when it is over."""

    tenant: str
    wake: asyncio.Event
    _store: Store
    _room: _Room

    async def read(self, after: str) -> Page:
        """Read on from a place. Clear ``wake`` before, else something may be missed."""
        pages = self._room.pages
        task = pages.get(after)
        if task is None or (task.done() and task.exception() is not None):
            task = asyncio.create_task(_read(self._store, self.tenant, after))
            while len(pages) >= SHARED_MAX:
                del pages[next(iter(pages))]
            pages[after] = task
        # Who goes away must not take the page from the others.
        return await asyncio.shield(task)


async def _read(store: Store, tenant: str, after: str) -> Page:
    return await store.feed(tenant, after, PAGE)


class Feed:
    """All who follow in this process."""

    def __init__(self, store: Store) -> None:
        """Begin with nobody; nothing is watched until somebody follows."""
        self.is_closed = False
        self._store = store
        self._rooms: dict[str, _Room] = {}

    @asynccontextmanager
    async def follow(self, tenant: str) -> AsyncIterator[Follower]:
        """Follow a tenant for as long as this is open."""
        room = self._rooms.setdefault(tenant, _Room())
        wake = asyncio.Event()
        room.wakes.add(wake)
        if room.task is None:
            room.task = asyncio.create_task(self._watch(tenant, room))
        try:
            yield Follower(tenant, wake, self._store, room)
        finally:
            room.wakes.discard(wake)
            if not room.wakes and self._rooms.get(tenant) is room:
                del self._rooms[tenant]
                await _end(room.task)

    async def _watch(self, tenant: str, room: _Room) -> None:
        async with aclosing(self._store.watch(tenant)) as bells:
            async for _ in bells:
                room.ring()
        # The store is closing: there is nothing more to come.
        self.close()

    def close(self) -> None:
        """Say that it is over; followers find out when they wake."""
        self.is_closed = True
        for room in self._rooms.values():
            room.ring()


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
