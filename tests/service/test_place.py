"""The place of a part is counted as it stands within the command, not as it stood before."""

from pathlib import Path

from interlock.kernel.seen import Unit
from interlock.service.create import NewBranch
from interlock.service.order import Arrangement, Asked, Order, Reply, Result
from interlock.service.run import advance
from tests.service.desk import HOME, ME, Desk, at_desk, submitted


def _always(_: Unit) -> bool:
    return True


def _places(result: Result) -> Reply:
    return {name.partition(".")[2]: place for name, place in result.places.items()}


async def _sent(desk: Desk, unit: str, *asked: Asked) -> dict[str, object]:
    order = Order(HOME, ME.actor(), unit, asked, _places, tells_places=_always)
    reply = (await advance(desk.engine, order)).reply
    return {name: place for name, place in reply.items() if name != "receipt"}


def test_what_was_removed_before_a_part_does_not_count(tmp_path: Path) -> None:
    async def story(desk: Desk) -> dict[str, object]:
        unit = await desk.plan((), (), ())
        await desk.send(unit, Asked("remove_step", f"{unit}.1"))
        return await _sent(desk, unit, submitted(f"{unit}.3"))

    assert at_desk(tmp_path, story) == {"3": 2}


def test_what_the_same_command_has_inserted_counts(tmp_path: Path) -> None:
    async def story(desk: Desk) -> dict[str, object]:
        steps = {"steps": [{"title": "one"}, {"title": "two"}]}
        unit = await desk.branching(2, NewBranch(0, "nothing !== 1", "add_steps", steps))
        part, lease = await desk.claim(unit)
        return await _sent(desk, unit, submitted(part, lease), Asked("claim", kind="step"))

    assert at_desk(tmp_path, story) == {"1": 1, "3": 2}


def test_what_the_same_command_has_arranged_counts(tmp_path: Path) -> None:
    async def story(desk: Desk) -> dict[str, object]:
        unit = await desk.plan((), (), ())
        also = (Arrangement("step", (f"{unit}.3", f"{unit}.1", f"{unit}.2")),)
        first = Asked("update_plan", also=also)
        return await _sent(desk, unit, first, Asked("claim", kind="step"))

    assert at_desk(tmp_path, story) == {"3": 1}


def test_without_being_asked_nothing_is_counted(tmp_path: Path) -> None:
    async def story(desk: Desk) -> dict[str, object]:
        unit = await desk.plan((), ())
        order = Order(HOME, ME.actor(), unit, (submitted(f"{unit}.2"),), _places)
        return dict((await advance(desk.engine, order)).reply)

    assert list(at_desk(tmp_path, story)) == ["receipt"]
