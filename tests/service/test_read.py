"""Reading a unit gives its rows and the same as the kernel's snapshot."""

from pathlib import Path

import pytest

from interlock.kernel.look import next_part
from interlock.service.create import NewBranch
from interlock.service.errors import NotFound
from interlock.service.read import Read, read_unit
from interlock.workflows.plan.workflow import STEP_KIND
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from tests.service.desk import AWAY, HOME, Desk, at_desk


def test_a_unit_is_read_as_a_snapshot_the_kernel_can_work_with(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, Read]:
        branches = (NewBranch(0, "a === 1", "fail"), NewBranch(0, "b === 2", "skip_to", {}, 2))
        unit = await desk.branching(3, *branches)
        return unit, await read_unit(desk.engine, HOME, unit)

    unit, read = at_desk(tmp_path, story)
    snapshot = read.snapshot

    assert snapshot.ids == (f"{unit}.1", f"{unit}.2", f"{unit}.3")
    assert next_part(PLAN, snapshot, STEP_KIND) == f"{unit}.1"
    assert [
        (row.expression.source, row.action, row.target) for row in snapshot.conditions[f"{unit}.1"]
    ] == [
        ("a === 1", "fail", None),
        ("b === 2", "skip_to", f"{unit}.3"),
    ]


def test_a_unit_is_found_by_the_name_of_a_part(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, str]:
        unit = await desk.plan(())
        return unit, (await read_unit(desk.engine, HOME, f"{unit}.1")).whole.row.id

    unit, found = at_desk(tmp_path, story)

    assert found == unit


@pytest.mark.parametrize("tenant", [HOME, AWAY, "nobody"])
def test_what_is_not_there_or_not_theirs_is_not_found(tmp_path: Path, tenant: str) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.plan(())
        name = "plan-" + "0" * 12 if tenant == HOME else unit
        with pytest.raises(NotFound):
            await read_unit(desk.engine, tenant, name)

    at_desk(tmp_path, story)
