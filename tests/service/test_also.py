"""What no rule looks at is changed with its event, or not at all; and the audit tells it."""

from pathlib import Path

import pytest

from interlock.service.errors import NotFound
from interlock.service.order import Arrangement, Asked, Branches, Filled, Hung, Kept
from interlock.service.verify import verify
from tests.service.desk import HOME, Desk, at_desk


def _names(unit: str, *numbers: int) -> tuple[str, ...]:
    return tuple(f"{unit}.{number}" for number in numbers)


def test_parts_are_arranged_and_the_audit_gives_the_order_back(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), (), ())
        also = (Arrangement("step", _names(unit, 3, 1, 2)),)
        await desk.send(unit, Asked("update_plan", also=also))

        whole = await desk.whole(unit)
        assert [row.number for row in whole.parts] == [3, 1, 2]
        assert (await desk.audit(unit))[-1]["ids"] == list(_names(unit, 3, 1, 2))
        assert (await verify(desk.engine, HOME, unit)).findings == []

    at_desk(tmp_path, story)


def test_some_parts_change_places_among_themselves(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), (), (), ())
        also = (Arrangement("step", _names(unit, 4, 2)),)
        await desk.send(unit, Asked("update_plan", also=also))

        assert [row.number for row in (await desk.whole(unit)).parts] == [1, 4, 3, 2]
        assert (await verify(desk.engine, HOME, unit)).findings == []

    at_desk(tmp_path, story)


def test_a_part_is_given_other_branches(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), (), ())
        part = f"{unit}.1"
        first = Hung("a === 1", "fail", {"reason": "no"})
        second = Hung("b === 1", "skip_to", target=f"{unit}.3")
        for rows in ((first,), (first, second), (second,), ()):
            await desk.send(unit, Asked("update_plan", also=(Branches(part, rows),)))
            whole = await desk.whole(unit)
            assert [(row.expression, row.target) for _, row in whole.conditions] == [
                (row.expression, row.target) for row in rows
            ]
            assert whole.parts[0].branches == len(rows)

    at_desk(tmp_path, story)


def test_fields_that_no_rule_reads_are_filled_and_kept_with_the_event(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), ())
        filled = Filled(f"{unit}.2", {"title": "another"}, (Kept("content", b"1"),))
        await desk.send(unit, Asked("update_plan", also=(filled,)))

        whole = await desk.whole(unit)
        assert [row.part.fields["title"] for row in whole.parts] != ["another", "another"]
        assert whole.parts[1].part.fields["title"] == "another"
        kept = await desk.store.artifacts(HOME, unit)
        assert [(one.part, one.name) for one in kept] == [(2, "content")]
        assert (await verify(desk.engine, HOME, unit)).findings == []
        absent, read = Filled(f"{unit}.9", {"title": "x"}), Filled(f"{unit}.2", {"holder": "me"})
        with pytest.raises(NotFound):
            await desk.send(unit, Asked("update_plan", also=(absent,)))
        with pytest.raises(AssertionError, match="rules leave alone"):
            await desk.send(unit, Asked("update_plan", also=(read,)))

    at_desk(tmp_path, story)


def test_what_names_no_part_changes_nothing(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan((), ())
        before = (await desk.whole(unit)).row.version
        for also in (Arrangement("step", _names(unit, 1, 9)), Branches(f"{unit}.9", ())):
            with pytest.raises(NotFound):
                await desk.send(unit, Asked("update_plan", also=(also,)))
        assert (await desk.whole(unit)).row.version == before

    at_desk(tmp_path, story)
