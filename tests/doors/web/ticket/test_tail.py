"""The last lines of a worker are found fast, of its own part only, however many there are."""

from interlock.doors.web.ticket.tail import SHOWN, tail
from interlock.store.logs import Line
from tests.doors.web.ticket.scenes import guest_of
from tests.stage import HOME, Stage, staged


@staged
async def test_the_last_lines_of_a_part_are_found_among_many(stage: Stage) -> None:
    logs, guest = stage.engine.store.logs, await guest_of(stage)
    plan = await stage.plan(2)
    assert list(await tail(guest, plan, f"{plan}.1")) == []
    lines = [Line(number, "out", f"one {number}") for number in range(1, 701)]
    await logs.append(HOME, plan, 1, "ann", lines[:500], 9_999)
    await logs.append(HOME, plan, 1, "ann", lines[500:], 9_999)
    await logs.append(HOME, plan, 2, "ben", [Line(1, "out", "two")], 9_999)

    found = await tail(guest, plan, f"{plan}.1")
    assert [row.text for row in found] == [f"one {number}" for number in range(693, 701)]
    assert len(found) == SHOWN
    assert [row.text for row in await tail(guest, plan, f"{plan}.2")] == ["two"]
    await logs.append(HOME, plan, 1, "ann", [Line(5, "out", "more")], 9_999)
    assert (await tail(guest, plan, f"{plan}.1"))[-1].text == "more"
