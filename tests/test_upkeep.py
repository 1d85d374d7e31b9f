"""Backups are of one instant and restore to either database, as a new incarnation."""

import asyncio
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

import apsw
import pytest

from interlock import upkeep
from interlock.config import Settings
from interlock.service.seal import seal_of
from interlock.service.sweep import sweep
from interlock.service.verify import verify
from interlock.store.backup import (
    BackupDamaged,
    BackupExists,
    Manifest,
    NotABackup,
    PlaceInUse,
    PlaceNotEmpty,
    opened,
)
from interlock.store.errors import NotADatabase
from interlock.store.migrate import SchemaTooNew
from interlock.store.people import Act
from interlock.store.postgres.erase import erase as erase_from_postgres
from interlock.store.sqlite.erase import erase as erase_from_sqlite
from interlock.store.sums import digests
from tests.kept import Corners, back_up, empty, fill, restore, settings_of, silent, submitted
from tests.stage import ADA, AWAY, BOB, HOME, Stage, placed
from tests.stage import opened as staged_at

DONE = Act("act-1", "person", "ola", "", "cli", "tenant_erased", AWAY, "{}")

PAIRS = [("sqlite", "sqlite"), ("sqlite", "postgres"), ("postgres", "sqlite"),
         ("postgres", "postgres")]  # fmt: skip


def taken(where: Path | str, file: Path) -> tuple[Corners, Manifest, list[str]]:
    """Fill a place and back it up while it is open; return what is told of it in a feed, too."""

    async def main() -> tuple[Corners, Manifest, list[str]]:
        async with staged_at(where) as stage:
            corners = await fill(stage)
            return corners, await back_up(stage, file), await feed(stage)

    return asyncio.run(main())


async def feed(stage: Stage, after: str = "") -> list[str]:
    rows = await stage.engine.store.feed(HOME, after, 1_000)
    return [f"{row.unit} {row.link.sequence} {row.link.hash}" for row in rows]


