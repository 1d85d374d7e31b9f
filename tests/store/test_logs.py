"""Logs as both databases keep them: numbered within their unit, once each, the oldest go first."""

from interlock.store.logs import Line, LogRow, WhichLines
from tests.stage import AWAY, HOME, Stage, staged

FIRST = (Line(1, "out", "one"), Line(2, "err", "two"))


@staged
async def test_lines_are_numbered_within_their_unit_and_found_by_part_and_member(
    stage: Stage,
) -> None:
    logs = stage.engine.store.logs
    plan, other = await stage.plan(2), await stage.plan(1)

    assert await logs.append(HOME, plan, 1, "ann", FIRST, 99) == 2
    assert await logs.append(HOME, plan, 2, "ben", (Line(3, "note", "three"),), 99) == 3
    assert await logs.append(HOME, other, 1, "ann", FIRST[:1], 99) == 1

    rows = await logs.read(HOME, plan, WhichLines(), 9)
    assert rows[1] == LogRow(2, 1, "ann", 2, "err", "two")
    assert [row.number for row in rows] == [1, 2, 3]
    assert [row.number for row in await logs.read(HOME, plan, WhichLines(after=1), 1)] == [2]
    assert [row.number for row in await logs.read(HOME, plan, WhichLines(part=2), 9)] == [3]
    assert [row.number for row in await logs.read(HOME, plan, WhichLines(member="ann"), 9)] == [
        1,
        2,
    ]
    assert await logs.read(AWAY, plan, WhichLines(), 9) == ()


@staged
async def test_lines_that_come_a_second_time_are_kept_once(stage: Stage) -> None:
    logs = stage.engine.store.logs
    plan = await stage.plan(2)
    await logs.append(HOME, plan, 1, "ann", FIRST, 99)
    await logs.append(HOME, plan, 2, "ben", FIRST, 99)

    assert await logs.append(HOME, plan, 1, "ann", FIRST, 99) == 2
    assert len(await logs.read(HOME, plan, WhichLines(), 9)) == 4
    # Only as a whole, and only where nothing came after them.
    assert await logs.append(HOME, plan, 1, "ann", (FIRST[1], FIRST[0]), 99) == 6
    assert await logs.append(HOME, plan, 1, "ann", FIRST, 99) == 8
    assert await logs.append(HOME, plan, 1, "ann", (*FIRST, *FIRST, *FIRST), 99) == 14


@staged
async def test_of_a_unit_only_the_last_lines_stay(stage: Stage) -> None:
    logs = stage.engine.store.logs
    plan, other = await stage.plan(2), await stage.plan(1)
    await logs.append(HOME, other, 1, "", FIRST, 3)
    for number in range(5):
        await logs.append(HOME, plan, 1, "", (Line(number, "out", str(number)),), 3)

    assert [row.text for row in await logs.read(HOME, plan, WhichLines(), 9)] == ["2", "3", "4"]
    assert len(await logs.read(HOME, other, WhichLines(), 9)) == 2
