"""A decision becomes rows: bulk moves, new parts in their order, links, open needs, queues."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.rules import Do, Fire, Rule
from interlock.kernel.seen import Part, Unit
from interlock.kernel.workflow import Workflow
from interlock.service.create import NewBranch, NewPart, NewUnit
from interlock.service.order import Asked
from interlock.service.sheet import Sheet
from interlock.service.verify import verify
from interlock.store.rows import ORD_GAP, PartRow, UnitRow
from interlock.store.script import Loaded
from tests.kernel.boxes import ANYONE, FUNCTIONS, SHELVES
from tests.service.desk import HOME, ME, PERSON, Desk, at_desk


async def _is_sound(desk: Desk) -> bool:
    return not (await verify(desk.engine, HOME)).findings


def test_a_bulk_move_moves_every_part_that_stands_there_and_is_one_entry(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, list[object], bool]:
        unit = await desk.plan((), (), ())
        part, lease = await desk.claim(unit)
        await desk.submit(part, lease)
        await desk.claim(unit)
        before = (await desk.whole(unit)).row.version
        await desk.send(unit, Asked("fail_plan", args={"reason": "enough"}), by=PERSON)
        moved = [body["ids"] for body in await desk.audit(unit, before) if "ids" in body]
        return await desk.standing(unit), moved, await _is_sound(desk)

    stands, moved, is_sound = at_desk(tmp_path, story)

    assert stands == "failed: completed failed skipped"
    assert len(moved) == 2
    assert is_sound


def test_what_a_part_waits_for_is_counted_down_as_its_needs_close(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[list[int]]:
        unit = await desk.plan((), (), (0, 1))
        told = []
        for _ in range(2):
            part, lease = await desk.claim(unit)
            told.append([row.waits for row in (await desk.whole(unit)).parts])
            await desk.submit(part, lease)
        told.append([row.waits for row in (await desk.whole(unit)).parts])
        return told

    assert at_desk(tmp_path, story) == [[0, 0, 2], [0, 0, 1], [0, 0, 0]]


def test_a_part_that_opens_again_holds_back_who_needs_it(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[list[int], list[int | None]]:
        unit = await desk.plan((), (0,), ())
        await desk.send(unit, Asked("fail_step", f"{unit}.1", args={"reason": "no source"}))
        assert [row.waits for row in (await desk.whole(unit)).parts] == [0, 0, 0]
        await desk.send(unit, Asked("retry_step", f"{unit}.1"))
        whole = await desk.whole(unit)
        return [row.waits for row in whole.parts], [row.offer for row in whole.parts]

    waits, offers = at_desk(tmp_path, story)

    assert waits == [0, 1, 0]
    assert offers == [1, None, 1]


def test_a_part_that_is_dropped_holds_nobody_back(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, list[int], tuple[object, ...], bool]:
        unit = await desk.plan((), (0,))
        await desk.send(unit, Asked("remove_step", f"{unit}.1"))
        whole = await desk.whole(unit)
        waits = [row.waits for row in whole.parts]
        return await desk.standing(unit), waits, whole.parts[0].part.needs, await _is_sound(desk)

    assert at_desk(tmp_path, story) == ("planning: pending", [0], (), True)


BETWEEN: Final = NewBranch(
    0, "go === true", "add_steps", {"steps": [{"title": "x"}, {"title": "y"}]}
)


def test_parts_made_after_another_one_stand_behind_it_in_the_order_they_were_made(
    tmp_path: Path,
) -> None:
    async def story(desk: Desk) -> list[str]:
        unit = await desk.branching(2, BETWEEN)
        part, lease = await desk.claim(unit)
        await desk.submit(part, lease)
        return [row.id.rpartition(".")[2] for row in (await desk.whole(unit)).parts]

    assert at_desk(tmp_path, story) == ["1", "3", "4", "2"]


def test_there_is_always_room_for_one_more_part_between_two(tmp_path: Path) -> None:
    """Each insertion halves what is left between two orders, so soon they must be spread."""
    many = ORD_GAP.bit_length() * 2 + 3
    rows = [{"title": f"{place}"} for place in range(many)]

    async def story(desk: Desk) -> tuple[list[str], int, bool]:
        unit = await desk.branching(2, NewBranch(0, "go === true", "add_steps", {"steps": rows}))
        part, lease = await desk.claim(unit)
        await desk.submit(part, lease)
        parts = (await desk.whole(unit)).parts
        orders = {row.ord for row in parts}
        return [str(r.part.fields["title"]) for r in parts], len(orders), await _is_sound(desk)

    titles, orders, is_sound = at_desk(tmp_path, story)

    assert titles == ["", *(f"{place}" for place in range(many)), ""]
    assert orders == many + 2
    assert is_sound


def test_an_order_that_was_spread_is_found_spread_by_the_next_command(tmp_path: Path) -> None:
    many = ORD_GAP.bit_length() + 2
    rows = [{"title": f"{place}"} for place in range(many)]
    first = NewBranch(0, "go === true", "add_steps", {"steps": rows})
    second = NewBranch(1, "go === true", "skip_to", {}, 2)

    async def story(desk: Desk) -> tuple[list[str], bool]:
        unit = await desk.branching(3, first, second)
        claims = [await desk.claim(unit) for _ in range(2)]
        for part, lease in claims:
            await desk.submit(part, lease)
        parts = (await desk.whole(unit)).parts
        return [row.part.status for row in parts], await _is_sound(desk)

    statuses, is_sound = at_desk(tmp_path, story)

    assert statuses == ["completed", *["pending"] * many, "completed", "pending"]
    assert is_sound


# -- what no built-in workflow does ------------------------------------------------------------


def _replace(draft: Draft) -> None:
    """Pack the item, and make one in its place that needs it, and one that needs that one."""
    fields = draft.flow.kind("item").defaults()
    draft.create(New("item", "loose", fields, "part", "parent", uses=(str(draft.event.part),)))
    draft.create(New("item", "loose", fields, "part", "parent", needs=(0,)))


def _make_and_lose(draft: Draft) -> None:
    fields = draft.flow.kind("item").defaults()
    draft.create(New("item", "loose", fields, parent="part"))
    draft.create(New("item", "loose", fields, parent="part", needs=(0,)))
    draft.drop_all("item", children=True, reason="a change of mind")


def _shelves() -> Mapping[str, Workflow]:
    box, item = SHELVES.parts
    sees = ("part", "parent", "current", "children")
    rules = (
        Rule("replace", "item", ANYONE, (), (Fire("part", "pack"), Do("replace")), sees),
        Rule("waver", "box", ANYONE, (), (Do("make_and_lose"),), ("part", "current", "children")),
    )
    flow = replace(
        SHELVES,
        parts=(box, replace(item, closed=frozenset({"packed", "lost"}))),
        rules=(*SHELVES.rules, *rules),
        functions={**FUNCTIONS, "replace": _replace, "make_and_lose": _make_and_lose},
    )
    return {"shelves": flow}


def test_a_need_that_has_just_closed_is_not_waited_for(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[list[int], bool]:
        inside = (NewPart("item", parent=0), NewPart("item", parent=0, needs=(1,)))
        unit = await desk.make(NewUnit("shelves", {}, (NewPart("box"), *inside)))
        await desk.send(unit, Asked("replace", f"{unit}.2"))
        waits = [row.waits for row in (await desk.whole(unit)).parts]
        return waits, await _is_sound(desk)

    waits, is_sound = at_desk(tmp_path, story, _shelves())

    assert waits == [0, 0, 0, 1, 0]
    assert is_sound


def test_a_part_that_is_made_and_dropped_in_one_decision_leaves_nothing_behind(
    tmp_path: Path,
) -> None:
    async def story(desk: Desk) -> tuple[str, int, bool]:
        box = (NewPart("box"), NewPart("item", parent=0))
        unit = await desk.make(NewUnit("shelves", {}, box))
        await desk.send(unit, Asked("waver", f"{unit}.1"))
        made = (await desk.whole(unit)).row.made
        return await desk.standing(unit), made, await _is_sound(desk)

    assert at_desk(tmp_path, story, _shelves()) == ("made: shut", 4, True)


def test_the_parts_of_another_parent_stay_where_they_are(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, bool]:
        two = (NewPart("box"), NewPart("box"))
        inside = (NewPart("item", parent=0), NewPart("item", parent=1))
        unit = await desk.make(NewUnit("shelves", {}, (*two, *inside)))
        await desk.send(unit, Asked("lose", f"{unit}.1"))
        return await desk.standing(unit), await _is_sound(desk)

    assert at_desk(tmp_path, story, _shelves()) == ("made: lost shut lost loose", True)


def test_a_second_event_of_a_turn_sees_what_the_first_has_done(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, object, bool]:
        unit = await desk.plan((), (0,))
        part, lease = await desk.claim(unit)
        events = (
            Asked("submit", part, args={"result": {}, "result_summary": "x"}, lease=lease),
            Asked("claim", kind="step"),
        )
        answer = await desk.send(unit, *events, by=ME)
        return await desk.standing(unit), answer.reply["part"], await _is_sound(desk)

    stands, claimed, is_sound = at_desk(tmp_path, story)

    assert stands == "executing: completed in_progress"
    assert str(claimed).endswith(".2")
    assert is_sound


def test_a_part_that_stands_as_before_is_not_written_unless_its_lease_runs_anew() -> None:
    part = Part("box", "open", {})
    row = PartRow("u.1", 1, part, 1)
    unit = UnitRow("u", "shelf", "digest", Unit("open", {}), {}, 1, "head", 1, "")
    sheet = Sheet(SHELVES, {}, Loaded(unit, None, {}, None, "inc"))
    sheet.before["u.1"] = row
    found = []
    for after, leases in (
        (replace(row), {}),
        (replace(row), {1: 5}),
        (replace(row, waits=1), {}),
        (replace(row, part=replace(part)), {}),
    ):
        sheet.rows["u.1"] = after
        found.append(len(sheet.written(leases).changed))

    assert found == [0, 1, 1, 1]
