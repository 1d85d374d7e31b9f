"""Only an owner erases their tenant, by its name; after that nobody works for it."""

from dataclasses import replace

import pytest

from interlock.errors import InterlockError
from interlock.service.erase import erasing, is_erased, require_open
from interlock.service.verify import verify
from interlock.store.errors import TenantErased
from tests.service.folk import setter
from tests.stage import ADA, HOME, Stage, staged

OWNER = setter()


async def _refused(stage: Stage, by: object, name: str) -> str:
    with pytest.raises(InterlockError) as no:
        await erasing(stage.engine, by, name)  # type: ignore[arg-type]  # a principal of the stage
    return no.value.code


@staged
async def test_an_owner_names_the_tenant_and_nobody_else_may(stage: Stage) -> None:
    admin = replace(OWNER, role="admin")
    assert await _refused(stage, ADA, HOME) == "NOT_ALLOWED"
    assert await _refused(stage, admin, HOME) == "NOT_ALLOWED"
    assert await _refused(stage, OWNER, "away") == "NOT_NAMED"
    assert await _refused(stage, OWNER, "") == "NOT_NAMED"

    act = await erasing(stage.engine, OWNER, HOME)
    assert (act.act, act.about, act.who) == ("tenant_erased", HOME, OWNER.id)


@staged
async def test_nobody_works_for_a_tenant_that_was_erased(stage: Stage) -> None:
    unit = await stage.plan(1)
    await require_open(stage.engine, HOME)
    await stage.sql("UPDATE tenants SET closed_at = 1 WHERE id = 'home'")

    assert await is_erased(stage.engine, HOME)
    assert not await is_erased(stage.engine, "nobody")
    with pytest.raises(TenantErased):
        await require_open(stage.engine, HOME)
    refused = await stage.refused("create_research_plan", ADA, name="n", research_question="q",
                                  steps=[{"instructions": "i"}])  # fmt: skip
    assert (refused.code, refused.retryable) == ("TENANT_ERASED", False)
    # Its units still say something, so it was not erased by us.
    verdict = await verify(stage.engine, HOME)
    assert verdict.erased == 1
    assert {one.what for one in verdict.findings} == {
        "an entry of an erased tenant still says something"
    }
    assert (await verify(stage.engine, HOME, unit)).findings == verdict.findings
