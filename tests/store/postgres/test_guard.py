"""A server that would not keep our promises is refused at the start, with what to do about it."""

import asyncio
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.store.errors import DurabilityRefused
from interlock.store.migrate import SchemaTooNew, SchemaTooOld
from interlock.store.postgres import guard
from interlock.store.postgres.guard import RoleRefused, ServerTooOld, TenantsUnguarded
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options, Trips
from tests.store.postgres.made import OPTIONS, connected, database, opened
from tools.postgres.server import Server

if TYPE_CHECKING:
    from interlock.store.postgres.trips import Connection

NUMBERS = count(1)


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with database(postgres_server) as found:
        yield found


@pytest.fixture
def role(postgres_server: Server) -> Iterator[str]:
    """A role with the rights of the app, to be spoilt; roles belong to the whole server."""
    name = f"app_{next(NUMBERS)}"
    postgres_server.sql(f"CREATE ROLE {name} LOGIN; GRANT interlock_app TO {name}")
    yield name
    postgres_server.sql(f"DROP ROLE {name}")


def spoil(url: str, statement: str) -> None:
    async def main() -> None:
        async with connected(url) as owner:
            await owner.execute(statement)

    asyncio.run(main())


def refusal(url: str, options: Options = OPTIONS) -> InterlockError:
    with pytest.raises(InterlockError) as told:
        asyncio.run(PostgresStore.open(url, SystemClock(), options))

    assert told.value.code != InterlockError.code
    assert told.value.fix
    return told.value


def test_the_app_as_it_was_made_is_let_in(url: str) -> None:
    async def main() -> None:
        async with opened(url) as store:
            assert (await store.health()).facts["role"] == "interlock_app"

    asyncio.run(main())


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("ALTER ROLE {role} SUPERUSER", "is a superuser"),
        ("ALTER ROLE {role} BYPASSRLS", "bypasses row security"),
        ("ALTER TABLE tags OWNER TO {role}", "owns tags"),
        ("GRANT UPDATE ON audit TO {role}", "may UPDATE the audit"),
        ("GRANT UPDATE (body) ON audit TO {role}", "may UPDATE the audit"),
        ("GRANT DELETE ON audit TO {role}", "may DELETE the audit"),
        ("GRANT TRUNCATE ON audit TO {role}", "may TRUNCATE the audit"),
        ("GRANT TRUNCATE ON parts TO {role}", "may TRUNCATE parts"),
    ],
)
def test_a_role_with_too_much_power_is_refused(
    url: str, role: str, statement: str, said: str
) -> None:
    spoil(url, statement.format(role=role))
    error = refusal(url, Options(role=role, allow_degraded=True))
    spoil(url, f"DROP OWNED BY {role}") if "OWNER" not in statement else spoil(
        url, "ALTER TABLE tags OWNER TO postgres"
    )
    spoil(url, f"REVOKE ALL ON audit, parts FROM {role}")

    assert isinstance(error, RoleRefused)
    assert said in error.message


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("ALTER TABLE replies NO FORCE ROW LEVEL SECURITY", "replies"),
        ("ALTER TABLE contents DISABLE ROW LEVEL SECURITY", "contents"),
        ("ALTER TABLE tenants NO FORCE ROW LEVEL SECURITY", "tenants"),
        ("CREATE TABLE later (tenant TEXT NOT NULL)", "later"),
        ("CREATE POLICY all_of_it ON units USING (true)", "units.all_of_it"),
        ("CREATE POLICY any_write ON parts FOR INSERT WITH CHECK (true)", "parts.any_write"),
        ("CREATE POLICY mine ON tags TO interlock_app USING (true)", "tags.mine"),
    ],
)
def test_a_table_that_does_not_keep_tenants_apart_is_refused(
    url: str, statement: str, said: str
) -> None:
    spoil(url, statement)
    error = refusal(url)

    assert isinstance(error, TenantsUnguarded)
    assert said in error.message


def test_a_login_that_may_not_be_the_app_is_told_the_grant(
    postgres_server: Server, url: str
) -> None:
    postgres_server.sql("CREATE ROLE passer_by LOGIN")
    try:
        error = refusal(url.replace("postgres@", "passer_by@"))
    finally:
        postgres_server.sql("DROP ROLE passer_by")

    assert isinstance(error, RoleRefused)
    assert error.fix.endswith('GRANT interlock_app TO "passer_by";')


def test_a_login_that_was_granted_the_role_is_let_in(
    postgres_server: Server, url: str, role: str
) -> None:
    async def main() -> None:
        async with opened(url.replace("postgres@", f"{role}@")) as store:
            facts = (await store.health()).facts
            assert (facts["login"], facts["role"]) == (role, "interlock_app")
            assert facts["login_is_powerful"] == "no"

    asyncio.run(main())


