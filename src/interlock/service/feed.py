"""The feed for many readers: one watch serves a tenant, and one read all who stand at one place.

Nobody is pushed anything. A follower is woken when there may be more, and reads it when it can;
one who is slow holds a page at most, and holds nobody up.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from interlock.errors import InterlockError
from interlock.store.port import AuditRow, Store

PAGE: Final = 100
SHARED_MAX: Final = 8
"""How many pages are kept for others; those who are up to date all want the same one."""

Page = tuple[AuditRow, ...]

log = logging.getLogger("interlock.feed")


@dataclass(slots=True)
class _Room:
    """Those who follow one tenant."""

    wakes: set[asyncio.Event] = field(default_factory=set)
    # What was read since the last change, by the place it was read from.
    pages: dict[str, asyncio.Task[Page]] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None
    is_over: bool = False

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

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come this way."""
        return self._room.is_over

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
        self._is_closed = False
        self._store = store
        self._rooms: dict[str, _Room] = {}

    @asynccontextmanager
    async def follow(self, tenant: str) -> AsyncIterator[Follower]:
        """Follow a tenant for as long as this is open."""
        room = self._rooms.get(tenant)
        if room is None or room.is_over:
            room = self._rooms[tenant] = _Room(is_over=self._is_closed)
            room.task = asyncio.create_task(self._watch(tenant, room))
        wake = asyncio.Event()
        room.wakes.add(wake)
        try:
            yield Follower(tenant, wake, self._store, room)
        finally:
            room.wakes.discard(wake)
            if not room.wakes:
                if self._rooms.get(tenant) is room:
                    del self._rooms[tenant]
                await _end(room.task)

    async def _watch(self, tenant: str, room: _Room) -> None:
        try:
            async with aclosing(self._store.watch(tenant)) as bells:
                async for _ in bells:
                    room.ring()
        except InterlockError as trouble:
            log.warning("nobody can watch for changes now: %s", trouble.message)
        # The store is closing or in trouble: who follows is let go, and may come back.
        room.is_over = True
        room.ring()

    def close(self) -> None:
        """Say that it is over; followers find out when they wake."""
        self._is_closed = True
        for room in self._rooms.values():
            room.is_over = True
            room.ring()


async def _end(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
