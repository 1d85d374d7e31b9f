"""What the gates say otherwise than the rows or the audit is found, each planted once."""

import pytest

from interlock.service.verify import verify
from tests.commands.test_gates import ask
from tests.stage import HOME, PAT, Stage, staged

WRONG = {
    "an open gate is missing": (
        "DROP TRIGGER gates_lose_nothing; DELETE FROM gates WHERE decided_at IS NULL",
        "the gates and the rows differ about",
    ),
    "a gate is open that nobody waits at": (
        "UPDATE gates SET part = 3 WHERE decided_at IS NULL",
        "the gates and the rows differ about",
    ),
    "other content": (
        "UPDATE gates SET digest = 'x' WHERE decided_at IS NULL",
        "the gates and the rows differ about",
    ),
    "another asker": (
        "UPDATE gates SET opened_by = 'eve' WHERE decided_at IS NULL",
        "and the log differ about who did what",
    ),
    "another decider": (
        "DROP TRIGGER gates_decide_once; UPDATE gates SET decided_by = 'eve' WHERE decided_at IS NOT NULL",
        "and the log differ about who did what",
    ),
    "another decision": (
        "DROP TRIGGER gates_decide_once; UPDATE gates SET decision = 'skip' WHERE decided_at IS NOT NULL",
        "was decided by another event",
    ),
}
ON_POSTGRES = {
    "DROP TRIGGER gates_lose_nothing": "ALTER TABLE gates DISABLE TRIGGER ALL",
    "DROP TRIGGER gates_decide_once": "ALTER TABLE gates DISABLE TRIGGER ALL",
}


async def _two_gates(stage: Stage) -> str:
    """Leave a gate that was decided, and one that is open; return the plan."""
    plan = await stage.plan(3)
    gate = await ask(stage, plan)
    await stage.call("decide_gate", PAT, gate_id=gate["gate_id"], decision="approve")
    await ask(stage, plan)
    return plan


@staged
async def test_gates_that_agree_are_fine(stage: Stage) -> None:
    await _two_gates(stage)

    assert (await verify(stage.engine, HOME)).findings == []


@pytest.mark.parametrize("what", WRONG)
@staged
async def test_a_gate_that_says_otherwise_is_found(stage: Stage, what: str) -> None:
    plan = await _two_gates(stage)
    statement, told = WRONG[what]
    if isinstance(stage.where, str):
        for ours, theirs in ON_POSTGRES.items():
            statement = statement.replace(ours, theirs)
    await stage.sql(statement)
    (finding,) = (await verify(stage.engine, HOME)).findings

    assert told in finding.what
    assert finding.unit == plan


@staged
async def test_of_a_gate_that_is_older_than_its_row_less_is_asked(stage: Stage) -> None:
    await _two_gates(stage)
    await stage.sql(
        "UPDATE gates SET opened_kind = 'system', opened_by = 'migration', policy = '', digest = ''"
        " WHERE decided_at IS NULL"
    )

    assert (await verify(stage.engine, HOME)).findings == []
