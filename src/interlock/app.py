"""The composition root: settings become a store, an engine and whoever speaks to it.

Only here is a database chosen. What is served to others is put on top of it in ``site``, apart,
because loading the doors takes longer than most commands of the command line do.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, replace
from typing import Final

from opentelemetry import trace
from opentelemetry.trace import Tracer

from interlock.clock import SystemClock
from interlock.commands.verbs import LocalVerbs
from interlock.config import Settings
from interlock.errors import InterlockError
from interlock.kernel.rules import USER
from interlock.service.access import SCOPES, as_agent, authenticate
from interlock.service.calls import CallLog
from interlock.service.engine import Engine, Limits, Principal, running
from interlock.service.sweep import sweep
from interlock.store.migrate import migrate_sqlite
from interlock.store.port import Store
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from interlock.store.sqlite.connect import connect, translated
from interlock.store.sqlite.store import SqliteStore
from interlock.workflows.built_in import WORKFLOWS

LOCAL: Final = "local"
"""The tenant of a data folder that nobody has shared."""

SWEEP_EVERY_S: Final = 1.0
PRUNE_EVERY_S: Final = 3600.0


@dataclass(frozen=True, slots=True)
class App:
    """Everything that runs, put together."""

    settings: Settings
    clock: SystemClock
    engine: Engine
    durability: str
    calls: CallLog

    def owner(self) -> Principal:
        """Return the person who owns the data folder: who acts where no token is given."""
        return Principal(LOCAL, USER, "owner", frozenset(SCOPES))

    async def caller(self) -> Principal:
        """Return who is calling, by the token in the settings, else the owner."""
        if self.settings.token:
            return await authenticate(self.engine, self.settings.token)
        return self.owner()

    async def agent(self) -> Principal:
        """Return who a local AI client acts as: always an agent, never the person behind it."""
        if self.settings.token:
            return as_agent(await self.caller())
        return replace(as_agent(self.owner()), id="local")

    async def verbs(self) -> LocalVerbs:
        """Return the commands as the caller may call them."""
        return LocalVerbs(self.engine, await self.caller(), self.durability)


@asynccontextmanager
async def open_app(settings: Settings, *, sweeps: bool = False) -> AsyncIterator[App]:
    """Open the database and put everything together; closes it again at the end."""
    clock = SystemClock()
    store = await open_store(settings, clock)
    calls = CallLog(store, clock, settings.call_log_days)
    try:
        health = await store.health()
        limits = Limits(
            artifact_bytes_max=settings.artifact_bytes_max, body_bytes_max=settings.body_bytes_max
        )
        flows = running(WORKFLOWS, settings.lease_ms)
        engine = Engine(store, clock, flows, limits, settings.site, tracer())
        await store.add_tenant(LOCAL, "This machine", store.now())
        chores = (lambda: _sweep_for_ever(engine), lambda: _prune_for_ever(calls))
        async with _background(*(chores if sweeps else ())):
            yield App(settings, clock, engine, health.durability, calls)
    finally:
        await calls.close()
        await store.close()


def tracer() -> Tracer | None:
    """Return who records spans; None unless somebody has set OpenTelemetry up."""
    provider = trace.get_tracer_provider()
    if isinstance(provider, trace.ProxyTracerProvider):
        return None
    return provider.get_tracer("interlock")


async def open_store(settings: Settings, clock: SystemClock) -> Store:
    """Open the database that the settings name."""
    if settings.database:
        options = Options(allow_degraded=settings.allow_degraded)
        return await PostgresStore.open(settings.database, clock, options)
    return SqliteStore(settings.sqlite_file, clock, settings.synchronous)


@asynccontextmanager
async def _background(*chores: Callable[[], Coroutine[None, None, None]]) -> AsyncIterator[None]:
    """Do chores beside everything else, until the end."""
    tasks = [asyncio.create_task(chore()) for chore in chores]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


async def _sweep_for_ever(engine: Engine) -> None:
    while True:
        # The database may be busy or away for a while; there is always a next time.
        with suppress(InterlockError):
            await sweep(engine)
        await asyncio.sleep(SWEEP_EVERY_S)


async def _prune_for_ever(calls: CallLog) -> None:
    while True:
        with suppress(InterlockError):
            await calls.prune()
        await asyncio.sleep(PRUNE_EVERY_S)


async def migrate(settings: Settings) -> tuple[int, ...]:
    """Apply what is missing of the schema of the database that the settings name."""
    clock = SystemClock()
    if settings.database:
        return await PostgresStore.migrate(settings.database, clock.now())
    path = settings.sqlite_file
    with closing(connect(path, settings.synchronous)) as connection, translated(path):
        return migrate_sqlite(connection, clock.now())
