"""Heads are told of every unit, of deleted ones too, page by page, in both databases."""

from interlock.store.heads import HeadRow
from tests.stage import AWAY, EVE, HOME, Stage, staged


@staged
async def test_every_unit_has_its_head_in_the_order_of_ids(stage: Stage) -> None:
    units = sorted([await stage.plan(1) for _ in range(3)])
    await stage.plan(1, EVE)

    heads = [*await stage.engine.store.heads(HOME, "", 2)]
    heads += await stage.engine.store.heads(HOME, heads[-1].unit, 2)

    rows = [(await stage.whole(unit)).row for unit in units]
    assert heads == [HeadRow(row.id, row.version, row.head) for row in rows]
    assert len(await stage.engine.store.heads(AWAY, "", 9)) == 1
    assert await stage.engine.store.heads("nobody", "", 9) == ()


@staged
async def test_a_unit_that_was_deleted_has_one_too(stage: Stage) -> None:
    unit = await stage.plan(1)
    await stage.sql(f"UPDATE units SET deleted_at = 1 WHERE id = '{unit}'")  # noqa: S608 (ours)

    assert [row.unit for row in await stage.engine.store.heads(HOME, "", 9)] == [unit]


@staged
async def test_a_database_that_was_never_restored_tells_of_none(stage: Stage) -> None:
    assert await stage.engine.store.restores() == ()
