"""Gates as both databases keep them: one open at a time, decided once, kept for ever."""

import apsw
import asyncpg
import pytest

from interlock.store.gates import GateRow, WhichGates
from tests.commands.test_gates import ask
from tests.stage import AWAY, HOME, PAT, Stage, staged

REFUSED = (apsw.ConstraintError, asyncpg.PostgresError)


async def _decided(stage: Stage) -> GateRow:
    plan = await stage.plan(2)
    gate = await ask(stage, plan)
    await stage.call("decide_gate", PAT, gate_id=gate["gate_id"], decision="approve")
    (found,) = await stage.engine.store.gates.of_unit(HOME, plan)
    return found


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE gates SET decision = 'reject'",
        "UPDATE gates SET decision = NULL, decided_at = NULL, decided_sequence = NULL",
        "DELETE FROM gates",
    ],
)
@staged
async def test_what_was_decided_stays_so_whoever_owns_the_database(
    stage: Stage, statement: str
) -> None:
    gate = await _decided(stage)
    with pytest.raises(REFUSED):
        await stage.sql(statement)

    assert await stage.engine.store.gates.find(HOME, gate.unit, gate.id) == gate


@staged
async def test_a_part_has_one_open_gate_at_most(stage: Stage) -> None:
    plan = await stage.plan(1)
    await ask(stage, plan)
    columns = ", ".join(GateRow._fields)
    kept = columns.replace("id, ", "'other', ", 1)
    with pytest.raises(REFUSED):
        await stage.sql(f"INSERT INTO gates (tenant, {columns}) SELECT tenant, {kept} FROM gates")  # noqa: S608  our own words


@staged
async def test_another_tenant_sees_none(stage: Stage) -> None:
    gate = await _decided(stage)
    gates = stage.engine.store.gates

    assert await gates.find(AWAY, gate.unit, gate.id) is None
    assert await gates.of_unit(AWAY, gate.unit) == ()
    assert await gates.page(AWAY, WhichGates(is_open=False), None, 9) == ()
    assert await gates.page(HOME, WhichGates(is_open=False), None, 9) == (gate,)
    assert gate.is_open is False
