"""What happens on a server, as it happens; a stream that breaks is gone on with where it broke."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Final, NamedTuple

import httpx2

from interlock.client.errors import Unreachable
from interlock.client.http import Pairs, Wire, refused

AGAIN_S: Final = 1.0
SILENCE_S: Final = 45.0
"""A server that has not even said that it is still there is taken for gone."""

STOPPING: Final = "STOPPING"


class Event(NamedTuple):
    """One entry of an audit; ``id`` is where to go on after it."""

    id: str
    unit_id: str
    sequence: int
    at: int
    body: Mapping[str, object]
    hash: str


class _Ended(Exception):
    """The server has shown us out, for good."""


async def follow(
    wire: Wire, query: Pairs, after: str, attempts: int
) -> AsyncGenerator[Event, None]:
    """Yield what happens, over as many streams as it takes; ends where the server shows us out."""
    failed = 0
    while True:
        try:
            async for name, event in _stream(wire, query, after):
                failed, after = 0, name
                if event is not None:
                    yield event
        except _Ended:
            return
        except httpx2.TransportError as exc:
            failed += 1
            if failed >= attempts:
                message = f"The stream of {wire.server} broke off {failed} times in a row."
                fix = f"Go on later from {after!r}."
                raise Unreachable(message, fix=fix) from exc
        await asyncio.sleep(AGAIN_S * failed)


async def _stream(wire: Wire, query: Pairs, after: str) -> AsyncIterator[tuple[str, Event | None]]:
    """Read one stream to its end; yields where it stands, and what happened there if anything."""
    headers = {"Accept": "text/event-stream", **({"Last-Event-ID": after} if after else {})}
    timeout = httpx2.Timeout(SILENCE_S, connect=5.0)
    async with wire.http.stream(
        "GET", "/events", params=query, headers=headers, timeout=timeout
    ) as response:
        if not response.is_success:
            await response.aread()
            raise refused(response)
        fields: dict[str, str] = {}
        async for line in response.aiter_lines():
            if line:
                name, _, value = line.partition(":")
                fields[name] = value.removeprefix(" ")
                continue
            told, fields = fields, {}
            if told.get("event") == "stop":
                if json.loads(told["data"]).get("code") != STOPPING:
                    raise _Ended
                return
            if "id" in told:
                yield told["id"], _event(told) if "data" in told else None


def _event(told: Mapping[str, str]) -> Event:
    data = json.loads(told["data"])
    body = json.loads(data["body"])
    return Event(told["id"], data["unit_id"], data["sequence"], data["at"], body, data["hash"])