async def facts(stage: Stage, corners: Corners) -> list[object]:
    """Return what somebody sees of the units, their documents and the people."""
    store = stage.engine.store
    standing, audit = await stage.standing(corners.unit), await stage.audit(corners.unit)
    found = await stage.call("search_sources", ADA, query="heron")
    return [
        standing, audit, await stage.audit(corners.foreign, AWAY), found.data,
        [user.email for user in await store.people.users(HOME)],
        [token.name for token in await store.tokens(HOME)],
        [one.digest for one in await store.artifacts(HOME, corners.unit)],
    ]  # fmt: skip


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_everything_comes_back_in_either_database(
    request: pytest.FixtureRequest, tmp_path: Path, source: str, target: str
) -> None:
    file = tmp_path / "b.interlock"

    async def look(where: Path | str, corners: Corners) -> list[object]:
        async with staged_at(where) as stage:
            return await facts(stage, corners)

    async def judge(where: Path | str, told: list[str]) -> None:
        async with staged_at(where) as stage:
            for tenant in (HOME, AWAY):
                assert (await verify(stage.engine, tenant)).findings == []
            assert sorted(await feed(stage)) == sorted(told)
            (hook,) = await stage.engine.store.hooks.all(HOME)
            assert await feed(stage, hook.position) == await _after(stage, hook.position, told)

    async def _after(stage: Stage, position: str, told: list[str]) -> list[str]:
        """Return what comes behind the last entry that a hook was told of."""
        everything = await feed(stage)
        behind = len(await stage.engine.store.feed(HOME, position, 1_000))
        assert 0 < behind < len(told)
        return everything[-behind:]

    with placed(request, source, tmp_path) as where, empty(request, target, tmp_path) as place:
        corners, manifest, told = taken(where, file)
        done = restore(file, place)
        assert done.manifest == manifest
        assert done.kept == ""
        assert asyncio.run(look(place, corners)) == asyncio.run(look(where, corners))
        asyncio.run(judge(place, told))


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_what_was_handed_out_before_is_not_good_any_more(
    request: pytest.FixtureRequest, tmp_path: Path, source: str, target: str
) -> None:
    file = tmp_path / "b.interlock"

    async def judge(where: Path | str, corners: Corners, done: upkeep.Restored) -> None:
        async with staged_at(where) as stage:
            store = stage.engine.store
            health = await store.health()
            assert health.incarnation == done.incarnation != done.manifest.incarnation
            late = {**submitted(corners.part, corners.lease), "request_id": "late"}
            assert (await stage.refused("submit_step_result", **late)).code == "STALE_LEASE"
            again = submitted(f"{corners.unit}.1", "whatever")
            no = await stage.refused("submit_step_result", **again)
            assert (no.code, no.http, no.retryable) == ("REQUEST_BEFORE_RESTORE", 409, False)
            assert "new request id" in no.fix
            # The part is offered again at once, and that it lapsed is on record.
            stage.clock.pass_ms(1)
            await sweep(stage.engine)
            assert [body["event"] for body in await stage.audit(corners.unit)][-1] == "lapse"
            step, lease = await stage.claim(corners.unit, BOB)
            assert (step, lease.partition(".")[0]) == (corners.part, done.incarnation)
            fresh = {**submitted(step, lease), "request_id": "fresh"}
            await stage.call("submit_step_result", BOB, **fresh)
            (act,) = [
                one for one in await store.people.acts(HOME, None, 99) if one.act.act == "restore"
            ]
            assert act.act.about == done.incarnation
            (row,) = await store.restores()
            assert (row.name, row.former) == (done.incarnation, done.manifest.incarnation)
            assert (row.taken_at, row.digest) == (done.manifest.taken_at, done.manifest.digest)

    with placed(request, source, tmp_path) as where, empty(request, target, tmp_path) as place:
        corners, _, _ = taken(where, file)
        asyncio.run(judge(place, corners, restore(file, place)))


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_a_place_in_the_stream_that_was_told_before_leads_nowhere(
    request: pytest.FixtureRequest, tmp_path: Path, dialect: str
) -> None:
    file = tmp_path / "b.interlock"

    async def seal(where: Path | str) -> bytes:
        async with staged_at(where) as stage:
            if not file.exists():
                await fill(stage)
                name = (await seal_of(stage.engine, HOME)).name
                await back_up(stage, file)
                return name
            return (await seal_of(stage.engine, HOME)).name

    with placed(request, dialect, tmp_path) as where, empty(request, dialect, tmp_path) as place:
        before = asyncio.run(seal(where))
        restore(file, place)
        assert asyncio.run(seal(place)) != before


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_a_database_that_is_there_is_replaced_only_by_force_and_kept(
    request: pytest.FixtureRequest, tmp_path: Path, dialect: str
) -> None:
    file, later = tmp_path / "b.interlock", tmp_path / "later.interlock"

    async def add(where: Path | str) -> str:
        async with staged_at(where) as stage:
            for _ in range(1_000):  # a clock that begins anew gives the same ids again
                stage.clock.new_id("used")
            made = await stage.plan(1)
            await back_up(stage, later)
            with pytest.raises(PlaceInUse) as no:
                await asyncio.to_thread(restore, file, where, is_forced=True)
            assert no.value.retryable
            return made

    async def has(where: Path | str, unit: str) -> bool:
        async with staged_at(where) as stage:
            return await stage.engine.store.whole(HOME, unit) is not None

    with placed(request, dialect, tmp_path) as where:
        corners, _, _ = taken(where, file)
        newer = asyncio.run(add(where))
        with pytest.raises(PlaceNotEmpty):
            restore(file, where)
        assert asyncio.run(has(where, newer))

        done = restore(file, where, is_forced=True)

        assert asyncio.run(has(where, corners.unit))
        assert not asyncio.run(has(where, newer))
        assert done.incarnation in done.kept
        if isinstance(where, Path):
            assert asyncio.run(has(Path(done.kept), newer))
        # What was there before can come back in turn.
        restore(later, where, is_forced=True)
        assert asyncio.run(has(where, newer))


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_the_database_that_is_replaced_knows_what_was_erased(
    request: pytest.FixtureRequest, tmp_path: Path, dialect: str
) -> None:
    file = tmp_path / "b.interlock"

    async def closed(where: Path | str) -> list[int | None]:
        async with staged_at(where) as stage:
            for tenant in (HOME, AWAY):
                assert (await verify(stage.engine, tenant)).findings == []
            rows = [await stage.engine.store.people.tenant(one) for one in (HOME, AWAY)]
            return [row.closed_at for row in rows if row is not None]

    with placed(request, dialect, tmp_path) as where:
        taken(where, file)
        if isinstance(where, Path):
            erase_from_sqlite(where, AWAY, 7, DONE)
        else:
            asyncio.run(erase_from_postgres(where, AWAY, 7, DONE))
        assert not (tmp_path / "erasures.jsonl").exists()

        assert restore(file, where, is_forced=True).erased == (AWAY,)
        assert asyncio.run(closed(where)) == [None, 7]
        # And the restored one still knows.
        assert restore(file, where, is_forced=True).erased == (AWAY,)


