"""What a script asks for is answered from the rows: heads, families, ranges, conditions, gaps."""

from pathlib import Path
from typing import cast

import pytest

from interlock.service.create import NewBranch, NewPart, NewUnit
from interlock.service.order import Asked
from interlock.store.rows import ORD_GAP, PartRow
from interlock.store.script import (
    Around,
    Find,
    Found,
    Gap,
    Heads,
    Key,
    Load,
    Loaded,
    Place,
    Reply,
    Surroundings,
)
from tests.kernel.boxes import SHELVES
from tests.service.desk import AWAY, ME, Desk, at_desk
from tests.store.sqlite.opened import ask

STEPS = (("step", ("pending", "in_progress")),)


def _numbers(rows: object) -> list[int]:
    return [row.number for row in cast("tuple[PartRow, ...]", rows)]


def test_a_unit_comes_with_the_part_the_heads_and_the_reply_that_were_asked_for(
    tmp_path: Path,
) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), (), (0,))
        key = Key(ME.id, "r1", "asked")
        answer = await desk.send(unit, Asked("claim", kind="step"), key=key)
        loaded = cast(
            "Loaded", await ask(desk.store, Load(unit, f"{unit}.3", STEPS, key, is_fresh=True))
        )

        assert (loaded.unit.id, loaded.incarnation) == (unit, desk.store.incarnation)
        assert loaded.part is not None
        assert (loaded.part.id, loaded.part.waits) == (f"{unit}.3", 1)
        # The held part's lease is alive, and the third waits.
        assert _numbers(loaded.heads["step"]) == [2]
        assert loaded.reply == Reply("asked", answer.text)

    at_desk(tmp_path, story)


def test_what_is_not_there_is_none(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan(())
        there = cast("Loaded", await ask(desk.store, Load(unit, f"{unit}.9")))

        assert there.part is None
        assert there.reply is None
        assert await ask(desk.store, Load("plan-0")) is None
        assert await ask(desk.store, Load(unit), AWAY) is None

    at_desk(tmp_path, story)


@pytest.mark.parametrize(
    "name", ["{}", "{}.x", "{}.01", "{}.", "x.1", "{}.-1", "{}." + "9" * 40, "{}.\uff11"]
)
def test_a_name_that_names_no_part_finds_none(tmp_path: Path, name: str) -> None:
    async def story(desk: Desk) -> object:
        unit = await desk.plan(())
        loaded = cast("Loaded", await ask(desk.store, Load(unit, name.format(unit), is_fresh=True)))
        return loaded.part

    assert at_desk(tmp_path, story) is None


def test_the_head_of_a_queue_passes_over_what_the_command_has_changed(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[list[int]]:
        unit = await desk.plan((), (), ())
        told = []
        for without in ((), (1,), (2, 1), (1, 2, 3)):
            found = cast("Found", await ask(desk.store, Heads(unit, STEPS, without)))
            told.append(_numbers(found["step"]))
        return told

    assert at_desk(tmp_path, story) == [[1], [2], [3], []]


def test_parts_are_found_in_their_order_whomever_they_are_asked_by(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), (0,), (0,), ())
        one, four = f"{unit}.1", f"{unit}.4"

        async def find(question: Find) -> list[int]:
            return _numbers(await ask(desk.store, question))

        between = Find(unit, "range", "step", one)
        assert await find(Find(unit, "all", "step")) == [1, 2, 3, 4]
        assert await find(Find(unit, "all")) == [1, 2, 3, 4]
        assert await find(Find(unit, "all", "bead")) == []
        assert await find(Find(unit, "dependents", of=one)) == [2, 3]
        assert await find(Find(unit, "dependents", of=four)) == []
        assert await find(between._replace(to=four)) == [2, 3]
        assert await find(between._replace(of=four, to=one)) == []
        assert await find(between) == []
        assert await find(Find(unit, "ids", ids=(four, one, f"{unit}.9"))) == [4, 1]

    at_desk(tmp_path, story)


def test_what_was_dropped_is_not_found(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), (0,), ())
        await desk.send(unit, Asked("remove_step", f"{unit}.1"))

        assert _numbers(await ask(desk.store, Find(unit, "all", "step"))) == [2, 3]
        assert _numbers(await ask(desk.store, Find(unit, "ids", ids=(f"{unit}.1",)))) == []
        assert await ask(desk.store, Gap(unit, 0)) == 2 * ORD_GAP
        loaded = cast(
            "Loaded", await ask(desk.store, Load(unit, f"{unit}.1", STEPS, is_fresh=True))
        )
        assert loaded.part is None
        assert _numbers(loaded.heads["step"]) == [2]

    at_desk(tmp_path, story)


