"""A PostgreSQL database is backed up and restored by its owner, who is no superuser."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from interlock.clock import SystemClock
from interlock.store.errors import NotADatabase
from interlock.store.incarnate import incarnate
from interlock.store.postgres.backup import back_up, put
from interlock.store.postgres.guard import RoleRefused
from interlock.store.postgres.store import PostgresStore
from tests.keeping.test_killed import silent
from tests.stage import HOME, opened
from tools.postgres.server import Server

OWNER = "keeper"


@pytest.fixture
def owned(postgres_server: Server) -> Iterator[tuple[str, str, str]]:
    """Two databases of somebody who is no superuser, one of them migrated; and a stranger's way in."""
    server, names = postgres_server, ("kept_one", "kept_two")
    server.sql(f"DROP ROLE IF EXISTS {OWNER}_guest")
    if not server.sql(f"SELECT 1 FROM pg_roles WHERE rolname = '{OWNER}'"):  # noqa: S608 (ours)
        server.sql(f"CREATE ROLE {OWNER} LOGIN CREATEROLE")
    server.sql(f"CREATE ROLE {OWNER}_guest LOGIN")
    for name in names:
        server.create_database(name)
        server.sql(f"ALTER DATABASE {name} OWNER TO {OWNER}")
    if server.sql("SELECT 1 FROM pg_roles WHERE rolname = 'interlock_app'"):
        server.sql(f"GRANT interlock_app TO {OWNER} WITH ADMIN OPTION")
    one, two = (server.url(name, OWNER) for name in names)
    try:
        yield one, two, server.url(names[0], f"{OWNER}_guest")
    finally:
        for name in names:
            server.drop_database(name)
        server.sql(f"DROP ROLE {OWNER}_guest")


def test_an_owner_who_is_no_superuser_backs_up_and_restores_all_tenants(
    owned: tuple[str, str, str], tmp_path: Path
) -> None:
    one, two, guest = owned
    clock, file = SystemClock(), tmp_path / "b"

    async def main() -> None:
        await PostgresStore.migrate(one, clock.now())
        async with opened(one) as stage:
            unit = await stage.plan(2)
            manifest = await back_up(one, file, "1", clock, silent)
            assert (manifest.tables["units"].rows, manifest.tables["tenants"].rows) == (1, 2)
            with pytest.raises(RoleRefused):
                await back_up(guest, tmp_path / "no", "1", clock, silent)
        with closing(apsw.Connection(str(file))) as connection:
            incarnate(connection, manifest, clock)
        assert await put(file, two, clock, is_forced=False, tell=silent) == ""
        async with opened(two) as stage:
            assert await stage.standing(unit) == "planning: pending pending"
            assert [row.unit for row in await stage.engine.store.feed(HOME, "", 9)] == [unit] * 3
            await stage.claim(unit)
        kept = await put(file, two, clock, is_forced=True, tell=silent)
        assert kept.startswith("interlock_before_")
        async with opened(two) as stage:
            assert await stage.standing(unit) == "planning: pending pending"
            assert len(await stage.engine.store.feed(HOME, "", 9)) == 3

    asyncio.run(main())
    assert not (tmp_path / "no").exists()


def test_a_restore_that_fails_on_the_way_has_changed_nothing(
    owned: tuple[str, str, str], tmp_path: Path
) -> None:
    one, _, _ = owned
    clock, file = SystemClock(), tmp_path / "b"

    def stop(done: int, total: int) -> None:
        silent(done, total)
        raise KeyboardInterrupt

    async def main() -> None:
        await PostgresStore.migrate(one, clock.now())
        async with opened(one) as stage:
            unit = await stage.plan(2)
            manifest = await back_up(one, file, "1", clock, silent)
        with closing(apsw.Connection(str(file))) as connection:
            incarnate(connection, manifest, clock)
        with pytest.raises(KeyboardInterrupt):
            await put(file, one, clock, is_forced=True, tell=stop)
        async with opened(one) as stage:
            assert (await stage.engine.store.health()).incarnation == manifest.incarnation
            assert await stage.standing(unit) == "planning: pending pending"

    asyncio.run(main())


def test_a_database_without_our_tables_is_told(postgres_server: Server, tmp_path: Path) -> None:
    postgres_server.create_database("kept_none")
    try:
        work = back_up(postgres_server.url("kept_none"), tmp_path / "b", "1", SystemClock(), silent)
        with pytest.raises(NotADatabase):
            asyncio.run(work)
    finally:
        postgres_server.drop_database("kept_none")
    assert list(tmp_path.iterdir()) == []
