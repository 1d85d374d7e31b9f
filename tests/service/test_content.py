"""What is kept for a unit is given out through that unit alone."""

from hashlib import sha256

import pytest

from interlock.service.content import list_artifacts, read_content
from interlock.service.errors import NotFound
from tests.stage import AWAY, EVE, HOME, Stage, staged

TOLD = {"artifact_type": "notes", "title": "Notes"}


@staged
async def test_bytes_are_read_through_the_unit_that_keeps_them(stage: Stage) -> None:
    plan, other = await stage.plan(1), await stage.plan(1)
    for text in ("one", "two"):
        await stage.call("store_research", plan_id=plan, content=text, **TOLD)
    digest = sha256(b"one").hexdigest()

    found = await read_content(stage.engine, HOME, plan, digest)

    assert (found.content, [row.version for row in found.rows]) == (b"one", [1])
    with pytest.raises(NotFound, match=digest):
        await read_content(stage.engine, HOME, other, digest)


@staged
async def test_an_empty_unit_has_none_and_a_foreign_one_is_not_there(stage: Stage) -> None:
    own, foreign = await stage.plan(1), await stage.plan(1, EVE)
    await stage.call("store_research", EVE, plan_id=foreign, content="x", **TOLD)

    assert await list_artifacts(stage.engine, HOME, own) == ()
    assert len(await list_artifacts(stage.engine, AWAY, foreign)) == 1
    for name in (foreign, "plan-000000000000", f"{own}.1", "x"):
        with pytest.raises(NotFound, match="There is no"):
            await list_artifacts(stage.engine, HOME, name)
