"""The log of calls: every call of a tool is noted, and noting one can never hurt it.

``put`` neither waits nor raises. What was put is redacted a moment later, when the answer is on
its way, and written in batches by a task of its own. Where calls come faster than they can be
written, or the database is away, they are lost and counted; whoever called does not notice.
"""

import asyncio
from collections.abc import Mapping
from typing import Final, NamedTuple

from interlock.clock import Clock
from interlock.service.engine import Principal
from interlock.service.redact import redacted_text
from interlock.store.port import CallRow, Store

WAITING_MAX: Final = 2_000
BATCH: Final = 200
LINGER_S: Final = 0.2
"""For how long a first call waits for others, so that they share a commit."""

MOMENT_S: Final = 0.002
"""How long a call waits to be redacted, so that its caller does not wait for that."""

WRITE_S: Final = 10.0
CLOSE_S: Final = 3.0
NAME_MAX: Final = 200
TOLD: Final = ("status", "code", "message", "data", "warnings", "receipt")
"""What is kept of an answer; the rest is advice that follows from it."""

DAY_MS: Final = 24 * 3600 * 1000
KEEP_DAYS: Final = 30
PRUNE_BATCH: Final = 5_000


class ToolCall(NamedTuple):
    """One call of a tool as a door has seen it."""

    tool: str
    arguments: Mapping[str, object]
    reply: Mapping[str, object]
    duration_ms: float
    is_error: bool
    principal: Principal
    channel: str = ""


class CallLog:
    """Takes calls and writes them when there is time; close it before the store."""

    def __init__(
        self, store: Store, clock: Clock, keep_days: int = KEEP_DAYS, room: int = WAITING_MAX
    ) -> None:
        """Begin with none; nothing runs until the first call comes."""
        self.lost = 0
        self._store = store
        self._clock = clock
        self._keep_ms = keep_days * DAY_MS
        self._room = room
        # Calls as they came, with the instant; then what may be kept of them.
        self._raw: list[tuple[int, ToolCall]] = []
        self._waiting: list[CallRow] = []
        self._task: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def put(self, call: ToolCall) -> None:
        """Note a call, if there is room; returns at once and never raises."""
        try:
            if self._closing.is_set() or len(self._waiting) + len(self._raw) >= self._room:
                self.lost += 1
                return
            if not self._raw:
                asyncio.get_running_loop().call_later(MOMENT_S, self._redact)
            self._raw.append((self._store.now(), call))
        except Exception:  # noqa: BLE001  whatever is wrong with it, the call itself goes on
            self.lost += 1

    def _redact(self) -> None:
        """Keep of each call what may be kept, and see that it is written."""
        raw, self._raw = self._raw, []
        for at, call in raw:
            try:
                self._waiting.append(self._row(at, call))
            except Exception:  # noqa: BLE001  one that cannot be told must not lose the others
                self.lost += 1
        if self._waiting and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._write())

    def _row(self, at: int, call: ToolCall) -> CallRow:
        who = call.principal
        return CallRow(
            tenant=who.tenant,
            at=at,
            id=self._clock.new_id("call"),
            tool=_plain(call.tool),
            kind=_plain(who.kind),
            principal=_plain(who.id),
            session=_plain(who.session),
            channel=_plain(call.channel),
            request=redacted_text(call.arguments),
            response=redacted_text({name: call.reply[name] for name in TOLD if name in call.reply}),
            duration_ms=round(call.duration_ms),
            failed=int(call.is_error),
        )

    async def _write(self) -> None:
        """Write what waits, and what comes meanwhile; ends when there is nothing."""
        while self._waiting:
            try:
                async with asyncio.timeout(LINGER_S):
                    await self._closing.wait()
            except TimeoutError:
                pass
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            by_tenant: dict[str, list[CallRow]] = {}
            for row in batch:
                by_tenant.setdefault(row.tenant, []).append(row)
            for tenant, rows in by_tenant.items():
                await self._write_some(tenant, rows)

    async def _write_some(self, tenant: str, rows: list[CallRow]) -> None:
        try:
            async with asyncio.timeout(WRITE_S):
                await self._store.add_calls(tenant, rows)
        except Exception:  # noqa: BLE001  a log that cannot be written must not end the writing
            self.lost += len(rows)
        except asyncio.CancelledError:
            self.lost += len(rows)
            raise

    async def prune(self) -> int:
        """Forget calls that are older than they are kept; say how many."""
        before = self._store.now() - self._keep_ms
        gone = 0
        while count := await self._store.prune_calls(before, PRUNE_BATCH):
            gone += count
        return gone

    async def close(self) -> None:
        """Write what waits, but not for ever; what comes later is lost."""
        self._closing.set()
        self._redact()
        if self._task is None:
            return
        await asyncio.wait({self._task}, timeout=CLOSE_S)
        if not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task})
        self.lost += len(self._waiting)
        self._waiting = []


def _plain(text: str) -> str:
    """Return a name as every database takes it."""
    if len(text) <= NAME_MAX and text.isprintable() and text.isascii():
        return text
    return text[:NAME_MAX].encode("utf-8", "replace").decode().replace("\0", "?")
