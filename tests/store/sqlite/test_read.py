"""Reads: lists in their order and page by page, the feed, offers by what is wanted, leases due."""

import asyncio
from pathlib import Path

import pytest

from interlock.service.create import NewPart, NewUnit
from interlock.service.engine import Principal
from interlock.service.order import Asked
from interlock.store.port import AuditRow, Filter, Offer
from interlock.store.rows import dump
from tests.service.desk import AWAY, HOME, ME, PERSON, Desk, at_desk

ABROAD = Principal(AWAY, "agent", "eve")


def test_units_are_listed_the_last_changed_first_page_by_page(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[list[str], list[str]]:
        made = []
        for _ in range(5):
            made.append(await desk.plan(()))
            desk.clock.pass_ms(1)
        await desk.claim(made[0])
        found: list[str] = []
        place = None
        while page := await desk.store.units(HOME, "", place, 2):
            found += [listed.row.id for listed in page]
            place = (page[-1].row.changed_at, page[-1].row.id)
        return [made[0], *reversed(made[1:])], found

    expected, found = at_desk(tmp_path, story)

    assert found == expected


def test_units_changed_at_the_same_moment_are_each_listed_once(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[list[str], list[str]]:
        made = await asyncio.gather(*(desk.plan(()) for _ in range(7)))
        found: list[str] = []
        place = None
        while page := await desk.store.units(HOME, "plan", place, 3):
            found += [listed.row.id for listed in page]
            place = (page[-1].row.changed_at, page[-1].row.id)
        return sorted(made), sorted(found)

    made, found = at_desk(tmp_path, story)

    assert found == made


def test_a_list_can_be_of_one_workflow_and_is_of_one_tenant(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[int]:
        await desk.plan(())
        await desk.plan((), by=ABROAD)
        await desk.make(NewUnit("ticket"))
        asked = [(HOME, ""), (HOME, "plan"), (HOME, "mission"), (AWAY, ""), ("nobody", "")]
        return [len(await desk.store.units(tenant, flow, None, 9)) for tenant, flow in asked]

    assert at_desk(tmp_path, story) == [2, 1, 0, 1, 0]


def test_the_audit_of_a_unit_is_read_from_any_entry_on(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[list[int], list[int]]:
        unit = await desk.plan((), ())
        await desk.claim(unit)
        rows = await desk.store.audit(HOME, unit, 1, 2)
        foreign = await desk.store.audit(AWAY, unit, 0, 9)
        return [row.link.sequence for row in rows], [row.link.sequence for row in foreign]

    assert at_desk(tmp_path, story) == ([2, 3], [])


def test_the_feed_goes_on_where_it_was_left_and_misses_nothing(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        one, _, two = await desk.plan(()), await desk.plan((), by=ABROAD), await desk.plan(())
        await desk.claim(one)
        whole = await desk.store.feed(HOME, "", 99)
        paged: list[AuditRow] = []
        after = "not a position"
        while page := await desk.store.feed(HOME, after, 2):
            paged += page
            after = page[-1].position
        assert {row.unit for row in whole} == {one, two}
        return [(r.unit, r.link.sequence) for r in whole], [
            (r.unit, r.link.sequence) for r in paged
        ]

    whole, paged = at_desk(tmp_path, story)

    assert paged == whole
    assert len(whole) == 2 + 2 + 2


TICKET = NewUnit("ticket", {}, tags=("red", "big"))


@pytest.mark.parametrize(
    ("wanted", "kinds"),
    [
        (Filter(), ["step", "assignment"]),
        (Filter(workflow="plan"), ["step"]),
        (Filter(kind="assignment"), ["assignment"]),
        (Filter(kind="hop"), []),
        (Filter(tags=("red",)), ["assignment"]),
        (Filter(tags=("red", "big")), ["assignment"]),
        (Filter(tags=("red", "small")), []),
        (Filter(role="workspace"), ["assignment"]),
        (Filter(member="ann"), []),
        (Filter(role="nobody"), []),
    ],
)
def test_offers_are_those_that_are_wanted(tmp_path: Path, wanted: Filter, kinds: list[str]) -> None:
    async def story(desk: Desk) -> tuple[Offer, ...]:
        await desk.plan((), ())
        desk.clock.pass_ms(1)
        ticket = await desk.make(TICKET)
        await desk.send(ticket, Asked("start"), by=PERSON)
        return await desk.store.offers(HOME, wanted, 9)

    assert [offer.kind for offer in at_desk(tmp_path, story)] == kinds


def test_what_nobody_can_take_is_not_offered(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[int]:
        unit = await desk.plan(())
        told = [len(await desk.store.offers(HOME, Filter(), 9))]
        part, lease = await desk.claim(unit)
        told.append(len(await desk.store.offers(HOME, Filter(), 9)))
        await desk.submit(part, lease)
        told.append(len(await desk.store.offers(HOME, Filter(), 9)))
        return [*told, len(await desk.store.offers(AWAY, Filter(), 9))]

    assert at_desk(tmp_path, story) == [1, 0, 0, 0]


def test_leases_that_have_run_out_are_found_in_every_tenant_the_longest_overdue_first(
    tmp_path: Path,
) -> None:
    async def story(desk: Desk) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        there = await desk.plan((), by=ABROAD)
        await desk.claim(there, by=ABROAD)
        desk.clock.pass_ms(10)
        here = await desk.make(NewUnit("plan", {}, (NewPart("step"), NewPart("step"))))
        await desk.claim(here)
        desk.clock.pass_ms(30 * 60 * 1000)
        early = [(due.tenant, due.number) for due in await desk.store.due(9)]
        desk.clock.pass_ms(1)
        return early, [(due.tenant, due.number) for due in await desk.store.due(9)]

    assert at_desk(tmp_path, story) == ([(AWAY, 1)], [(AWAY, 1), (HOME, 1)])


def test_a_whole_unit_is_read_with_its_needs_in_the_order_they_came(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[tuple[object, ...], object, object]:
        unit = await desk.plan((), (), (1, 0))
        whole = await desk.whole(unit)
        return whole.parts[2].part.needs, await desk.store.whole(AWAY, unit), dump(whole.due)

    needs, foreign, due = at_desk(tmp_path, story)

    assert [str(need).rpartition(".")[2] for need in needs] == ["2", "1"]
    assert (foreign, due) == (None, "{}")
    assert ME.tenant == HOME
