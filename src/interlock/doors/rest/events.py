"""The stream of what happens (server-sent events), from any place in the feed on.

Each event is an entry of an audit, and its id the place where a reader goes on who comes back. A
reader who is slow is waited for, with one page in hand; one whose token is no longer good is shown
out. The end is told: a stream that only breaks off is one to come back to.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from starlette.types import Receive, Scope, Send

from interlock.commands.ticket.blind import entry_shown
from interlock.doors.rest.refusals import TooManyStreams
from interlock.errors import InterlockError
from interlock.kernel.rules import USER
from interlock.service.engine import Principal
from interlock.service.errors import InvalidInput
from interlock.service.feed import PAGE, Feed, Follower, Page
from interlock.service.seal import Seal
from interlock.store.port import AuditRow

MEDIA_TYPE: Final = "text/event-stream; charset=utf-8"
STREAMS_MAX: Final = 1_000
"""How many streams one process holds open."""

STREAMS_EACH: Final = 100
"""How many of them one caller may have."""

TOLD_MAX: Final = 200
"""How many entries are kept as they are told."""

FILTERS: Final = ("unit", "workflow", "type")
FROM: Final = ("now", "start")
RETRY_MS: Final = 2_000
TROUBLE_S: Final = 2.0
"""How soon a database that did not answer is asked again."""

log = logging.getLogger("interlock.rest")

Events = Iterator[bytes]


class Pace(NamedTuple):
    """How often a stream does what nobody has asked it for."""

    keep_alive_s: float = 15
    ask_again_s: float = 20
    send_s: float = 60
    # How long a reader who was woken waits for more: one message then tells it all.
    linger_s: float = 0.03


class Wanted(NamedTuple):
    """Which entries a reader wants; empty means any."""

    unit: frozenset[str] = frozenset()
    workflow: frozenset[str] = frozenset()
    type: frozenset[str] = frozenset()
    is_from_start: bool = False
    # The place that it goes on from, as it was told; empty where none is named.
    after: str = ""


def wanted_of(pairs: list[tuple[str, str]]) -> Wanted:
    """Read what a query asks of a stream; raises ``InvalidInput``."""
    known = (*FILTERS, "from", "after")
    wrong = [(name[:80], "is no parameter") for name, _ in pairs if name not in known]
    begins = [value for name, value in pairs if name == "from"]
    if len(begins) > 1 or not set(begins) <= set(FROM):
        wrong.append(("from", f"should be {' or '.join(FROM)}, once"))
    after = [value for name, value in pairs if name == "after"]
    if len(after) > 1 or (after and begins):
        wrong.append(("after", "should be given once, and not beside from"))
    if wrong:
        told = "; ".join(f"{ascii(name)[1:-1]}: {what}" for name, what in wrong)
        fix = f"Correct what is named; a stream takes {', '.join(known)}."
        raise InvalidInput(f"There is no such stream: {told}.", fix=fix, fields=tuple(wrong))
    given = {
        name: frozenset(value for key, value in pairs if key == name and value) for name in FILTERS
    }
    return Wanted(
        given["unit"], given["workflow"], given["type"], "start" in begins, "".join(after)
    )


@dataclass(slots=True)
class Streams:
    """The streams that are open in this process."""

    feed: Feed
    pace: Pace = field(default_factory=Pace)
    open: dict[tuple[str, str], int] = field(default_factory=dict)
    # Entries as they are told, by the seal of their tenant, their place, and whether to a person:
    # all readers who are up to date are told the same ones.
    told: dict[tuple[bytes, str, bool], bytes] = field(default_factory=dict)

    def enter(self, caller: Principal) -> None:
        """Count a stream; raises ``TooManyStreams``."""
        who = (caller.tenant, caller.id)
        if self.open.get(who, 0) >= STREAMS_EACH or sum(self.open.values()) >= STREAMS_MAX:
            message = "Too many streams are open."
            raise TooManyStreams(message, fix="Close one of yours, or come back later.")
        self.open[who] = self.open.get(who, 0) + 1

    def leave(self, caller: Principal) -> None:
        """Count a stream no more."""
        who = (caller.tenant, caller.id)
        self.open[who] -= 1
        if not self.open[who]:
            del self.open[who]


@dataclass(slots=True)
class Stream:
    """One stream, from its first byte to its last."""

    streams: Streams
    caller: Principal
    wanted: Wanted
    after: str
    seal: Seal
    # Asks again who is calling; raises where they would not be let in any more.
    ask: Callable[[], Awaitable[Principal]]
    is_gone: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell what happens until one of the two sides has had enough."""
        del scope
        try:
            async with self.streams.feed.follow(self.caller.tenant) as follower:
                watching = asyncio.create_task(self._notice(receive, follower))
                try:
                    await self._tell(send, follower)
                finally:
                    watching.cancel()
                    with suppress(asyncio.CancelledError):
                        await watching
        finally:
            self.streams.leave(self.caller)

    async def _notice(self, receive: Receive, follower: Follower) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.is_gone = True
        follower.wake.set()

    async def _tell(self, send: Send, follower: Follower) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        with suppress(TimeoutError):
            await self._send(
                send, f"retry: {RETRY_MS}\nid: {self.seal.close(self.after)}\n\n".encode()
            )
            await self._send(send, await self._follow(send, follower))
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _follow(self, send: Send, follower: Follower) -> bytes:
        """Tell entries as they come; return what the stream ends with."""
        time = asyncio.get_running_loop().time
        told_at = asked_at = time()
        while True:
            follower.wake.clear()
            if self.is_gone or follower.is_over:
                return _stop("STOPPING", "The server stops; come back to it or to another.")
            if time() >= asked_at + self.streams.pace.ask_again_s:
                try:
                    await self.ask()
                except InterlockError as no:
                    return _stop(no.code, no.message)
                asked_at = time()
            rows, is_all = await self._read(follower)
            chunk = b"".join(self._events(rows))
            if not chunk and time() >= told_at + self.streams.pace.keep_alive_s:
                chunk = f": still here\nid: {self.seal.close(self.after)}\n\n".encode()
            if chunk:
                await self._send(send, chunk)
                told_at = time()
            if is_all:
                pace = self.streams.pace
                until = min(told_at + pace.keep_alive_s, asked_at + pace.ask_again_s)
                await _wait(follower, until - time())
                await asyncio.sleep(pace.linger_s)

    async def _read(self, follower: Follower) -> tuple[Page, bool]:
        """Read a page; say whether that was all there is for now."""
        try:
            rows = await follower.read(self.after)
        except InterlockError as trouble:
            log.warning("a stream cannot read on: %s", trouble.message)
            await _wait(follower, TROUBLE_S)
            return (), False
        if rows:
            self.after = rows[-1].position
        return rows, len(rows) < PAGE

    def _events(self, rows: Page) -> Events:
        for row in rows:
            if self._is_wanted(row.unit, row.link.body):
                yield self._entry(row)

    def _entry(self, row: AuditRow) -> bytes:
        is_person = self.caller.kind == USER
        known, place = self.streams.told, (self.seal.name, row.position, is_person)
        found = known.get(place)
        if found is None:
            told = {"unit_id": row.unit, "sequence": row.link.sequence, "at": row.link.at}
            # Whether a round is over by now is not asked here: the audit tells it whole then.
            body = row.link.body if is_person else entry_shown(row.unit, row.link.body)
            told |= {"body": body, "hash": row.link.hash}
            data = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
            found = f"id: {self.seal.close(row.position)}\ndata: {data}\n\n".encode()
            if len(known) >= TOLD_MAX:
                known.clear()
            known[place] = found
        return found

    def _is_wanted(self, unit: str, body: str) -> bool:
        wanted = self.wanted
        if wanted.unit and unit not in wanted.unit:
            return False
        if wanted.workflow and unit.rpartition("-")[0] not in wanted.workflow:
            return False
        return not wanted.type or json.loads(body).get("event") in wanted.type

    async def _send(self, send: Send, chunk: bytes) -> None:
        """Send some; who does not take it for a long time is given up: raises TimeoutError."""
        async with asyncio.timeout(self.streams.pace.send_s):
            await send({"type": "http.response.body", "body": chunk, "more_body": True})


_HEADERS: Final = [
    (b"content-type", MEDIA_TYPE.encode()),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    # Some proxies hold a stream back until it ends, unless they are told not to.
    (b"x-accel-buffering", b"no"),
]


def _stop(code: str, message: str) -> bytes:
    data = json.dumps({"code": code, "message": message}, ensure_ascii=False)
    return f"event: stop\ndata: {data}\n\n".encode()


async def _wait(follower: Follower, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(max(seconds, 0)):
            await follower.wake.wait()
