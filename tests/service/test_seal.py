"""Places in the feed: sealed for one tenant, led back from, and nothing told by them."""

import pytest

from interlock.service.errors import InvalidInput
from interlock.service.seal import Seal, seal_of
from tests.stage import AWAY, HOME, Stage, staged


@pytest.mark.parametrize("place", ["", "0", "1", "123456789", "i.7.plan-1.2", "é"])
def test_a_sealed_place_leads_back_and_looks_the_same_every_time(place: str) -> None:
    seal = Seal("key")

    assert seal.open(seal.close(place)) == place
    assert seal.close(place) == Seal("key").close(place)
    assert seal.close(place) != Seal("other").close(place)


def test_places_side_by_side_have_nothing_in_common() -> None:
    one, two = Seal("key").close("1000"), Seal("key").close("1001")

    assert sum(a == b for a, b in zip(one, two, strict=True)) < len(one) / 2


@pytest.mark.parametrize("told", ["x", "0", "1000", "é", "=", "A" * 40, "A" * 5001, "\x00"])
def test_anything_else_is_refused(told: str) -> None:
    with pytest.raises(InvalidInput):
        Seal("key").open(told)


@staged
async def test_a_place_of_one_tenant_is_none_of_another(stage: Stage) -> None:
    home = await seal_of(stage.engine, HOME)
    away = await seal_of(stage.engine, AWAY)

    assert (await seal_of(stage.engine, HOME)).open(home.close("7")) == "7"
    with pytest.raises(InvalidInput):
        away.open(home.close("7"))
