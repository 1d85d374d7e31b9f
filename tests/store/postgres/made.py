"""Databases made from a migrated template, and changes made by hand, for tests of the store."""

import asyncio
from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from itertools import count

import asyncpg

from interlock.clock import SystemClock
from interlock.kernel.seen import Part, Unit
from interlock.store.chain import chain, genesis
from interlock.store.migrate import read_migrations
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from interlock.store.rows import ORD_GAP, PartRow, UnitRow, part_id
from interlock.store.script import Answer, Ask, Change, Outcome, Script
from tools.postgres.server import Server

NOW = 1_800_000_000_000
ACME, OTHER = "acme", "other"
UNIT = "work-1"
QUEUE = (("job", ("open",)),)
# The shared servers do not wait for their disks.
OPTIONS = Options(allow_degraded=True, pool_size=4)

_template = "interlock_template"
_numbers = count(1)
_ready: set[str] = set()


@contextmanager
def database(server: Server, *, is_empty: bool = False) -> Iterator[str]:
    """Give the address of a database of one's own, as the superuser; gone afterwards."""
    _make_template(server)
    name = f"store_{next(_numbers)}"
    server.create_database(name, "template1" if is_empty else _template)
    try:
        yield server.url(name)
    finally:
        server.drop_database(name)


def _make_template(server: Server) -> None:
    """Migrate once for each server; everything else is a copy of it."""
    if str(server.folder) in _ready:
        return
    server.create_database(_template)
    made = "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, "
    server.sql(f"{made} sha256 TEXT NOT NULL, at BIGINT NOT NULL)", _template)
    for one in read_migrations("postgres"):
        server.sql(one.text, _template)
        values = f"({one.number}, '{one.name}', '{one.sha256}', {NOW})"
        server.sql(f"INSERT INTO migrations VALUES {values}", _template)  # noqa: S608 (our own)
    _ready.add(str(server.folder))


@asynccontextmanager
async def opened(url: str, options: Options = OPTIONS) -> AsyncIterator[PostgresStore]:
    """Open a store with two tenants in it."""
    async with await PostgresStore.open(url, SystemClock(), options) as store:
        await store.add_tenant(ACME, "Acme", NOW)
        await store.add_tenant(OTHER, "Other", NOW)
        yield store


@asynccontextmanager
async def connected(
    url: str, role: str = ""
) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Open a connection of one's own, as the superuser or as a role."""
    connection = await asyncpg.connect(url)
    try:
        if role:
            await connection.execute(f"SET ROLE {role}")
        yield connection
    finally:
        await connection.close()


def saying(outcome: Outcome) -> Script:
    """Return a script that asks nothing."""
    yield from ()
    return outcome


def asking(asks: tuple[Ask, ...], answers: list[Answer], outcome: Outcome) -> Script:
    """Return a script that asks, keeps the answers, and then says what it was told to say."""
    yield from _asked(asks, answers)
    return outcome


def _asked(asks: tuple[Ask, ...], answers: list[Answer]) -> Generator[Ask, Answer, None]:
    for ask in asks:
        answer = yield ask
        answers += [answer]


def job(
    number: int,
    status: str = "open",
    *,
    holder: str | None = None,
    fence: int = 0,
    unit: str = UNIT,
    **columns: object,
) -> PartRow:
    """Return a part; one that is open and free is offered."""
    fields: dict[str, object] = {"title": f"job {number}", "holder": holder, "fence": fence}
    fields["lapsed"] = False
    offer = 1 if status == "open" and holder is None else None
    row = PartRow(
        part_id(unit, number), number, Part("job", status, fields), number * ORD_GAP, offer=offer
    )
    return replace(row, **columns)  # type: ignore[arg-type]  # a test names columns that there are


def unit_row(version: int, head: str, made: int, unit: str = UNIT, **columns: object) -> UnitRow:
    """Return a unit."""
    tally = {"job": {"open": made}} if made else {}
    fields: dict[str, object] = {"title": "Work", "current": None}
    row = UnitRow(
        unit, "work", "d" * 64, Unit("running", fields), tally, version, head, made, "job", NOW,
        NOW + version,
    )  # fmt: skip
    return replace(row, **columns)  # type: ignore[arg-type]  # same


def begin(*parts: PartRow, tenant: str = ACME, unit: str = UNIT, **more: object) -> Change:
    """Return the change that makes a unit."""
    links = tuple(chain(genesis(tenant, unit), 0, NOW, ['{"change":"begin"}']))
    row = unit_row(1, links[-1].hash, len(parts), unit)
    return Change(tenant, 0, row, links, NOW, made=parts, kinds=QUEUE, **more)  # type: ignore[arg-type]  # same


def then(
    before: UnitRow, *parts: PartRow, tenant: str = ACME, told: str = "note", **more: object
) -> Change:
    """Return a change that follows another one, with a single entry."""
    links = tuple(chain(before.head, before.version, NOW, [f'{{"change":"{told}"}}']))
    row = unit_row(links[-1].sequence, links[-1].hash, before.made, before.id)
    return Change(tenant, before.version, row, links, NOW, parts=parts, kinds=QUEUE, **more)  # type: ignore[arg-type]  # same


async def rows_of(url: str) -> Mapping[str, list[str]]:
    """Return every row of every table as text: two equal answers mean that nothing was written."""
    async with connected(url) as connection:
        found = await connection.fetch(
            "SELECT relname::TEXT FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::REGNAMESPACE"
        )
        said = {}
        for (name,) in found:
            rows = await connection.fetch(f"SELECT t::TEXT FROM {name} AS t ORDER BY 1")  # noqa: S608 (from the catalogue)
            said[name] = [row[0] for row in rows]
        return said


async def until_it_holds(connection: "asyncpg.Connection[asyncpg.Record]", question: str) -> None:
    """Wait until the database answers a question with yes."""
    async with asyncio.timeout(30):
        is_so = False
        while not is_so:
            is_so = await connection.fetchval(question)
