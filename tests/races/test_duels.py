"""Of two moves that exclude each other exactly one wins, and nothing is half done."""

import pytest

from tests.races.duels import DUELS
from tests.races.moves import another
from tests.stage import Stage, staged

ROUNDS = 10


@pytest.mark.parametrize("name", DUELS)
@staged
async def test_in_either_order_the_second_is_told_why_it_has_lost(stage: Stage, name: str) -> None:
    duel = DUELS[name]
    ends = list(duel.ends)

    assert await duel.fight(stage, stage.engine, "first") == ends[0]
    assert await duel.fight(stage, stage.engine, "second") == ends[1]


@pytest.mark.parametrize("name", DUELS)
@staged
async def test_at_once_exactly_one_wins(stage: Stage, name: str) -> None:
    async with another(stage) as other:
        for _ in range(ROUNDS):
            await DUELS[name].fight(stage, stage.engine, "at once")
            await DUELS[name].fight(stage, other, "at once")
