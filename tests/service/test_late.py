"""A result that came too late is refused and kept, marked late, once."""

from pathlib import Path

import pytest

from interlock.kernel.refusal import Refusal
from interlock.service.engine import clockwork
from interlock.service.errors import NotFound
from interlock.service.order import Asked, Kept
from tests.service.desk import HOME, Desk, at_desk, submitted


def test_a_late_result_is_kept_beside_the_unit_and_changes_nothing(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[list[tuple[object, ...]], int]:
        unit = await desk.plan((), ())
        part, lease = await desk.claim(unit)
        await desk.send(unit, Asked("release", part, lease=lease))
        before = (await desk.whole(unit)).row.version
        for _ in range(2):
            with pytest.raises(Refusal, match="STALE_LEASE"):
                await desk.send(unit, submitted(part, lease))
        rows = await desk.store.artifacts(HOME, unit)
        told: list[tuple[object, ...]] = [
            (r.part, r.name, r.version, r.mark, r.author) for r in rows
        ]
        return told, (await desk.whole(unit)).row.version - before

    assert at_desk(tmp_path, story) == ([(1, "result", 1, "late", "ada")], 0)


def test_another_late_result_is_another_version(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[tuple[int, bytes | None]]:
        unit = await desk.plan((), ())
        part, lease = await desk.claim(unit)
        await desk.send(unit, Asked("release", part, lease=lease))
        for content in (b"1", b"2", b"1"):
            sent = Asked("submit", part, lease=lease, kept=(Kept("result", content),))
            with pytest.raises(Refusal):
                await desk.send(unit, sent)
        rows = await desk.store.artifacts(HOME, unit)
        return [(row.version, await desk.store.content(HOME, row.digest)) for row in rows]

    assert at_desk(tmp_path, story) == [(1, b"1"), (2, b"2")]


def test_what_came_for_no_part_or_for_one_that_is_not_there_is_not_kept(tmp_path: Path) -> None:
    async def story(desk: Desk) -> object:
        unit = await desk.plan(())
        kept = (Kept("reason", b"x"),)
        with pytest.raises(Refusal):
            await desk.send(unit, Asked("fail_plan", args={"reason": "no"}, kept=kept))
        with pytest.raises(NotFound):
            await desk.send(unit, Asked("submit", f"{unit}.9", kept=kept))
        return await desk.store.artifacts(HOME, unit)

    assert at_desk(tmp_path, story) == ()


def test_what_comes_from_somebody_who_may_never_send_it_is_not_kept(tmp_path: Path) -> None:
    async def story(desk: Desk) -> object:
        unit = await desk.plan((), ())
        part, lease = await desk.claim(unit)
        with pytest.raises(Refusal, match="NOT_ALLOWED"):
            await desk.send(unit, submitted(part, lease), by=clockwork(HOME))
        return await desk.store.artifacts(HOME, unit)

    assert at_desk(tmp_path, story) == ()


def test_all_that_came_late_is_kept_as_what_it_was(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[tuple[str, str]]:
        unit = await desk.plan((), ())
        part, lease = await desk.claim(unit)
        await desk.send(unit, Asked("release", part, lease=lease))
        kept = (Kept("result", b"x", "text/plain"), Kept("log", b"y"))
        sent = (Asked("visit"), Asked("submit", part, lease=lease, kept=kept))
        with pytest.raises(Refusal, match="STALE_LEASE"):
            await desk.send(unit, *sent)
        rows = await desk.store.artifacts(HOME, unit)
        return sorted((row.name, row.media_type) for row in rows)

    assert at_desk(tmp_path, story) == [("log", "application/json"), ("result", "text/plain")]
