"""Some parts of a unit are read at one moment, whatever else it has."""

import pytest

from interlock.service.errors import NotFound
from interlock.service.some import is_part_of, read_some
from tests.missions import begin, build, design, equip
from tests.stage import AWAY, HOME, Stage, staged


@staged
async def test_a_part_is_read_with_its_children_and_with_others_by_name(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage)
    hop = await build(stage, mission)
    await design(stage, mission)
    names = (f"{mission}.2", f"{mission}.99", f"{mission}.x", "plan-1.1", f"{mission}.2")
    some = await read_some(stage.engine, HOME, hop, ("tool_step", "asset"), lambda *_: names)

    assert (some.unit.id, some.part and some.part.id) == (mission, hop)
    steps = [row.part.fields["tool"] for row in some.children["tool_step"]]
    assert (steps, len(some.children["asset"])) == (["double", "total"], 1)
    assert list(some.others) == [f"{mission}.2"]
    assert (await read_some(stage.engine, HOME, mission)).part is None


@staged
async def test_what_is_not_there_or_not_theirs_is_not_found(stage: Stage) -> None:
    mission = await begin(stage)
    for tenant, name in ((HOME, f"{mission}.9"), (AWAY, mission), (HOME, f"{mission}.01")):
        with pytest.raises(NotFound):
            await read_some(stage.engine, tenant, name)


def test_a_name_is_that_of_a_part_only_as_it_is_written() -> None:
    assert is_part_of("plan-1", "plan-1.2")
    assert not any(is_part_of("plan-1", name) for name in ("plan-1", "plan-1.02", "plan-2.2", "x"))
