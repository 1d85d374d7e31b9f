"""Compares a copy with what it was made from, without a word of the code that copies.

Every row of every table is read from both by plain statements, and what a server on the copy would
answer is asked of both. What differs is a sentence.
"""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Final

import apsw
import asyncpg

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.search import search
from interlock.service.verify import verify
from interlock.store.library import Wanted
from interlock.store.port import Store
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from interlock.store.sqlite.store import SqliteStore
from tests.ready import ready_flows
from tests.stage import AWAY, HOME, Stage
from tests.still import StillClock

SELF: Final = {"copies", "incarnations", "migrations"}
APART: Final = {"position", "xid", "words"}
Rows = Counter[tuple[object, ...]]


def sqlite_rows(path: Path) -> dict[str, Rows]:
    """Return every row of every table of a file, by the columns that both databases have."""
    found: dict[str, Rows] = {}
    with closing(apsw.Connection(str(path))) as file:
        listed = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        for (name,) in file.execute(listed).fetchall():
            if name in SELF or str(name).startswith("sqlite_"):
                continue
            told = file.execute(f"SELECT name FROM pragma_table_info('{name}')").fetchall()  # noqa: S608 (from the catalogue)
            columns = _compared(str(name), [str(one) for (one,) in told])
            rows = file.execute(f'SELECT {_list(columns)} FROM "{name}"')  # noqa: S608 (same)
            found[str(name)] = Counter(tuple(row) for row in rows)
    return found


async def postgres_rows(url: str) -> dict[str, Rows]:
    """Return the same of a PostgreSQL database; its superuser sees them all."""
    found: dict[str, Rows] = {}
    connection = await asyncpg.connect(url)
    try:
        told = await connection.fetch(
            "SELECT table_name::TEXT, array_agg(column_name::TEXT) FROM information_schema.columns"
            " WHERE table_schema = 'public' GROUP BY table_name"
        )
        for name, known in told:
            if name in SELF:
                continue
            columns = _compared(name, known)
            rows = await connection.fetch(f'SELECT {_list(columns)} FROM "{name}"')  # noqa: S608 (same)
            found[name] = Counter(tuple(row) for row in rows)
    finally:
        await connection.close()
    return found


def _compared(table: str, columns: list[str]) -> list[str]:
    apart = APART | ({"id"} if table == "chunks" else set())
    return sorted(one for one in columns if one not in apart)


def _list(columns: list[str]) -> str:
    return ", ".join(f'"{one}"' for one in columns)


async def differences(path: Path, url: str) -> list[str]:
    """Say what is in one and not in the other."""
    here, there = sqlite_rows(path), await postgres_rows(url)
    told = [a for name in sorted(here | there) for a in _differ(name, here, there)]
    if told:
        return told
    async with engines(path, url) as (one, other):
        for tenant in (HOME, AWAY):
            told += [a async for a in _answers(one, other, tenant)]
    return told


def _differ(name: str, here: dict[str, Rows], there: dict[str, Rows]) -> Iterator[str]:
    ours, theirs = here.get(name, Counter()), there.get(name, Counter())
    if name == "acts":
        # That it was copied is told to each tenant.
        theirs = Counter({row: n for row, n in theirs.items() if "database_copied" not in row})
    lost, more = ours - theirs, theirs - ours
    if lost or more:
        yield f"{name}: {lost.total()} rows are lost, {more.total()} are nobody's"


@asynccontextmanager
async def engines(path: Path, url: str) -> AsyncIterator[tuple[Engine, Engine]]:
    """Open both as those who prove the audit do."""
    clock = SystemClock()
    here: Store = SqliteStore(path, clock, "off", sees_deleted=True)
    options = Options(allow_degraded=True, sees_deleted=True)
    there = await PostgresStore.open(url, clock, options)
    try:
        yield Engine(here, clock, ready_flows()), Engine(there, clock, ready_flows())
    finally:
        await here.close()
        await there.close()


async def _answers(here: Engine, there: Engine, tenant: str) -> AsyncIterator[str]:
    """Ask both the same, and say where they answer otherwise."""
    ours, theirs = [await _read(one, tenant) for one in (here, there)]
    for what in ours:
        if ours[what] != theirs[what]:
            yield f"{tenant}: {what} is answered otherwise"
    for finding in (await verify(there, tenant)).findings:
        yield f"{tenant}: the copy does not verify: {finding}"
    places = {one.id: one.position for one in await there.store.hooks.all(tenant)}
    for hook in await here.store.hooks.all(tenant):
        left = await _left(here, tenant, hook.position)
        found = await _left(there, tenant, places[hook.id])
        if left != found:
            yield f"{tenant}: a hook is to be told of {len(found)} entries and not of {len(left)}"


async def _left(engine: Engine, tenant: str, after: str) -> set[tuple[str, int]]:
    found: set[tuple[str, int]] = set()
    while rows := await engine.store.feed(tenant, after, 500):
        found |= {(row.unit, row.link.sequence) for row in rows}
        after = rows[-1].position
    return found


async def _read(engine: Engine, tenant: str) -> dict[str, object]:
    """Return what a tenant is answered, without what is a database's own."""
    store = engine.store
    listed = [one.row for one in await store.units(tenant, "", None, 1_000)]
    told: dict[str, object] = {"the list of units": [row.id for row in listed]}
    for row in listed:
        whole = await store.whole(tenant, row.id)
        # Some of it is not compared by what it is.
        told[f"unit {row.id}"] = "" if whole is None else repr(whole._replace(incarnation=""))
        told[f"the audit of {row.id}"] = [
            one.link for one in await store.audit(tenant, row.id, 0, 10_000)
        ]
        told[f"what is kept for {row.id}"] = await store.artifacts(tenant, row.id)
    told["the feed"] = await _left(engine, tenant, "")
    told["people"] = await store.people.users(tenant)
    told["tokens"] = await store.tokens(tenant)
    found = await search(engine, tenant, f"apple{tenant}", Wanted())
    told["what is found"] = found.hits
    return told


async def goes_on(url: str) -> list[str]:
    """Work with a copy; say what is refused."""
    clock = StillClock()
    store = await PostgresStore.open(url, clock, Options(allow_degraded=True))
    try:
        stage = Stage(Engine(store, clock, ready_flows()), clock, url)
        unit = await stage.plan(2)
        part, lease = await stage.claim(unit)
        await stage.call("submit_step_result", step_id=part, lease=lease, result_summary="so")
        fed = {row.unit for row in await store.feed(HOME, await _before(store), 1_000)}
    except InterlockError as no:
        return [f"the copy does not go on: {no.code} {no.message}"]
    finally:
        await store.close()
    return [] if unit in fed else [f"the feed of the copy does not have {unit}"]


async def _before(store: Store) -> str:
    """Return a place in the feed shortly before its end."""
    after = ""
    while len(rows := await store.feed(HOME, after, 500)) == 500:
        after = rows[-1].position
    return after
