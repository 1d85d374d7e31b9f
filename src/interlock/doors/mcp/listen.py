"""Change notifications: who listens is told that a unit has changed, not how.

A store says only that something of a tenant may have changed. So the units that changed last are
looked at again, and those with a new version are told. Newer clients hold a request open
(``subscriptions/listen``); on a lasting connection of the older kind they subscribe once. Nobody
watches anything until somebody listens.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Final

from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
)
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)
from starlette.requests import Request

from interlock.doors.http import who
from interlock.doors.mcp.call import Context, Desk
from interlock.doors.mcp.resources import LISTED, addresses
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.errors import Unauthenticated

STREAMS_MAX: Final = 1_000
"""How many streams one process holds open."""

SUBSCRIBED_MAX: Final = 1_000
"""How many addresses one connection can subscribe to."""

log = logging.getLogger("interlock.mcp")


async def changes(engine: Engine, tenant: str) -> AsyncGenerator[list[ServerEvent], None]:
    """Yield at once, and then what has changed for a tenant; nothing in between is missed."""
    seen: dict[str, int] | None = None
    async with aclosing(engine.store.watch(tenant)) as bells:
        async for _ in bells:
            try:
                rows = await engine.store.units(tenant, "", None, LISTED)
            except InterlockError:
                log.warning("changes cannot be read now; trying again at the next one")
                continue
            found = {one.row.id: one.row.version for one in rows}
            yield [] if seen is None else list(_told(seen, found))
            seen = found


def _told(seen: dict[str, int], found: dict[str, int]) -> Iterator[ServerEvent]:
    for unit, version in found.items():
        if seen.get(unit) != version:
            yield from (ResourceUpdated(uri=address) for address in addresses(unit))
    if found.keys() - seen.keys():
        yield ResourcesListChanged()


@dataclass(slots=True)
class Listening:
    """The streams that are open in this process."""

    streams: list[ListenHandler] = field(default_factory=list)
    # How often whoever listens is asked again who they are.
    ask_again_s: float = 20

    async def listen(
        self, desk: Desk, context: Context, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Serve one stream until its client goes, or until the server stops."""
        if len(self.streams) >= STREAMS_MAX:
            raise MCPError(code=INTERNAL_ERROR, message="Too many streams are open; try later.")
        # A bus each, so that no stream can ever be told of another tenant's changes.
        bus = _Bus()
        handler = ListenHandler(bus)
        self.streams.append(handler)
        try:
            async with aclosing(changes(desk.engine, desk.who(context).tenant)) as events:
                await anext(events, None)
                tasks = [
                    asyncio.create_task(bus.forward(events)),
                    asyncio.create_task(self._ask_again(desk, context, handler)),
                ]
                try:
                    return await handler(context, params)
                finally:
                    for task in tasks:
                        await _end(task)
        finally:
            self.streams.remove(handler)

    async def _ask_again(self, desk: Desk, context: Context, handler: ListenHandler) -> None:
        """End a stream whose caller would not be let in any more."""
        while isinstance(context.request, Request):
            await asyncio.sleep(self.ask_again_s)
            try:
                await who(desk.engine, context.request)
            except Unauthenticated:
                handler.close()
                return
            except InterlockError:
                continue  # the database is away for a while

    def close(self) -> None:
        """End every stream in good order."""
        for handler in self.streams:
            handler.close()


class _Bus:
    """Carries the changes of one tenant to one stream."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[ServerEvent], None]] = []

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return self._listeners.clear

    async def publish(self, event: ServerEvent) -> None:
        for listener in self._listeners:
            listener(event)

    async def forward(self, events: AsyncGenerator[list[ServerEvent], None]) -> None:
        async for told in events:
            for event in told:
                await self.publish(event)


@dataclass(slots=True)
class Subscribed:
    """What the one client of a lasting connection has subscribed to."""

    engine: Engine
    tenant: str
    uris: set[str] = field(default_factory=set)
    task: asyncio.Task[None] | None = None

    async def subscribe(self, context: Context, params: SubscribeRequestParams) -> EmptyResult:
        """Begin to tell of an address."""
        if len(self.uris) >= SUBSCRIBED_MAX:
            raise MCPError(code=INTERNAL_ERROR, message="Too many subscriptions.")
        self.uris.add(params.uri)
        if self.task is None:
            events = changes(self.engine, self.tenant)
            await anext(events, None)
            self.task = asyncio.create_task(self._send(events, context.session))
        return EmptyResult()

    async def unsubscribe(self, context: Context, params: UnsubscribeRequestParams) -> EmptyResult:
        """Stop telling of an address."""
        del context
        self.uris.discard(params.uri)
        return EmptyResult()

    async def close(self) -> None:
        """Stop telling anything."""
        if self.task is not None:
            await _end(self.task)

    async def _send(
        self, events: AsyncGenerator[list[ServerEvent], None], session: ServerSession
    ) -> None:
        async with aclosing(events):
            async for told in events:
                for event in told:
                    if isinstance(event, ResourcesListChanged):
                        await session.send_resource_list_changed()
                    elif isinstance(event, ResourceUpdated) and event.uri in self.uris:
                        await session.send_resource_updated(event.uri)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
