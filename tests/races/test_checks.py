"""Many who want the same at once: one database, reached through one engine and through two."""

from collections.abc import Awaitable, Callable

import pytest

from interlock.service.engine import Engine
from tests.races import checks
from tests.races.moves import another
from tests.stage import Stage, staged

Check = Callable[[Stage, Engine], Awaitable[None]]
CHECKS: list[Check] = [
    checks.no_part_is_shared,
    checks.copies_have_one_effect,
    checks.a_used_id_takes_no_other_question,
    checks.an_id_belongs_to_one_principal_of_one_tenant,
    checks.a_late_result_is_refused_and_kept,
    checks.an_old_decision_is_not_committed,
    checks.counts_are_true,
]


@pytest.mark.parametrize("check", CHECKS)
@staged
async def test_it_holds_within_one_engine(stage: Stage, check: Check) -> None:
    await check(stage, stage.engine)


@pytest.mark.parametrize("check", CHECKS)
@staged
async def test_it_holds_between_two_engines(stage: Stage, check: Check) -> None:
    async with another(stage) as other:
        await check(stage, other)
