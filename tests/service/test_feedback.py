"""Feedback is kept for a unit that is there, once for a request."""

import pytest

from interlock.service.errors import NotFound, RequestIdReused
from interlock.service.feedback import rate
from interlock.store.script import Key
from tests.stage import ADA, EVE, HOME, Stage, staged


@staged
async def test_a_rating_is_kept_with_who_gave_it(stage: Stage) -> None:
    unit = await stage.plan(1)
    before = await stage.mark(unit)
    answer = await rate(stage.engine, ADA, (unit, 4, "good"), {"said": "thanks"}, None)

    (row,) = await stage.engine.store.feedback(HOME, unit)
    assert answer.reply == {"said": "thanks"}
    assert row.id.startswith("feedback-")
    assert (row.rating, row.text, row.principal) == (4, "good", "ada")
    assert await stage.mark(unit) == before


@staged
async def test_there_must_be_such_a_unit(stage: Stage) -> None:
    foreign = await stage.plan(1, EVE)
    for unit in (foreign, "plan-000000000000"):
        with pytest.raises(NotFound):
            await rate(stage.engine, ADA, (unit, 4, ""), {}, Key("ada", "r", "x"))


@staged
async def test_a_request_is_answered_once(stage: Stage) -> None:
    unit = await stage.plan(1)
    key = Key("ada", "r", "x")
    first = await rate(stage.engine, ADA, (unit, 4, ""), {"n": 1}, key)
    again = await rate(stage.engine, ADA, (unit, 4, ""), {"n": 2}, key)

    assert (first.text, again.is_replay) == (again.text, True)
    with pytest.raises(RequestIdReused):
        await rate(stage.engine, ADA, (unit, 5, ""), {}, Key("ada", "r", "y"))
    assert len(await stage.engine.store.feedback(HOME, unit)) == 1
