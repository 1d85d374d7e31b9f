"""Of a unit of an erased tenant all hashes must be there, and nothing of what they covered."""

from pathlib import Path

import pytest

from interlock.service.verify import Finding, verify
from tests.service.desk import HOME, Desk, at_desk
from tests.service.test_verify import LAST, at_review, tamper, verdict_of

EMPTIED = ("UPDATE tenants SET closed_at = 1", "UPDATE audit SET body = ''")

# What is left of an erased unit is not as erasing leaves it: what was done, and what is found.
LEFT_OVER = {
    "nothing": ((), []),
    "an entry says something": (
        ("UPDATE audit SET body = '[]' WHERE sequence = 2",),
        [(2, "an entry of an erased tenant still says something", "", "")],
    ),
    "an entry is gone": (
        ("DELETE FROM audit WHERE sequence = 3",), [(3, "an entry is missing", "3", "4")],
    ),
    "the last one is gone": (
        ("DELETE FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)",),
        [(LAST - 1, "the log does not end with the unit", "", "")],
    ),
    "all are gone": (
        ("DELETE FROM audit",), [(0, "the log does not end with the unit", "", "")],
    ),
    "another hash": (
        ("UPDATE audit SET hash = 'x' WHERE sequence = (SELECT max(sequence) FROM audit)",),
        [(LAST, "the log does not end with the unit", "", "")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", LEFT_OVER)
def test_of_an_erased_unit_all_hashes_must_be_there(tmp_path: Path, how: str) -> None:
    statements, expected = LEFT_OVER[how]
    unit = at_desk(tmp_path, at_review)
    tamper(tmp_path, *EMPTIED, *statements)

    verdict = at_desk(tmp_path, verdict_of)

    assert (verdict.erased, verdict.units) == (1, 0)
    assert verdict.entries == {
        "an entry is gone": 10,
        "the last one is gone": 10,
        "all are gone": 0,
    }.get(how, LAST)
    assert verdict.findings == [Finding(unit, *told) for told in expected]


def test_one_erased_unit_can_be_verified_alone(tmp_path: Path) -> None:
    async def two(desk: Desk) -> str:
        first, _ = await desk.plan(()), await desk.plan(())
        return first

    unit = at_desk(tmp_path, two)
    tamper(tmp_path, *EMPTIED)

    async def story(desk: Desk) -> list[tuple[int, int]]:
        alone, both = await verify(desk.engine, HOME, unit), await verdict_of(desk)
        return [(one.erased, one.entries) for one in (alone, both)]

    assert at_desk(tmp_path, story) == [(1, 2), (2, 4)]
