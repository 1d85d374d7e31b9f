"""The composition root: settings become a store, an engine and whoever speaks to it.

Only here is a database chosen. What is served to others is put on top of it in ``site``, apart,
because loading the doors takes longer than most commands of the command line do.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from opentelemetry import trace
from opentelemetry.trace import Tracer

from interlock.clock import SystemClock
from interlock.commands.verbs import LocalVerbs
from interlock.config import Settings
from interlock.errors import InterlockError
from interlock.kernel.rules import USER
from interlock.outside.model import Model, model_at
from interlock.service.access import SCOPES, as_agent, authenticate
from interlock.service.calls import CallLog
from interlock.service.copy import Copied, Tell, compare_folds, compare_rows, copy_rows
from interlock.service.deliver import Notebook, note_happened, send_due
from interlock.service.embed import Embedder, LocalEmbedder, embedder_at, has_local
from interlock.service.engine import Engine, Limits, Principal, Running, running
from interlock.service.erase import erasing, is_erased, require_open
from interlock.service.index import index_due
from interlock.service.meter import Meter
from interlock.service.notary import LAST_CHECKPOINT, Notary
from interlock.service.people import FIRST, ensure_owner
from interlock.service.provider import Client, Provider
from interlock.service.pulse import SAMPLE_EVERY_S, Pulse
from interlock.service.rate import Rates
from interlock.service.resume import resume_all
from interlock.service.retention import Keeping, prune
from interlock.service.roles import OWNER
from interlock.service.sweep import sweep
from interlock.service.words import words
from interlock.store.erasing import Erased
from interlock.store.erasures import FILE as ERASURES
from interlock.store.erasures import Erasure, note
from interlock.store.migrate import migrate_sqlite
from interlock.store.port import Store
from interlock.store.postgres.erase import erase as erase_from_postgres
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.target import PostgresTarget
from interlock.store.postgres.trips import Options
from interlock.store.sqlite.connect import connect, translated
from interlock.store.sqlite.erase import erase as erase_from_sqlite
from interlock.store.sqlite.source import SqliteSource
from interlock.store.sqlite.store import SqliteStore
from interlock.store.sums import digest_of
from interlock.toolbox.around import Around, ModelAt
from interlock.toolbox.kept import NAME as KEPT
from interlock.toolbox.shelf import Shelf
from interlock.workflows.built_in import WORKFLOWS

LOCAL: Final = "local"
"""The tenant of a data folder that nobody has shared."""

SWEEP_EVERY_S: Final = 1.0
HEALTH_EVERY_S: Final = 2.0
"""How soon every answer tells that the database would lose work, or does not any more."""
RESUME_AGAIN_S: Final = 5.0
PRUNE_EVERY_S: Final = 3600.0
INDEX_EVERY_S: Final = 0.5
SEND_EVERY_S: Final = 1.0
CHECKPOINT_LOOK_S: Final = 60.0
CHANNEL: Final = "cli"
"""How the audit calls the way in that has no door: the command line, in this process."""


@dataclass(frozen=True, slots=True)
class App:
    """Everything that runs, put together."""

    settings: Settings
    clock: SystemClock
    engine: Engine
    calls: CallLog

    @property
    def durability(self) -> str:
        """Say how durable is what is acknowledged now: the database can be set up anew."""
        return self.engine.store.durability

    def owner(self) -> Principal:
        """Return the person who owns the data folder: who acts where no token is given."""
        return Principal(LOCAL, USER, FIRST, frozenset(SCOPES), role=OWNER)

    async def caller(self) -> Principal:
        """Return who is calling, by the token in the settings, else the owner."""
        if self.settings.token:
            return await authenticate(self.engine, self.settings.token)
        return self.owner()

    async def agent(self) -> Principal:
        """Return who a local AI client acts as: always an agent, never the person behind it."""
        if self.settings.token:
            return as_agent(await self.caller())
        await require_open(self.engine, LOCAL)
        return replace(as_agent(self.owner()), id="local")

    async def verbs(self) -> LocalVerbs:
        """Return the commands as the caller may call them."""
        caller = replace(await self.caller(), channel=CHANNEL)
        await require_open(self.engine, caller.tenant)
        return LocalVerbs(self.engine, caller, self.durability)


@asynccontextmanager
async def open_app(
    settings: Settings, *, sweeps: bool = False, serves: bool = False, sees_deleted: bool = False
) -> AsyncIterator[App]:
    """Open the database and put everything together; closes it again at the end.

    Who serves others has limits on how often they call, and counts what they do. Who proves the
    audit also sees units that were deleted.
    """
    clock = SystemClock()
    store = await open_store(settings, clock, sees_deleted=sees_deleted)
    calls = CallLog(store, clock, settings.call_log_days)
    try:
        await store.health()
        limits = Limits(
            artifact_bytes_max=settings.artifact_bytes_max,
            body_bytes_max=settings.body_bytes_max,
            tool_s_max=settings.tool_s_max,
        )
        flows = _flows(settings.lease_ms)
        meter = Meter() if serves else None
        around = around_of(settings)
        engine = Engine(
            store, clock, flows, limits, settings.site, tracer(), embedder_of(settings),
            model_of(settings), provider_of(settings), settings.webhooks_private,
            tools=Shelf(around, settings.data / KEPT, asks_all=serves).describe,
            resources=around.resources(),
            rates=rates_of(settings, clock) if serves else None,
            meter=meter, pulse=None if meter is None else Pulse(meter, store.now(), (LOCAL,)),
        )  # fmt: skip
        await store.add_tenant(LOCAL, "This machine", store.now())
        if not await is_erased(engine, LOCAL):
            await ensure_owner(engine, LOCAL)
        async with _background(engine, calls, settings, sweeps=sweeps):
            yield App(settings, clock, engine, calls)
    finally:
        await calls.close()
        await store.close()


@cache
def _flows(lease_ms: int) -> Mapping[str, Running]:
    """Prepare the built-in workflows, once for whoever opens several apps in a process."""
    return running(WORKFLOWS, lease_ms)


def rates_of(settings: Settings, clock: SystemClock) -> Rates:
    """Return how often callers may call."""
    return Rates(clock.now, settings.rate_principal, settings.rate_tenant)


def notary_of(settings: Settings) -> Notary:
    """Return who appends checkpoints, and where; by default in the data folder."""
    return Notary(
        Path(settings.checkpoint_file or settings.data / "checkpoints.jsonl"),
        Path(settings.checkpoint_key or settings.data / "checkpoint.key"),
        settings.data / LAST_CHECKPOINT,
    )


def tracer() -> Tracer | None:
    """Return who records spans; None unless somebody has set OpenTelemetry up."""
    provider = trace.get_tracer_provider()
    if isinstance(provider, trace.ProxyTracerProvider):
        return None
    return provider.get_tracer("interlock")


def embedder_of(settings: Settings) -> Embedder | None:
    """Return who says what a text means: the endpoint that is set, else the extra, else nobody."""
    if settings.embeddings_url:
        return embedder_at(
            settings.embeddings_url, settings.embeddings_key, settings.embeddings_name
        )
    return LocalEmbedder() if has_local() else None


def model_of(settings: Settings) -> Model | None:
    """Return the model that the settings name."""
    if not settings.model_url:
        return None
    return model_at(
        settings.model_kind, settings.model_url, settings.model_key, settings.model_name
    )


def around_of(settings: Settings) -> Around:
    """Return what tools find around them."""
    model = ModelAt(
        settings.model_kind, settings.model_url, settings.model_name, settings.model_key
    )
    return Around(
        model if settings.model_url else None,
        tuple(name for name in settings.fetch_hosts.split(",") if name),
        settings.mcp_servers,
        tuple(name for name in settings.tools.split(",") if name),
    )


def keeping_of(settings: Settings) -> Keeping:
    """Return how long what is kept after it is over."""
    return Keeping(
        settings.reply_days, settings.delivery_days, settings.log_days, settings.session_days,
        settings.artifact_days,
    )  # fmt: skip


def provider_of(settings: Settings) -> Provider | None:
    """Return the identity provider that the settings name."""
    if not settings.oidc_issuer:
        return None
    return Provider(
        Client(
            settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret,
            settings.oidc_audience,
        )
    )  # fmt: skip


async def open_store(
    settings: Settings, clock: SystemClock, *, sees_deleted: bool = False
) -> Store:
    """Open the database that the settings name."""
    if settings.database:
        options = Options(allow_degraded=settings.allow_degraded, sees_deleted=sees_deleted)
        return await PostgresStore.open(settings.database, clock, options)
    return SqliteStore(settings.sqlite_file, clock, settings.synchronous, sees_deleted=sees_deleted)


@asynccontextmanager
async def _background(
    engine: Engine, calls: CallLog, settings: Settings, *, sweeps: bool
) -> AsyncIterator[None]:
    """Do the chores for as long as the program runs; any number of processes may."""
    if not sweeps:
        yield
        return
    notebook, keeping = Notebook(), keeping_of(settings)
    tasks = [
        asyncio.create_task(_once(lambda: resume_all(engine))),
        asyncio.create_task(_for_ever(lambda: sweep(engine), SWEEP_EVERY_S)),
        asyncio.create_task(_for_ever(engine.store.health, HEALTH_EVERY_S)),
        asyncio.create_task(_for_ever(lambda: index_due(engine), INDEX_EVERY_S)),
        asyncio.create_task(_for_ever(lambda: note_happened(engine, notebook), SEND_EVERY_S)),
        asyncio.create_task(_for_ever(lambda: send_due(engine), SEND_EVERY_S)),
        asyncio.create_task(_for_ever(lambda: prune_old(engine, calls, keeping), PRUNE_EVERY_S)),
    ]
    if settings.checkpoint_file:
        notary, minutes = notary_of(settings), settings.checkpoint_minutes
        chore = _for_ever(lambda: notary.take_due(engine, minutes), CHECKPOINT_LOOK_S)
        tasks.append(asyncio.create_task(chore))
    pulse = engine.pulse
    if pulse is not None:
        beat = _for_ever(lambda: pulse.take(engine.store), SAMPLE_EVERY_S)
        tasks.append(asyncio.create_task(beat))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


async def prune_old(
    engine: Engine, calls: CallLog, keeping: Keeping, *, is_dry: bool = False
) -> dict[str, int]:
    """Forget what has grown old; return how many of what, or dry how many would go."""
    gone = await prune(engine, keeping, is_dry=is_dry)
    if not is_dry:
        gone["calls"] = await calls.prune()
        if engine.meter is not None:
            engine.meter.prune("calls", gone["calls"])
    return gone


async def _once(work: Callable[[], Awaitable[object]]) -> None:
    """Do something once, as soon as the database answers."""
    while True:
        try:
            await work()
        except InterlockError:
            await asyncio.sleep(RESUME_AGAIN_S)
        else:
            return


async def _for_ever(work: Callable[[], Awaitable[object]], every_s: float) -> None:
    while True:
        # The database may be busy or away for a while; there is always a next time.
        with suppress(InterlockError):
            await work()
        await asyncio.sleep(every_s)


async def erase_tenant(app: App, name: str) -> Erased:
    """Erase the tenant of the caller, which must be named; what is left of it is in its files."""
    caller = replace(await app.caller(), channel=CHANNEL)
    act = await erasing(app.engine, caller, name)
    store, database = app.engine.store, app.settings.database
    at, restores = store.now(), await store.restores()
    names = {(await store.health()).incarnation}
    names |= {one for row in restores for one in (row.name, row.former)}
    if database:
        told = await erase_from_postgres(database, caller.tenant, at, act)
    else:
        path = app.settings.sqlite_file
        told = await asyncio.to_thread(erase_from_sqlite, path, caller.tenant, at, act)
    note(app.settings.data / ERASURES, Erasure(caller.tenant, at, tuple(sorted(names))))
    return told


async def copy_database(settings: Settings, url: str, tell: Tell) -> Copied:
    """Copy the SQLite file of the settings to an empty PostgreSQL database, or go on with that."""
    clock, flows = SystemClock(), _flows(settings.lease_ms)
    await migrate(replace(settings, database=""))
    async with AsyncExitStack() as stack:
        source = stack.enter_context(closing(SqliteSource(settings.sqlite_file)))
        target = await PostgresTarget.open(url, words, clock.now())
        stack.push_async_callback(target.close)
        sums, resumed = await copy_rows(source, target, clock, tell)
        await compare_rows(source, target, sums, tell)
        here = SqliteStore(settings.sqlite_file, clock, sees_deleted=True)
        stack.push_async_callback(here.close)
        options = Options(allow_degraded=True, sees_deleted=True, is_copying=True)
        there = await PostgresStore.open(url, clock, options)
        stack.push_async_callback(there.close)
        engines = Engine(here, clock, flows), Engine(there, clock, flows)
        units, entries = await compare_folds(*engines, tell)
        await target.finish(source.incarnation, clock.now(), lambda: clock.new_id("act"))
        rows = {name: one.rows for name, one in sums.items()}
        known = (source.incarnation, target.incarnation)
        return Copied(*known, rows, digest_of(sums), units, entries, resumed)


async def migrate(settings: Settings) -> tuple[int, ...]:
    """Apply what is missing of the schema of the database that the settings name."""
    clock = SystemClock()
    if settings.database:
        return await PostgresStore.migrate(settings.database, clock.now())
    path = settings.sqlite_file
    with closing(connect(path, settings.synchronous)) as connection, translated(path):
        return migrate_sqlite(connection, clock.now())
