"""The log of calls on PostgreSQL loses nothing young; what everyone sees is in ``test_records``."""

import asyncio
from collections.abc import Iterator

import pytest

from interlock.store.port import CallRow
from tests.store.postgres.made import ACME, connected, database, opened, until_it_holds
from tools.postgres.server import Server

DAY_MS = 24 * 3600 * 1000
MANY = """
INSERT INTO units (
    tenant, id, workflow, digest, status, version, head, made, takes, tally, fields, created_at,
    changed_at
)
SELECT 'acme', 'work-' || n, 'work', '', 'running', 1, '', 0, '', '{}', '{}', n, n
FROM generate_series(1, 2000) AS n
"""


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with database(postgres_server) as found:
        yield found


def call(name: str, at: int) -> CallRow:
    return CallRow(ACME, at, name, "get_next", "agent", "me", "s1", "stdio", "{}", "{}", 7, 0)


def test_what_is_younger_than_a_day_is_not_pruned_whatever_the_app_says(url: str) -> None:
    async def main() -> None:
        async with opened(url) as store:
            now = store.now()
            await store.add_calls(ACME, [call("young", now - DAY_MS // 2), call("old", 5)])
            assert await store.prune_calls(now + DAY_MS, 10) == 1
            assert [row.id for row in await store.calls(ACME, None, 9)] == ["young"]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("question", "index"),
    [
        (
            (
                "SELECT id FROM skills WHERE tenant = $1 AND session = $2 AND status = 'started'"
                " AND unit IS NULL ORDER BY started_at DESC, id DESC LIMIT 1"
            ),
            "skills_by_session",
        ),
        (
            (
                "SELECT id FROM units WHERE tenant = $1 AND ended_at IS NULL AND ($2 = '' OR status = $2)"
                " ORDER BY changed_at DESC, id DESC LIMIT 50"
            ),
            "units_by_open",
        ),
    ],
)
def test_what_is_asked_often_has_its_index(url: str, question: str, index: str) -> None:
    async def main() -> str:
        async with connected(url, "interlock_app") as app:
            await app.execute("SET enable_seqscan = off; SET enable_sort = off")
            await app.execute("SET plan_cache_mode = force_generic_plan")
            rows = await app.fetch(f"EXPLAIN {question}", ACME, "s1")
            return "\n".join(row[0] for row in rows)

    assert index in asyncio.run(main())


@pytest.mark.parametrize(
    "question",
    [
        "SELECT FROM interlock_units($1, '', 9999, '~', 5, false, '', '')",
        "SELECT FROM interlock_count_groups($1, '', '')",
        "SELECT FROM interlock_tiles($1, '', '', ARRAY['work running 0'], 9999, '~', 5)",
        "SELECT FROM interlock_bare_units($1, 5)",
    ],
)
def test_whoever_wants_units_in_the_order_of_their_changes_says_so(url: str, question: str) -> None:
    """Their index is for those alone who say what is true of every unit: that it has a version."""

    async def main() -> None:
        async with opened(url), connected(url) as own:
            await own.execute(MANY)
            await own.execute("VACUUM ANALYZE units")
        async with connected(url, "interlock_app") as app:
            await app.execute("SET enable_seqscan = off; SET enable_sort = off")
            await app.execute("SET plan_cache_mode = force_generic_plan")
            await app.fetch(question, ACME)
        async with connected(url) as own:  # who leaves tells what it has read
            used = "SELECT idx_scan > 0 FROM pg_stat_user_indexes WHERE indexrelname = "
            await until_it_holds(own, f"{used} 'units_by_change'")

    asyncio.run(main())
