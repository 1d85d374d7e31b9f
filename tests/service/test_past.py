"""A unit as it stood after each entry: what the audit says, and nothing that came later."""

import pytest

from interlock.errors import InterlockError
from interlock.kernel.snapshot import Snapshot
from interlock.service.errors import CorruptState
from interlock.service.past import NoSuchMoment, read_past
from interlock.service.read import read_unit
from tests.commands.test_gates import ask
from tests.stage import ADA, AWAY, HOME, PAT, Stage, staged


async def moment(stage: Stage, unit: str) -> tuple[int, Snapshot]:
    """Return a unit as its rows stand, and its version."""
    read = await read_unit(stage.engine, HOME, unit)
    return read.whole.row.version, read.snapshot


def told(snapshot: Snapshot) -> object:
    """Say all that a unit is but its branches; no order of fields, which entries have by name."""
    unit = (snapshot.unit.status, snapshot.unit.fields)
    return unit, snapshot.ids, [
        (one.kind, one.status, one.fields, one.parent, one.needs) for one in snapshot.parts
    ]  # fmt: skip


@staged
async def test_every_moment_is_as_it_was_when_it_was_now(stage: Stage) -> None:
    plan = await stage.plan(3)
    seen = [await moment(stage, plan)]
    step, lease = await stage.claim(plan)
    seen.append(await moment(stage, plan))
    await stage.call("submit_step_result", step_id=step, lease=lease, result_summary="done")
    seen.append(await moment(stage, plan))
    about = {"plan_id": plan, "modification_rationale": "m"}
    new = [{"instructions": "one more", "title": "New"}]
    await stage.call("modify_plan", PAT, **about, action="add_steps", steps=new)
    seen.append(await moment(stage, plan))
    await stage.call("modify_plan", PAT, **about, action="remove_step", step_id=f"{plan}.2")
    seen.append(await moment(stage, plan))
    await ask(stage, plan)
    seen.append(await moment(stage, plan))
    await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
    seen.append(await moment(stage, plan))

    for version, snapshot in seen:
        past = await read_past(stage.engine, HOME, plan, version)
        assert told(past.snapshot) == told(snapshot)
        assert (past.sequence, past.is_past) == (version, version < seen[-1][0])
    assert len({snapshot.unit.status for _, snapshot in seen}) > 3


@staged
async def test_what_never_was_is_refused_with_what_there_is(stage: Stage) -> None:
    plan = await stage.plan(2)
    (version, _) = await moment(stage, plan)

    async def refused(at: int, tenant: str = HOME, unit: str = plan) -> InterlockError:
        with pytest.raises(InterlockError) as no:
            await read_past(stage.engine, tenant, unit, at)
        return no.value

    for at in (0, -1, version + 1, version + 2, 2**53):
        no = await refused(at)
        assert isinstance(no, NoSuchMoment)
        assert no.fix == f"Ask for one from 1 to {version}."
    for at in (1, 0, 99):
        assert (await refused(at, AWAY)).code == "NOT_FOUND"
        assert (await refused(at, unit=f"{plan}.1")).code == "NOT_FOUND"
    assert (await refused(1, unit="plan-000000000000")).code == "NOT_FOUND"


BROKEN = "UPDATE audit SET body = '{}' WHERE sequence = 3"
BREAK = {
    "sqlite": "DROP TRIGGER audit_keeps_entries; ",
    "postgres": "ALTER TABLE audit DISABLE TRIGGER ALL; ",
}


@staged
async def test_an_entry_that_makes_no_sense_is_told_as_damage(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.claim(plan, ADA)
    dialect = "postgres" if isinstance(stage.where, str) else "sqlite"
    await stage.sql(BREAK[dialect] + BROKEN)
    with pytest.raises(CorruptState, match="entry 3"):
        await read_past(stage.engine, HOME, plan, 3)

    assert (await read_past(stage.engine, HOME, plan, 2)).snapshot.unit.status == "planning"
