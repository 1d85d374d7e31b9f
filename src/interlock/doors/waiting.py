"""Callers that wait may leave: what they waited for is then given up, and not kept for nobody.

Else work that is offered a moment later would be handed to somebody who is gone, and be held for as
long as a lease lasts.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

T = TypeVar("T")


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return what comes of work; raises ``ClientDisconnect`` where the caller has left before."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    """Wait until the caller has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
