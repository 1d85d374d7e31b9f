"""The store on PostgreSQL keeps artifacts, tokens and tenants, and says how it is set up."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from hashlib import sha256

import pytest

from interlock.clock import SystemClock
from interlock.store.errors import StoreError, StoreUnavailable
from interlock.store.migrate import read_migrations
from interlock.store.port import Store, TokenRow
from interlock.store.postgres.guard import RoleRefused
from interlock.store.postgres.store import PostgresStore
from interlock.store.script import Artifact
from tests.store.postgres.made import (
    ACME,
    NOW,
    OPTIONS,
    OTHER,
    UNIT,
    begin,
    database,
    job,
    opened,
    saying,
    then,
)
from tools.postgres.server import Server

Play = Callable[[PostgresStore], Awaitable[None]]
TOKEN = TokenRow(ACME, "t1", "Laptop", "agent", "read work", "il_12", NOW, NOW + 1, None)


@pytest.fixture
def url(each_postgres_server: Server) -> Iterator[str]:
    with database(each_postgres_server) as found:
        yield found


def run(url: str, play: Play) -> None:
    async def main() -> None:
        async with opened(url) as store:
            await play(store)

    asyncio.run(main())


def kept(content: bytes, part: int = 0, mark: str = "") -> Artifact:
    return Artifact(part, "result", sha256(content).hexdigest(), content, "text/plain", mark, "me")


def test_it_is_a_store(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        port: Store = store
        assert port.now() > NOW - 10**12

    run(url, play)


def test_versions_of_an_artifact_are_counted_by_name_within_and_across_commits(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        first = begin(job(1), artifacts=(kept(b"a"), kept(b"b"), kept(b"a", part=1)))
        await store.run(ACME, lambda: saying(first))
        await store.run(ACME, lambda: saying(then(first.unit, artifacts=(kept(b"c"),))))
        rows = await store.artifacts(ACME, UNIT)

        assert [(row.part, row.version, row.digest) for row in rows] == [
            (0, 1, kept(b"a").digest), (0, 2, kept(b"b").digest), (0, 3, kept(b"c").digest),
            (1, 1, kept(b"a").digest),
        ]  # fmt: skip
        assert await store.content(ACME, kept(b"c").digest) == b"c"
        assert await store.content(OTHER, kept(b"c").digest) is None
        assert await store.artifacts(OTHER, UNIT) == ()

    run(url, play)


def test_what_is_kept_beside_a_unit_is_kept_once_and_only_beside_a_unit(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        await store.run(ACME, lambda: saying(begin(job(1))))
        late = kept(b"too late", 1, "late")
        versions = await asyncio.gather(*(store.keep(ACME, UNIT, late) for _ in range(8)))

        assert versions == [1] * 8
        assert await store.keep(ACME, UNIT, kept(b"too late", 1)) == 2
        assert await store.keep(OTHER, UNIT, late) is None
        assert await store.keep(ACME, "work-none", late) is None
        (row, _) = await store.artifacts(ACME, UNIT)
        assert (row.mark, row.size, row.author) == ("late", 8, "me")

    run(url, play)


def test_a_token_is_found_by_its_hash_in_any_tenant_and_listed_in_its_own(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        await store.add_token(TOKEN, "hash")

        assert await store.find_token("hash") == TOKEN
        assert await store.find_token("other hash") is None
        assert await store.tokens(ACME) == (TOKEN,)
        assert await store.tokens(OTHER) == ()
        assert not await store.revoke_token(OTHER, "t1", NOW)
        assert await store.revoke_token(ACME, "t1", NOW)
        assert not await store.revoke_token(ACME, "t1", NOW)
        assert (await store.tokens(ACME))[0].revoked_at == NOW
        with pytest.raises(StoreError):
            await store.add_token(TOKEN._replace(id="t2", scopes="decide"), "hash 2")

    run(url, play)


def test_tenants_are_made_once_and_listed(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        await store.add_tenant(ACME, "Acme again", NOW)

        assert await store.tenants() == (ACME, OTHER)

    run(url, play)


def test_a_unit_needs_its_tenant(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        with pytest.raises(StoreError):
            await store.run("nobody", lambda: saying(begin(job(1), tenant="nobody")))

    run(url, play)


def test_a_commit_wakes_who_waits_in_another_process(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        async with opened(url) as other, aclosing(other.watch(ACME)) as watch:
            await anext(watch)
            await store.run(ACME, lambda: saying(begin(job(1))))
            await asyncio.wait_for(anext(watch), 10)

    run(url, play)


def test_it_says_how_the_server_is_set_up(url: str) -> None:
    async def play(store: PostgresStore) -> None:
        health = await store.health()

        assert (health.dialect, health.durability) == ("postgres", "degraded")
        assert health.schema == len(read_migrations("postgres"))
        assert health.incarnation == store.incarnation
        assert (health.facts["fsync"], health.facts["role"]) == ("off", "interlock_app")

    run(url, play)


def test_a_store_that_is_closed_takes_nothing_more(url: str) -> None:
    async def main() -> None:
        store = await PostgresStore.open(url, SystemClock(), OPTIONS)
        await store.close()
        with pytest.raises(StoreUnavailable):
            await store.tenants()

    asyncio.run(main())


def test_whoever_may_not_make_tables_is_told_so(each_postgres_server: Server) -> None:
    each_postgres_server.sql("CREATE ROLE guest LOGIN")
    try:
        with database(each_postgres_server, is_empty=True) as empty:
            guest = empty.replace("postgres@", "guest@")
            with pytest.raises(RoleRefused) as told:
                asyncio.run(PostgresStore.migrate(guest, NOW))
    finally:
        each_postgres_server.sql("DROP ROLE guest")

    assert "owner" in told.value.fix
