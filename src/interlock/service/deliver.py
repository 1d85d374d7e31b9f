"""Deliveries: what has happened becomes durable rows, and rows become signed requests.

Two chores, safe in any number of processes. The first reads the feed of the audit from where each
hook stands, and writes down what is to be sent together with the new position. The second takes
what is due by moving its due time, sends it, and writes down how that went; who dies in between
has it sent again by somebody else, under the same id. Nothing here slows a command.
"""

import asyncio
import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

import httpx2

from interlock.outside.address import AddressRefused, resolve
from interlock.outside.certificates import certificates
from interlock.service.engine import Engine
from interlock.service.happened import EVENTS, Happening, happened
from interlock.store.gates import GateRow
from interlock.store.hooks import (
    DeliveryRow,
    DueDelivery,
    Ended,
    HookRow,
    NewDelivery,
    WhichDeliveries,
)
from interlock.store.port import AuditRow
from interlock.store.rows import dump

PIECE: Final = 500
"""How many entries of the feed are read at once."""

BATCH: Final = 20
TIMEOUT_S: Final = 10.0
LEASE_MS: Final = 60_000
"""How long a process has for one attempt before another one tries; longer than a request takes."""

FIRST_DELAY_MS: Final = 30_000
DELAY_MS_MAX: Final = 3 * 3600 * 1000
ATTEMPTS_MAX: Final = 15
"""With these delays the last attempt comes about a day after the first."""

OFF_AFTER_MS: Final = 3 * 24 * 3600 * 1000
ERROR_MAX: Final = 300
OK: Final = range(200, 300)


class Notebook:
    """How far this process has read for each hook; what it has read twice is told once."""

    def __init__(self) -> None:
        """Begin with nothing read."""
        self.read: dict[tuple[str, str], tuple[str, str]] = {}

    def place(self, tenant: str, hook: HookRow) -> str:
        """Return where to read on: further than the row says, if nothing was to be told there."""
        since, to = self.read.get((tenant, hook.id), ("", ""))
        return to if since == hook.position and to else hook.position


async def note_happened(engine: Engine, notebook: Notebook) -> int:
    """Write down what is to be sent of all that has happened since; say how much that is."""
    made = 0
    for one in await engine.store.hooks.on():
        hook = await engine.store.hooks.find(one.tenant, one.id)
        if hook is not None:
            made += await _note(engine, notebook, one.tenant, hook)
    return made


async def _note(engine: Engine, notebook: Notebook, tenant: str, hook: HookRow) -> int:
    after = notebook.place(tenant, hook)
    rows = await engine.store.feed(tenant, after, PIECE)
    if not rows:
        return 0
    position = rows[-1].position
    new = [
        NewDelivery(
            engine.clock.new_id("delivery"), one.event, one.about,
            dump({"event": one.event, "id": f"{one.event}:{one.about}", **one.told}),
        )
        for one in await _wanted(engine, tenant, hook, rows)
    ]  # fmt: skip
    notebook.read[tenant, hook.id] = (hook.position, position)
    # Where nothing is to be told the row is moved now and then only, so that reading is free.
    if not new and len(rows) < PIECE:
        return 0
    now = engine.store.now()
    is_ours = await engine.store.hooks.add_deliveries(tenant, hook, position, now, new)
    return len(new) if is_ours else 0


async def _wanted(
    engine: Engine, tenant: str, hook: HookRow, rows: Sequence[AuditRow]
) -> list[Happening]:
    events = frozenset(hook.events.split() or EVENTS)
    gates: dict[str, Sequence[GateRow]] = {}
    found: list[Happening] = []
    for row in rows:
        running = engine.flows.get(row.unit.rpartition("-")[0])
        if running is None or hook.workflow not in ("", running.flow.name):
            continue
        if row.unit not in gates:
            gates[row.unit] = await engine.store.gates.of_unit(tenant, row.unit)
        told = happened(running, row, gates[row.unit], engine.site)
        found += [one for one in told if one.event in events]
    return found


# -- sending -----------------------------------------------------------------------------------


async def send_due(engine: Engine, limit: int = BATCH) -> int:
    """Send what is due; say how many attempts were made."""
    due = await engine.store.hooks.due(limit)
    if not due:
        return 0
    known = certificates(trust_env=False)
    async with httpx2.AsyncClient(
        timeout=TIMEOUT_S, follow_redirects=False, trust_env=False, verify=known
    ) as client:
        done = await asyncio.gather(*(_send(engine, client, one) for one in due))
    return sum(done)


async def _send(engine: Engine, client: httpx2.AsyncClient, due: DueDelivery) -> bool:
    hooks = engine.store.hooks
    attempt = await hooks.take(due, LEASE_MS)
    if attempt is None:
        return False
    rows = await hooks.deliveries(due.tenant, WhichDeliveries(due.id), None, 1)
    hook = await hooks.find(due.tenant, rows[0].hook) if rows else None
    secret = None if hook is None else await hooks.secret(due.tenant, hook.id)
    if hook is None or secret is None:
        return False  # it was taken away in between, with all its deliveries
    code, error = await _post(engine, client, hook, secret, rows[0])
    await hooks.end(due, attempt, _ended(engine, attempt, code, error))
    return True


async def _post(
    engine: Engine, client: httpx2.AsyncClient, hook: HookRow, secret: str, row: DeliveryRow
) -> tuple[int | None, str]:
    """Send one request; return the status that came back, and what went wrong."""
    at = engine.clock.now() // 1000
    try:
        async with asyncio.timeout(TIMEOUT_S):
            target = await resolve(hook.url, is_private_allowed=engine.webhooks_private)
            headers = {
                "Host": target.header,
                "Content-Type": "application/json",
                "User-Agent": "interlock",
                "Interlock-Signature": signature(secret, at, row.body),
                "Interlock-Event": row.event,
                "Interlock-Delivery": row.id,
            }
            asked = client.stream(
                "POST", target.url, content=row.body.encode(), headers=headers,
                extensions={"sni_hostname": target.host},
            )  # fmt: skip
            # What is said in the answer is nobody's concern, and may be endless.
            async with asked as answer:
                code = answer.status_code
    except AddressRefused as refused:
        return None, refused.message
    except (TimeoutError, OSError, httpx2.HTTPError, httpx2.InvalidURL) as exc:
        return None, f"No answer: {type(exc).__name__}."
    return code, "" if code in OK else f"The answer was {code}."


def signature(secret: str, at: int, body: str) -> str:
    """Return the header that proves who sent a body, and when (in seconds since 1970)."""
    mac = hmac.new(secret.encode(), f"{at}.{body}".encode(), sha256).hexdigest()
    return f"t={at},v1={mac}"


def _ended(engine: Engine, attempt: int, code: int | None, error: str) -> Ended:
    now = engine.store.now()
    why = "Deliveries have failed for days."
    if not error:
        return Ended("delivered", code, "", 0, now, now - OFF_AFTER_MS, why)
    status = "failed" if attempt >= ATTEMPTS_MAX else "pending"
    delay = delay_ms(attempt)
    # Between half and all of it, so that many do not come back at once.
    drawn = int(delay * (0.5 + engine.clock.jitter(0.5)))
    return Ended(status, code, error[:ERROR_MAX], drawn, now, now - OFF_AFTER_MS, why)


def delay_ms(attempt: int) -> int:
    """Return how long a delivery waits at most after an attempt: ever longer, up to three hours."""
    return min(FIRST_DELAY_MS << min(attempt - 1, 20), DELAY_MS_MAX)
