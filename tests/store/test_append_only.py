"""What has happened cannot be changed or taken back in a database, not even by its owner."""

import apsw
import asyncpg
import pytest

from tests.stage import Stage, staged


@staged
@pytest.mark.parametrize(
    "statement",
    ["UPDATE audit SET body = '{}' WHERE sequence = 1", "DELETE FROM audit WHERE sequence = 2"],
)
async def test_the_owner_cannot_edit_or_remove_an_entry(stage: Stage, statement: str) -> None:
    unit = await stage.plan(2)
    before = await stage.audit(unit)
    with pytest.raises((apsw.ConstraintError, asyncpg.PostgresError), match="append-only"):
        await stage.sql(statement)

    assert await stage.audit(unit) == before
