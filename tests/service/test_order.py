"""What an order is about, how long its leases are good, and which leases are ours."""

from dataclasses import replace
from pathlib import Path

import pytest

from interlock.kernel.seen import Actor, Unit
from interlock.kernel.workflow import LEASE_MS
from interlock.service.create import NewPart, NewUnit
from interlock.service.errors import StaleVersion
from interlock.service.order import (
    Asked,
    Emptied,
    Order,
    Reply,
    Result,
    fence_of,
    lease_ms,
    require_version,
)
from interlock.store.rows import PartRow, UnitRow
from tests.service.desk import Desk, at_desk

HALF_AN_HOUR = 30 * 60 * 1000


@pytest.mark.parametrize(
    ("lease", "fence"),
    [("inc.3", 3), ("inc.0", 0), ("old.3", -1), ("3", -1), ("inc.-3", -1), ("inc.x", -1),
     ("inc.", -1), ("", -1), ("inc.٣", -1), ("a.inc.3", -1), ("inc." + "9" * 20, 10**18 - 1)],
)  # fmt: skip
def test_a_lease_of_another_incarnation_or_none_at_all_never_fits(lease: str, fence: int) -> None:
    assert fence_of(lease, "inc") == fence


def test_the_number_of_a_lease_stands_behind_its_last_dot() -> None:
    assert fence_of("a.b.3", "a.b") == 3


def test_a_holder_is_told_its_lease_and_nobody_is_told_one_that_is_over(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[Reply | None]:
        unit = await desk.plan(())
        await desk.claim(unit)
        whole = await desk.whole(unit)
        (held,) = whole.parts
        result = Result(desk.engine.running(unit), whole.row, (), 1_000, "inc", "agent")

        def told(**fields: object) -> Reply | None:
            part = replace(held.part, fields={**held.part.fields, **fields})
            return result.lease(replace(held, part=part))

        return [told(), told(holder=None), told(lapsed=True)]

    lease = {
        "token": "inc.1", "holder": "s1", "expires_at": 1_000 + HALF_AN_HOUR,
        "lasts_ms": HALF_AN_HOUR,
    }  # fmt: skip
    assert at_desk(tmp_path, story) == [lease, None, None]


def test_a_part_says_first_how_long_a_lease_is_good_then_its_unit_then_its_kind(
    tmp_path: Path,
) -> None:
    async def story(desk: Desk) -> list[int]:
        parts = (NewPart("step", {"lease_ms": 10_000}), NewPart("step"))
        unit = await desk.make(NewUnit("plan", {"lease_ms": 60_000}, parts))
        whole, running = await desk.whole(unit), desk.engine.running(unit)
        bare = replace(whole.row, unit=Unit("planning", {"lease_ms": 0}))
        first, second = whole.parts

        def ms(row: UnitRow, part: PartRow) -> int:
            return lease_ms(running, row, part)

        return [ms(whole.row, first), ms(whole.row, second), ms(bare, second)]

    assert at_desk(tmp_path, story) == [10_000, 60_000, HALF_AN_HOUR]


def test_a_kind_may_have_a_shorter_lease_than_the_settings_never_a_longer_one(
    tmp_path: Path,
) -> None:
    async def story(desk: Desk) -> list[int]:
        unit = await desk.plan(())
        whole, running = await desk.whole(unit), desk.engine.running(unit)
        (part,) = whole.parts
        kind = running.flow.kind("step")

        def ms(of_kind: int, of_settings: int) -> int:
            flow = replace(running.flow, parts=(replace(kind, lease_ms=of_kind),))
            return lease_ms(replace(running, flow=flow, lease_ms=of_settings), whole.row, part)

        fields = {**part.part.fields, "lease_ms": 1}
        shortest = replace(part, part=replace(part.part, fields=fields))
        return [
            ms(LEASE_MS, 2 * LEASE_MS), ms(5_000, 60_000), ms(60_000, 5_000),
            lease_ms(running, whole.row, shortest),
        ]  # fmt: skip

    assert at_desk(tmp_path, story) == [2 * LEASE_MS, 5_000, 5_000, 1]


def test_a_caller_who_says_a_version_is_told_when_it_is_another_one(tmp_path: Path) -> None:
    async def story(desk: Desk) -> UnitRow:
        return (await desk.whole(await desk.plan(()))).row

    row = replace(at_desk(tmp_path, story), version=7)
    require_version(row, None)
    require_version(row, 7)
    with pytest.raises(StaleVersion) as no:
        require_version(row, 6)

    assert no.value.message == "The unit is at version 7, not at 6."
    assert no.value.fix == "Read it again, then decide on what it says now."
    assert (Emptied(row).unit, Emptied(row).args) == (row, (row.id,))


def test_an_order_is_about_the_part_it_names_else_the_unit() -> None:
    def about(*asked: Asked) -> str:
        return Order("t", Actor("agent"), "u-1", asked, lambda _: {}).about

    assert about(Asked("claim", kind="step")) == "u-1"
    assert about(Asked("submit", "u-1.2"), Asked("claim", kind="step")) == "u-1.2"
