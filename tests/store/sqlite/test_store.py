"""The store on one file: opened again it is the same, and others may have it open too."""

import asyncio
from pathlib import Path
from traceback import walk_tb

import apsw
import pytest

from interlock.store.errors import NotADatabase, StoreUnavailable
from interlock.store.port import TokenRow
from interlock.store.script import Artifact, Load, Nothing, Script
from interlock.store.sqlite import read
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.store import SqliteStore
from tests.service.desk import Desk, at_desk
from tests.still import START, StillClock
from tests.store.sqlite.opened import AWAY, HOME, opened

LATE = Artifact(1, "result", "f00", b"x", mark="late")
TOKEN = TokenRow(HOME, "tok-1", "laptop", "agent", "work", "il_1", START, None, None)
SOON_S = 5.0


def _nothing() -> Script:
    yield from ()
    return Nothing("")


def test_a_file_keeps_its_incarnation(tmp_path: Path) -> None:
    async def story() -> tuple[str, str]:
        async with opened(tmp_path, StillClock(seed=1)) as first:
            name = first.incarnation
        async with opened(tmp_path, StillClock(seed=2)) as second:
            return name, second.incarnation

    first, second = asyncio.run(story())

    assert first == second
    assert len(first) == 6


def test_health_says_what_the_file_says_itself(tmp_path: Path) -> None:
    async def story(level: str) -> tuple[str, str, int]:
        store = SqliteStore(tmp_path / "interlock.db", StillClock(), level)
        health = await store.health()
        await store.close()
        assert health.incarnation == store.incarnation
        assert health.facts["journal_mode"] == "wal"
        return health.dialect, health.durability, health.schema

    assert asyncio.run(story("full"))[:2] == ("sqlite", "full")
    assert asyncio.run(story("extra"))[:2] == ("sqlite", "full")
    assert asyncio.run(story("normal"))[:2] == ("sqlite", "degraded")
    assert asyncio.run(story("off"))[2] >= 1


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "interlock.db").write_text("no database at all" * 100)

    with pytest.raises(NotADatabase):
        SqliteStore(tmp_path / "interlock.db", StillClock())


def test_tenants_are_made_once(tmp_path: Path) -> None:
    async def story() -> tuple[str, ...]:
        async with opened(tmp_path) as store:
            await store.add_tenant(HOME, "again", 0)
            return await store.tenants()

    assert asyncio.run(story()) == (AWAY, HOME)


def test_a_token_is_found_by_its_hash_and_revoked_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path) as store:
            await store.add_token(TOKEN, "hash")

            assert await store.find_token("hash") == TOKEN
            assert await store.find_token("other") is None
            assert await store.tokens(AWAY) == ()
            assert not await store.revoke_token(AWAY, "tok-1", 5)
            assert await store.revoke_token(HOME, "tok-1", 5)
            assert not await store.revoke_token(HOME, "tok-1", 6)
            assert await store.tokens(HOME) == (TOKEN._replace(revoked_at=5),)

    asyncio.run(story())


def test_the_same_artifact_is_kept_once_and_only_for_a_unit_that_is_there(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[object]:
        unit = await desk.plan(())
        told: list[object] = [
            await desk.store.keep(HOME, unit, LATE),
            await desk.store.keep(HOME, unit, LATE),
            await desk.store.keep(HOME, unit, LATE._replace(mark="")),
            await desk.store.keep(AWAY, unit, LATE),
            await desk.store.keep(HOME, "plan-0", LATE),
        ]
        rows = await desk.store.artifacts(HOME, unit)
        told.append([(row.version, row.mark, row.size) for row in rows])
        return [*told, await desk.store.content(HOME, "f00"), await desk.store.content(AWAY, "f00")]

    assert at_desk(tmp_path, story) == [
        1, 1, 2, None, None, [(1, "late", 1), (2, "", 1)], b"x", None,
    ]  # fmt: skip


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path) as store:
            pass
        with pytest.raises(StoreUnavailable):
            await store.run(HOME, _nothing)

    asyncio.run(story())


def test_who_watches_is_woken_by_a_command_of_this_store_and_of_another(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path) as here, opened(tmp_path) as there:
            watch = here.watch(HOME)
            await anext(watch)
            for store in (here, there):
                await store.add_token(TOKEN._replace(id=f"tok-{id(store)}"), f"hash {id(store)}")
                await asyncio.wait_for(anext(watch), SOON_S)
            await watch.aclose()

    asyncio.run(story())


def test_the_time_is_the_clock_s(tmp_path: Path) -> None:
    async def story() -> int:
        clock = StillClock()
        async with opened(tmp_path, clock) as store:
            clock.pass_ms(3)
            return store.now()

    assert asyncio.run(story()) == START + 3


def _kept(error: BaseException) -> list[Session]:
    """Return the sessions that an error keeps, because it went through where they were used."""
    frames = [frame.f_locals for frame, _ in walk_tb(error.__traceback__)]
    return [one for found in frames for one in found.values() if isinstance(one, Session)]


def test_an_error_that_is_kept_keeps_nothing_of_a_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("broken")

    def script() -> Script:
        yield Load("plan-0")
        raise ValueError("broken")

    async def story() -> None:
        kept: list[list[Session]] = []
        async with opened(tmp_path) as store:
            for asked in (store.whole(HOME, "plan-0"), store.run(HOME, script)):
                with pytest.raises(ValueError, match="broken") as told:
                    await asked
                kept.append(_kept(told.value))
            assert all(kept)
            for session in kept[0]:
                with pytest.raises(apsw.CursorClosedError):
                    session.row("list_tenants", {})
            # All commands have one cursor, which is the writer's as long as there is one.
            assert {session._cursor for session in kept[1]} == {store._writer._cursor}

    monkeypatch.setattr(read, "whole", broken)

    asyncio.run(story())
