"""``advance``: the only way to move a status. Load, decide, commit; again when someone was faster.

Idempotency, audit, receipts, retries and telemetry are written once, here and in the turn that is
driven from here. What an event means is the kernel's business; how rows are kept is the store's.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from time import perf_counter
from typing import Final, NamedTuple, cast

from opentelemetry.trace import StatusCode, Tracer
from pydantic_core import from_json

from interlock.errors import InterlockError
from interlock.kernel.refusal import BrokenTable, Refusal
from interlock.service.engine import Engine
from interlock.service.errors import (
    Conflict,
    CorruptState,
    NotAllowed,
    RequestBeforeRestore,
    RequestIdReused,
)
from interlock.service.late import keep_late
from interlock.service.meter import Meter
from interlock.service.order import Order
from interlock.service.resume import make_sound
from interlock.service.since import tell_since
from interlock.service.turn import turn
from interlock.store.script import (
    BEFORE,
    Change,
    Committed,
    Key,
    Load,
    Loaded,
    Nothing,
    Script,
    Stale,
)

Beside = Callable[[], Change]
"""Makes what is written about another unit."""

PATIENCE_MS: Final = 2_000
"""For how long a command is tried again when other processes change the same unit."""

PAUSE_S: Final = 0.02


class Answer(NamedTuple):
    """The answer to a command: ``text`` is what is kept, byte for byte, for a request id."""

    text: str
    is_replay: bool = False

    @property
    def reply(self) -> Mapping[str, object]:
        """The same as values."""
        return cast("Mapping[str, object]", from_json(self.text))


def advance(
    engine: Engine, order: Order, beside: Beside | None = None
) -> Coroutine[object, None, Answer]:
    """Carry an order out, or raise what is in its way; then nothing has changed.

    ``beside`` makes what is written about another unit in the same commit.
    """
    if engine.tracer is None:
        return _advance(engine, order, beside)
    return _traced(engine.tracer, engine, order, beside)


async def _traced(tracer: Tracer, engine: Engine, order: Order, beside: Beside | None) -> Answer:
    event = order.asked[0].event or order.asked[0].verb
    told = {"interlock.unit": order.unit, "interlock.event": event}
    # By its code alone: a message may repeat what the caller has sent.
    with tracer.start_as_current_span(
        "advance", attributes=told, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            return await _advance(engine, order, beside)
        except InterlockError as no:
            span.set_attribute("interlock.refused", no.code)
            raise
        except Exception as bug:
            span.set_attribute("error.type", type(bug).__name__)
            span.set_status(StatusCode.ERROR)
            raise


async def _advance(engine: Engine, order: Order, beside: Beside | None) -> Answer:
    running = engine.running(order.about)
    if running.flow.trouble is not None and (order.tenant, order.unit) not in engine.sound:
        await make_sound(engine, order.tenant, order.unit)

    def script() -> Script:
        script = turn(order, running, engine.store.now)
        return script if beside is None else _with(script, beside)

    try:
        # What writes nothing is no commit that would count.
        carry_out = drive if order.is_dry else persist
        committed = await carry_out(engine, order.tenant, script)
    except Refusal as no:
        # Whoever may never send such a thing brings no result that could be late.
        if not order.is_dry and no.code != NotAllowed.code:
            await keep_late(engine, order)
        await tell_since(engine, order, no)
        raise
    except BrokenTable as bug:
        raise CorruptState(order.unit, str(bug)) from bug
    return answer(committed, order.key)


def _with(script: Script, beside: Beside) -> Script:
    """Let a script write about another unit, too, if it writes at all."""
    outcome = yield from script
    if isinstance(outcome, Change):
        outcome.beside = beside()
    return outcome


def persist(
    engine: Engine, tenant: str, script: Callable[[], Script]
) -> Coroutine[object, None, Committed]:
    """Run a script, again and again while others are faster, but not for ever."""
    if engine.meter is None:
        return drive(engine, tenant, script)
    return _metered(engine.meter, engine, tenant, script)


async def _metered(
    meter: Meter, engine: Engine, tenant: str, script: Callable[[], Script]
) -> Committed:
    begun = perf_counter()
    done = await drive(engine, tenant, script)
    meter.commits.add(perf_counter() - begun)
    if engine.pulse is not None:
        engine.pulse.commit(tenant)
    return done


async def drive(engine: Engine, tenant: str, script: Callable[[], Script]) -> Committed:
    """Run a script as ``persist`` does, without counting it: also for those that only look."""
    until: int | None = None
    while True:
        try:
            return await engine.store.run(tenant, script)
        except Stale:
            now = engine.clock.now()
            until = until or now + PATIENCE_MS
            if now >= until:
                message = "Others kept changing the unit; nothing was applied."
                raise Conflict(message, fix="Send the same command again.") from None
            await asyncio.sleep(engine.clock.jitter(PAUSE_S))


async def earlier(engine: Engine, tenant: str, unit: str, key: Key | None) -> Answer | None:
    """Return what a request id was answered before, if it was."""
    if key is None:
        return None

    def script() -> Script:
        loaded = cast("Loaded | None", (yield Load(unit, key=key, is_fresh=True)))
        reply = None if loaded is None else loaded.reply
        return Nothing("") if reply is None else Nothing(reply.text, reply.asked)

    found = await engine.store.run(tenant, script)
    return answer(found, key) if found.is_replay else None


def answer(committed: Committed, key: Key | None) -> Answer:
    """Return what a caller is told; an earlier answer only to the same question."""
    if committed.is_replay and key is not None and committed.asked == BEFORE:
        message = f"The request id {key.request!r} was used before this database was restored."
        fix = "Look where things stand; if it was not done, send it with a new request id."
        raise RequestBeforeRestore(message, fix=fix)
    if committed.is_replay and key is not None and committed.asked != key.asked:
        message = f"The request id {key.request!r} was used before, for something else."
        raise RequestIdReused(message, fix="Use a new request id for a new request.")
    return Answer(committed.reply, committed.is_replay)
