"""Calls that are repeated until they are answered: a server that is away is waited for.

A call keeps its request id for as long as it is repeated, so it has one effect however often it
arrives.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from interlock.client.caller import Caller
from interlock.clock import Clock
from interlock.errors import InterlockError
from interlock.telemetry.logs import TOLD
from interlock.wire.envelope import Envelope
from interlock.worker.work import Pace

DOUBLINGS_MAX: Final = 20

log: Final = logging.getLogger("interlock.worker")


class Patience:
    """A server that may be away now and then."""

    def __init__(self, caller: Caller, pace: Pace, clock: Clock) -> None:
        """Call through ``caller``, which is to send each call once."""
        self._caller = caller
        self._pace = pace
        self._clock = clock

    async def once(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        """Call a command once, whatever comes of it."""
        return await self._caller.call(command, arguments)

    async def call(
        self, command: str, arguments: Mapping[str, object], until: asyncio.Event | None = None
    ) -> Envelope | None:
        """Call a command until the server has said yes or no; raises where it was a no.

        ``until`` ends it between two attempts: then there is no answer.
        """
        told = {"request_id": self._clock.new_id("request"), **arguments}
        attempt = 0
        while until is None or not until.is_set():
            try:
                return await self._caller.call(command, told)
            except InterlockError as error:
                if not error.retryable:
                    raise
                level = logging.DEBUG if attempt else logging.WARNING
                facts = {TOLD: {"command": command, "code": error.code}}
                log.log(level, "%s It is asked again.", error.message, extra=facts)
            await self.pause(attempt, until)
            attempt += 1
        return None

    async def pause(self, attempt: int, until: asyncio.Event | None = None) -> None:
        """Wait before the next attempt: longer each time, and never in line with others."""
        limit = self._pace.backoff_s * 2 ** min(attempt, DOUBLINGS_MAX)
        pause_s = self._clock.jitter(min(limit, self._pace.backoff_max_s))
        if until is None:
            await asyncio.sleep(pause_s)
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(until.wait(), pause_s)
