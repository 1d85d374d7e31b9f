"""An artifact is kept under its name and version, told in the audit, and changes no status."""

from pathlib import Path
from typing import cast

import pytest

from interlock.service.engine import Engine, Limits, Principal
from interlock.service.errors import InvalidInput, NotFound, RequestIdReused, TooLarge
from interlock.service.keep import NAME_MAX, Content, keep
from interlock.service.verify import verify
from interlock.store.script import Key
from tests.service.desk import AWAY, HOME, ME, Desk, at_desk


def test_what_is_kept_can_be_read_and_is_told(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan(())
        before = await desk.standing(unit)
        for about in (unit, f"{unit}.1", unit):
            await keep(desk.engine, ME, Content(about, "notes", b"x", "text/plain"))
        rows = await desk.store.artifacts(HOME, unit)
        told = [body["kept"] for body in await desk.audit(unit, 2)]

        assert [(row.part, row.name, row.version, row.author) for row in rows] == [
            (0, "notes", 1, "ada"),
            (0, "notes", 2, "ada"),
            (1, "notes", 1, "ada"),
        ]
        assert await desk.store.content(HOME, rows[0].digest) == b"x"
        assert [cast("list[dict[str, str]]", one)[0]["part"] for one in told] == [
            unit, f"{unit}.1", unit,
        ]  # fmt: skip
        assert await desk.standing(unit) == before
        assert (await verify(desk.engine, HOME)).findings == []

    at_desk(tmp_path, story)


def test_the_same_request_keeps_it_once(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[bool, bool, int]:
        unit = await desk.plan(())
        kept, key = Content(unit, "notes", b"x"), Key(ME.id, "r1", "asked")
        first = await keep(desk.engine, ME, kept, key)
        again = await keep(desk.engine, ME, kept, key)
        with pytest.raises(RequestIdReused):
            await keep(desk.engine, ME, kept, key._replace(asked="another thing"))
        rows = await desk.store.artifacts(HOME, unit)
        return first.text == again.text, again.is_replay, len(rows)

    assert at_desk(tmp_path, story) == (True, True, 1)


def test_what_is_too_large_or_badly_named_is_refused(tmp_path: Path) -> None:
    async def story(desk: Desk) -> object:
        unit = await desk.plan(())
        small = Engine(desk.store, desk.clock, desk.engine.flows, Limits(artifact_bytes_max=3))
        await keep(small, ME, Content(unit, "fits", b"123"))
        with pytest.raises(TooLarge, match="4 bytes"):
            await keep(small, ME, Content(unit, "notes", b"1234"))
        for name in ("", "x" * (NAME_MAX + 1)):
            with pytest.raises(InvalidInput):
                await keep(small, ME, Content(unit, name, b"x"))
        return [row.name for row in await desk.store.artifacts(HOME, unit)]

    assert at_desk(tmp_path, story) == ["fits"]


@pytest.mark.parametrize("about", ["{}.9", "plan-0", "nothing-1", "{}.x"])
def test_what_is_not_there_keeps_nothing(tmp_path: Path, about: str) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan(())
        with pytest.raises(NotFound):
            await keep(desk.engine, ME, Content(about.format(unit), "notes", b"x"))

    at_desk(tmp_path, story)


def test_a_foreign_unit_keeps_nothing(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan(())
        with pytest.raises(NotFound):
            await keep(desk.engine, Principal(AWAY, "agent", "eve"), Content(unit, "notes", b"x"))

    at_desk(tmp_path, story)