def test_a_backup_that_was_changed_is_refused_and_nothing_is_touched(tmp_path: Path) -> None:
    file, place = tmp_path / "b.interlock", tmp_path / "to" / "interlock.db"
    taken(tmp_path / "from" / "interlock.db", file)
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("UPDATE units SET status = 'completed'")

    with pytest.raises(BackupDamaged, match="units"):
        restore(file, place)
    assert not place.exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_backup_with_damaged_pages_is_refused(tmp_path: Path) -> None:
    file, place = tmp_path / "b.interlock", tmp_path / "to" / "interlock.db"
    taken(tmp_path / "from" / "interlock.db", file)
    content = bytearray(file.read_bytes())
    content[4096 * 3 : 4096 * 30] = b"\xa5" * (4096 * 27)
    file.write_bytes(content)

    with pytest.raises((BackupDamaged, NotABackup)):
        restore(file, place)
    assert not place.exists()


def test_what_is_no_backup_is_told(tmp_path: Path) -> None:
    place = tmp_path / "to" / "interlock.db"
    for name, content in (("none", None), ("text", b"hello" * 99), ("empty", b"")):
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(NotABackup):
            restore(file, place)
    assert not place.exists()


def test_a_backup_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    where, file = tmp_path / "from" / "interlock.db", tmp_path / "b.interlock"
    taken(where, file)
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("INSERT INTO migrations VALUES (99, 'n', 'h', 1)")

    with pytest.raises(SchemaTooNew):
        restore(file, tmp_path / "to" / "interlock.db")


def test_a_backup_is_never_written_over_a_file(tmp_path: Path) -> None:
    where, file = tmp_path / "from" / "interlock.db", tmp_path / "b.interlock"
    taken(where, file)
    before = file.read_bytes()

    with pytest.raises(BackupExists):
        upkeep.back_up(settings_of(where, tmp_path), file, silent)
    assert file.read_bytes() == before


def test_a_backup_of_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotADatabase):
        upkeep.back_up(Settings(tmp_path), tmp_path / "b.interlock", silent)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_any_more_is_moved_aside_by_force(tmp_path: Path) -> None:
    where, file = tmp_path / "from" / "interlock.db", tmp_path / "b.interlock"
    taken(where, file)
    place = tmp_path / "to" / "interlock.db"
    place.parent.mkdir()
    place.write_bytes(b"not a database any more " * 500)

    done = restore(file, place, is_forced=True)

    assert Path(done.kept).read_bytes().startswith(b"not a database")
    with closing(opened(place)) as connection:
        assert digests(connection)["units"] == done.manifest.tables["units"]


def test_a_checkpoint_that_is_old_or_of_before_a_restore_is_warned_of(tmp_path: Path) -> None:
    minute, day = 60_000, 24 * 60 * 60_000
    found = Settings(data=tmp_path)
    file = tmp_path / "c.jsonl"
    told = {"file": str(file), "checkpoint": 3, "at": day, "units": 1, "incarnation": "a"}
    assert upkeep.warnings(found, "a", day) == ()
    file.touch()
    (tmp_path / "last_checkpoint.json").write_text(json.dumps(told), encoding="utf-8")

    assert upkeep.warnings(found, "a", 2 * day) == ()
    assert "is old: 24 hours" in upkeep.warnings(found, "a", 2 * day + minute)[0]
    assert "is of a, before a restore" in upkeep.warnings(found, "b", 2 * day)[0]
    often = replace(found, checkpoint_file=str(file), checkpoint_minutes=60)
    assert upkeep.warnings(often, "a", day + 120 * minute) == ()
    assert len(upkeep.warnings(often, "a", day + 121 * minute)) == 1


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_it_is_told_how_a_database_stands(
    request: pytest.FixtureRequest, tmp_path: Path, dialect: str
) -> None:
    file = tmp_path / "b.interlock"
    with placed(request, dialect, tmp_path) as where, empty(request, dialect, tmp_path) as place:
        taken(where, file)
        found = settings_of(where, tmp_path)
        told = upkeep.status(found)
        assert (told.dialect, told.pending, told.leases) == (dialect, (), 1)
        assert (told.counts["units"], told.counts["parts"], told.restored_at) == (2, 4, 0)
        assert told.bytes > 0
        assert "b.interlock" in cast("str", upkeep.last_kept(found)["backup"])
        restore(file, place)
        again = upkeep.status(settings_of(place, tmp_path))
        assert (again.counts, again.leases) == (told.counts, 0)
        assert again.taken_at <= again.restored_at