def test_settings_that_lose_acknowledged_work_are_refused_unless_accepted(url: str) -> None:
    error = refusal(url, Options())

    assert isinstance(error, DurabilityRefused)
    assert "fsync, full_page_writes" in error.message

    async def main() -> None:
        async with opened(url) as store:
            assert (await store.health()).durability == "degraded"

    asyncio.run(main())


def test_a_server_that_waits_for_its_disk_is_fully_durable() -> None:
    async def main(url: str) -> None:
        async with opened(url, Options()) as store:
            assert (await store.health()).durability == "full"

    with Server() as server, database(server) as url:
        asyncio.run(main(url))
        spoil(url, "ALTER ROLE postgres SET synchronous_commit = off")
        error = refusal(url, Options())

    assert "synchronous_commit" in error.message


def test_a_setting_that_is_weakened_while_we_run_is_told_or_changes_nothing_for_us() -> None:
    async def main(url: str) -> None:
        async with opened(url, Options(pool_size=1)) as store, connected(url) as owner:
            await owner.execute("ALTER SYSTEM SET synchronous_commit = off")
            await owner.execute("ALTER SYSTEM SET fsync = off")
            await owner.execute("SELECT pg_reload_conf()")
            async with asyncio.timeout(60):
                health = await store.health()
                while health.durability == "full":
                    health = await store.health()

            assert health.facts["fsync"] == "off"
            assert health.facts["synchronous_commit"] == "on"
            # A connection that is new would work with the weaker setting: it is not used.
            with pytest.raises(DurabilityRefused):
                await Trips(url, SystemClock(), Options()).enter()

    server = Server()
    # What stands on a server's command line cannot be changed while it runs.
    del server.settings["fsync"], server.settings["synchronous_commit"]
    with server, database(server) as url:
        asyncio.run(main(url))
        server.sql("ALTER SYSTEM RESET ALL")
        server.sql("SELECT pg_reload_conf()")
        asyncio.run(_weaken(url))
        asyncio.run(_lose_the_standby(url))


async def _weaken(url: str) -> None:
    """What new connections wait for is told when there are some, and mended with the setting."""
    options = Options(pool_size=2, allow_degraded=True)
    async with opened(url, options) as store, connected(url) as owner, asyncio.timeout(60):
        await _set(owner, "synchronous_commit = off")
        while store.durability == "full":
            await asyncio.gather(store.health(), store.health())
        await _set(owner, "synchronous_commit = on")
        while store.durability == "degraded":
            await store.health()


async def _lose_the_standby(url: str) -> None:
    """Commits that do not wait for a named standby are told, and one that was lost."""
    async with connected(url) as owner, asyncio.timeout(60):
        await _set(owner, "synchronous_commit = local")
        async with opened(url, Options(pool_size=1)) as store:
            assert (await store.health()).durability == "full"
            await _set(owner, "synchronous_standby_names = 'nobody'")
            health = await store.health()
            while store.durability == "full":
                health = await store.health()
            assert health.facts["losses"] == "synchronous_commit is local"
            await _set(owner, "synchronous_standby_names = ''")
            while health.facts["losses"] == "synchronous_commit is local":
                health = await store.health()
            assert health.facts["losses"] == "no standby is named any more"


async def _set(owner: "Connection", what: str) -> None:
    await owner.execute(f"ALTER SYSTEM SET {what}")
    await owner.execute("SELECT pg_reload_conf()")


def test_a_server_that_is_too_old_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "VERSION_MIN", 990_000)

    assert isinstance(refusal(url), ServerTooOld)


def test_a_database_that_was_never_migrated_is_refused(postgres_server: Server) -> None:
    with database(postgres_server, is_empty=True) as empty:
        error = refusal(empty)

    assert isinstance(error, SchemaTooOld)
    assert error.fix == "interlock db migrate"


def test_a_server_that_never_heard_of_us_is_refused(url: str) -> None:
    assert isinstance(refusal(url, Options(role="nobody_we_know")), SchemaTooOld)


def test_a_schema_that_is_too_old_or_too_new_is_refused(url: str) -> None:
    spoil(url, "INSERT INTO migrations VALUES (9999, 'from_tomorrow', 'x', 1)")
    newer = refusal(url)
    spoil(url, "DELETE FROM migrations WHERE number > 1")

    assert isinstance(newer, SchemaTooNew)
    assert isinstance(refusal(url), SchemaTooOld)
