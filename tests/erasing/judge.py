"""Looks for what is left of a tenant that was erased: rows, bytes in files, and harm to others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, cast

import apsw
import asyncpg

from interlock.errors import InterlockError
from interlock.service.engine import Engine, Principal
from interlock.service.search import search
from interlock.service.verify import verify
from interlock.store.library import Wanted
from interlock.store.port import Store
from tests.erasing.stuffed import needle, tables
from tests.ready import ready_flows
from tests.stage import Stage
from tests.still import StillClock

Pairs = tuple[tuple[str, object], ...]
Rows = dict[str, Counter[tuple[object, ...]]]
STAY: Final = {"tenants", "units", "audit", "acts"}
"""Tables that know of a tenant after it was erased."""

EMPTIED: Final = {"audit": ("body",), "units": ("takes",), "tenants": ("name",)}
OTHERWISE: Final = {"units": {"fields": "{}", "tally": "{}"}}


def sqlite_rows(path: Path, tenant: str) -> tuple[Rows, Rows]:
    """Return the rows of a tenant, and those of all others, as they stand in a file."""
    own: Rows = {}
    others: Rows = {}
    with closing(apsw.Connection(str(path))) as file:
        for name, columns in tables(file):
            names = [column for column, _ in columns]
            rows = file.execute(f'SELECT * FROM "{name}"')  # noqa: S608 (from the catalogue)
            found = [dict(zip(names, row, strict=True)) for row in rows]
            _part(name, found, tenant, own, others)
    return own, others


async def postgres_rows(url: str, tenant: str) -> tuple[Rows, Rows]:
    """Return the same of a PostgreSQL database; its superuser sees all."""
    own: Rows = {}
    others: Rows = {}
    connection = await asyncpg.connect(url)
    try:
        listed = await connection.fetch(
            "SELECT relname::TEXT FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = 'public'::REGNAMESPACE"
        )
        for (name,) in listed:
            rows = await connection.fetch(f'SELECT * FROM "{name}"')  # noqa: S608 (same)
            _part(name, [dict(row) for row in rows], tenant, own, others)
    finally:
        await connection.close()
    return own, others


def _part(name: str, found: list[dict[str, object]], tenant: str, own: Rows, others: Rows) -> None:
    column = "id" if name == "tenants" else "tenant"
    for row in found:
        whose = own if row.get(column) == tenant else others
        whose.setdefault(name, Counter())[tuple(sorted(row.items(), key=str))] += 1


def left(own: Rows) -> Iterator[str]:
    """Say what rows of a tenant are left that should not be."""
    for name, rows in sorted(own.items()):
        if name not in STAY:
            yield f"{name} still has {rows.total()} rows"
            continue
        for row in rows:
            told: dict[str, object] = dict(cast("Pairs", row))
            wrong = [one for one in EMPTIED.get(name, ()) if told[one]]
            wrong += [one for one, is_so in OTHERWISE.get(name, {}).items() if told[one] != is_so]
            if wrong:
                yield f"{name} still says {', '.join(wrong)}"
    acts = own.get("acts", Counter())
    if acts.total() != 1 or "tenant_erased" not in str(acts):
        yield f"there are {acts.total()} acts, and not the one that tells of it"


def bytes_left(folder: Path, canary: str, pattern: str = "*") -> Iterator[str]:
    """Say which files still have the word."""
    sought = needle(canary)
    for path in sorted(folder.rglob(pattern)):
        if path.is_file() and sought in path.read_bytes():
            yield f"{path.name} still has the word"


def harmed(before: Rows, after: Rows) -> Iterator[str]:
    """Say what of others is not as it was."""
    for name in sorted(before | after):
        if before.get(name) != after.get(name):
            yield f"{name} of others is not as it was"


async def wrong_answers(store: Store, erased: str, other: str) -> list[str]:
    """Ask a store of an erased tenant and another one; say what is not as it must be."""
    clock = StillClock()
    engine = Engine(store, clock, ready_flows())
    wrong = []
    for tenant in (erased, other):
        verdict = await verify(engine, tenant)
        wrong += [f"{tenant} does not verify: {one}" for one in verdict.findings]
        if bool(verdict.erased) != (tenant == erased):
            wrong.append(f"{tenant}: {verdict.erased} units are told as erased")
    found = [
        len((await search(engine, tenant, f"apple{tenant}", Wanted())).hits)
        for tenant in (erased, other)
    ]
    if found[0] or not found[1]:
        wrong.append(f"search finds {found[0]} of the erased and {found[1]} of the other")
    agent = Principal(erased, "agent", "ada", frozenset({"read", "work"}))
    try:
        await Stage(engine, clock, "").plan(1, agent)
    except InterlockError as no:
        if no.code != "TENANT_ERASED":
            wrong.append(f"work for the erased tenant is refused with {no.code}")
    else:
        wrong.append("work goes on for a tenant that was erased")
    return wrong
