"""The feed: what happened to all units of a tenant, in order, resumable from any position."""

import asyncio

import pytest

from interlock.store.port import AuditRow
from tests.stage import AWAY, EVE, HOME, Stage, staged

WRONG = ("x", "-1", "9" * 30, "9" * 5_000, "a:b:c:d", "::::", "\u0661", f"i:{'9' * 5_000}:u:1")


async def _read(stage: Stage, after: str = "", page: int = 3, tenant: str = HOME) -> list[AuditRow]:
    found: list[AuditRow] = []
    while True:
        rows = await stage.engine.store.feed(tenant, after, page)
        found += rows
        if len(rows) < page:
            return found
        after = rows[-1].position


def _names(rows: list[AuditRow]) -> list[tuple[str, int]]:
    return [(row.unit, row.link.sequence) for row in rows]


@staged
async def test_it_has_every_entry_once_and_each_unit_s_in_order(stage: Stage) -> None:
    units = [await stage.plan(2) for _ in range(3)]
    for unit in units:
        await stage.claim(unit)
    names = _names(await _read(stage))

    assert len(names) == len(set(names)) == 15
    for unit in units:
        assert [sequence for name, sequence in names if name == unit] == [1, 2, 3, 4, 5]


@staged
async def test_it_can_be_resumed_from_every_position(stage: Stage) -> None:
    for _ in range(2):
        await stage.claim(await stage.plan(2))
    rows = await _read(stage)

    for place, row in enumerate(rows, 1):
        assert _names(await _read(stage, row.position)) == _names(rows[place:])


@staged
async def test_nothing_is_missed_by_a_reader_that_follows_while_others_write(stage: Stage) -> None:
    units = [await stage.plan(4) for _ in range(4)]
    followed: list[AuditRow] = []

    async def follow() -> None:
        while len(followed) < 4 * (5 + 5):
            after = followed[-1].position if followed else ""
            followed.extend(await stage.engine.store.feed(HOME, after, 7))

    async def work(unit: str) -> None:
        for _ in range(4):
            await stage.claim(unit)

    async with asyncio.timeout(30):
        await asyncio.gather(follow(), *(work(unit) for unit in units))

    assert sorted(_names(followed)) == sorted(_names(await _read(stage)))
    assert len(set(_names(followed))) == len(followed)


@staged
async def test_it_tells_nobody_of_another_tenant(stage: Stage) -> None:
    mine, theirs = await stage.plan(1), await stage.plan(1, EVE)

    assert {row.unit for row in await _read(stage)} == {mine}
    assert {row.unit for row in await _read(stage, tenant=AWAY)} == {theirs}


@staged
async def test_from_its_end_on_only_what_is_new_is_read(stage: Stage) -> None:
    assert await _read(stage, await stage.engine.store.feed_end(HOME)) == []
    plan = await stage.plan(2)
    end = await stage.engine.store.feed_end(HOME)
    await stage.plan(1, EVE)
    await stage.claim(plan)

    assert _names(await _read(stage, end)) == [(plan, 4), (plan, 5)]


@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))
@staged
async def test_what_is_no_position_does_no_harm(stage: Stage, wrong: str) -> None:
    await stage.plan(1)

    assert len(await _read(stage, wrong)) in (0, 2)
