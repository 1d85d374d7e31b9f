"""Words are found through the index, by an owner who is no superuser, whatever a tenant is called."""

import asyncio
from dataclasses import replace
from hashlib import sha256

import pytest

from interlock.clock import SystemClock
from interlock.store.library import INDEX, Chunk, DueJob, Wanted
from interlock.store.postgres.store import PostgresStore
from interlock.store.script import Artifact, Document, Key, Stale
from tests.store.postgres.made import (
    NOW,
    OPTIONS,
    begin,
    connected,
    database,
    rows_of,
    saying,
    then,
)
from tools.postgres.server import Server

DIGEST = sha256(b"x").hexdigest()
ODD = "o'dd \\ & ! :*"
AMOUNT = 4_000


async def fill(store: PostgresStore, tenant: str, chunks: list[Chunk]) -> None:
    await store.add_tenant(tenant, tenant, NOW)
    said = Document("doc-1", 0, "a/t", "artifact", "a", "t", "[]", DIGEST, "text/plain", "me")
    kept = Artifact(0, "a/t", DIGEST, b"x")
    change = begin(tenant=tenant, artifacts=(kept,), documents=(said,))
    await store.run(tenant, lambda: saying(change))
    job = await store.library.take_job(DueJob(tenant, INDEX, "doc-1"), 1_000)
    assert job is not None
    assert await store.library.finish_job(job, "", chunks)


def test_the_index_is_used_and_only_by_the_tenant_s_own_words(each_postgres_server: Server) -> None:
    many = [Chunk(place, "text " * 200, (f"w{place}", "every")) for place in range(AMOUNT)]

    async def main(url: str) -> None:
        mine = url.replace("postgres@", "librarian@")
        assert await PostgresStore.migrate(mine, NOW)
        async with await PostgresStore.open(mine, SystemClock(), OPTIONS) as store:
            for tenant in (ODD, "other"):
                await fill(store, tenant, many)
        async with connected(url) as owner:
            await owner.execute("ANALYZE chunks")
            await owner.execute("SELECT pg_stat_reset()")
        async with await PostgresStore.open(mine, SystemClock(), OPTIONS) as store:
            found = await store.library.find_words(ODD, ("w7",), Wanted(), 10)
            every = await store.library.find_words("other", ("every",), Wanted(), AMOUNT * 3)
        async with connected(url) as owner:
            await owner.execute("SELECT pg_stat_clear_snapshot()")
            counts = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = $1"
            used = await owner.fetchval(counts, "chunks_by_words")

        assert found == (("doc-1", 7),)
        assert len(every) == AMOUNT
        assert used >= 1

    each_postgres_server.sql("CREATE ROLE librarian LOGIN CREATEROLE")
    try:
        with database(each_postgres_server, is_empty=True) as url:
            name = url.partition("@/")[2].partition("?")[0]
            each_postgres_server.sql(f"ALTER DATABASE {name} OWNER TO librarian")
            each_postgres_server.sql("GRANT interlock_app TO librarian WITH ADMIN OPTION")
            asyncio.run(main(url))
    finally:
        each_postgres_server.sql("REVOKE interlock_app FROM librarian CASCADE; DROP ROLE librarian")


@pytest.mark.parametrize("tenant", ["@", "a b", ODD, "ü", "'"])
def test_a_tenant_may_be_called_anything(postgres_server: Server, tenant: str) -> None:
    async def main(url: str) -> None:
        async with await PostgresStore.open(url, SystemClock(), OPTIONS) as store:
            await fill(store, tenant, [Chunk(0, "x", ("heron",))])
            found = await store.library.find_words(tenant, ("heron",), Wanted(), 10)

        assert found == (("doc-1", 0),)

    with database(postgres_server) as url:
        asyncio.run(main(url))


def test_what_is_stale_or_known_writes_no_document(postgres_server: Server) -> None:
    said = Document("doc-2", 0, "a/t", "artifact", "a", "t", "[]", DIGEST, "text/plain", "me")
    kept = Artifact(0, "a/t", DIGEST, b"x")

    async def main(url: str) -> None:
        async with await PostgresStore.open(url, SystemClock(), OPTIONS) as store:
            await fill(store, "acme", [])
            first = begin(tenant="acme")
            late = then(first.unit, artifacts=(kept,), documents=(said,))
            late.before = 7
            with pytest.raises(Stale):
                await store.run("acme", lambda: saying(late))
            late.before, late.key = 1, Key("me", "r1", "asked")
            await store.run("acme", lambda: saying(late))
            before = await rows_of(url)
            again = replace(late, documents=(said._replace(id="doc-3"),))
            done = await store.run("acme", lambda: saying(again))

            assert done.is_replay
            assert await rows_of(url) == before
            names = [one.id for one in await store.library.documents("acme", first.unit.id)]
            assert (names, (await store.library.jobs("acme", 9))[0].about) == (
                ["doc-1", "doc-2"],
                "doc-2",
            )

    with database(postgres_server) as url:
        asyncio.run(main(url))