def test_a_gap_ends_where_the_next_part_stands(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[object]:
        unit = await desk.plan((), ())
        return [await ask(desk.store, Gap(unit, order)) for order in (0, ORD_GAP, 2 * ORD_GAP)]

    assert at_desk(tmp_path, story) == [ORD_GAP, 2 * ORD_GAP, None]


def test_a_place_counts_the_parts_of_a_kind_that_are_still_there(tmp_path: Path) -> None:
    async def story(desk: Desk) -> list[object]:
        unit = await desk.plan((), (), ())
        await desk.send(unit, Asked("remove_step", f"{unit}.2"))
        asked = [Place(unit, "step", order * ORD_GAP) for order in (0, 1, 2, 3)]
        return [await ask(desk.store, one) for one in (*asked, Place(unit, "bead", 3 * ORD_GAP))]

    assert at_desk(tmp_path, story) == [0, 1, 1, 2, 0]


def test_a_family_is_counted_by_kind_and_status(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        boxes = (NewPart("box"), NewPart("box"))
        items = (NewPart("item", parent=0), NewPart("item", parent=1), NewPart("item", parent=1))
        unit = await desk.make(NewUnit("shelves", {}, (*boxes, *items)))
        await desk.send(unit, Asked("open_box", f"{unit}.2"))
        await desk.send(unit, Asked("pack", f"{unit}.4"))
        (item,) = cast(
            "tuple[PartRow]", await ask(desk.store, Find(unit, "ids", ids=(f"{unit}.5",)))
        )
        sees = ("parent", "current", "children")
        around = Around(unit, item, sees, f"{unit}.2", f"{unit}.2")
        found = cast("Surroundings", await ask(desk.store, around))

        assert found.parent is not None
        assert found.current is not None
        assert (found.parent.number, found.current.number) == (2, 2)
        assert found.children == {"item": {"packed": 1, "loose": 1}}
        assert found.dependents == {}
        assert _numbers(await ask(desk.store, Find(unit, "children", "item", f"{unit}.2"))) == [
            4,
            5,
        ]

    at_desk(tmp_path, story, {"shelves": SHELVES})


def test_who_needs_a_part_is_counted_by_kind_and_status(tmp_path: Path) -> None:
    async def story(desk: Desk) -> object:
        unit = await desk.plan((), (0,), (0,))
        (part,) = cast(
            "tuple[PartRow]", await ask(desk.store, Find(unit, "ids", ids=(f"{unit}.1",)))
        )
        around = Around(unit, part, ("dependents",), None, None)
        return cast("Surroundings", await ask(desk.store, around)).dependents

    assert at_desk(tmp_path, story) == {"step": {"pending": 2}}


def test_a_condition_knows_where_its_target_stands_and_what_lies_between(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.branching(
            4,
            NewBranch(1, "a === 1", "skip_to", {"why": ["x"]}, 3),
            NewBranch(1, "b === 1", "skip_to", {}, 0),
            NewBranch(1, "c === 1", "fail"),
        )
        await desk.claim(unit)
        rows = await ask(desk.store, Find(unit, "ids", ids=(f"{unit}.2",)))
        (part,) = cast("tuple[PartRow]", rows)
        around = Around(unit, part, ("conditions",), None, None)
        later, earlier, bare = cast("Surroundings", await ask(desk.store, around)).conditions

        assert (later.target, later.target_status, later.is_later) == (f"{unit}.4", "pending", True)
        assert (dict(later.params), later.between) == ({"why": ("x",)}, {"pending": 1})
        assert (earlier.target_status, earlier.is_later) == ("in_progress", False)
        assert earlier.between == {}
        assert (bare.target, bare.action) == (None, "fail")

    at_desk(tmp_path, story)
