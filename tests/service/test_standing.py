"""A unit is read just as it stands, also where something is wrong with it."""

import pytest

from interlock.service.errors import NotFound
from interlock.service.standing import read_standing
from tests.stage import AWAY, HOME, Stage, opened, staged
from tests.tickets import ticket


@staged
async def test_nothing_is_looked_at_or_mended(stage: Stage) -> None:
    name = await ticket(stage)
    await stage.sql(f"UPDATE units SET status = 'DREAMING' WHERE id = '{name}'")  # noqa: S608 (tampers on purpose)

    async with opened(stage.where) as later:
        before = await later.mark(name)
        read = await read_standing(later.engine, HOME, name)
        assert read.snapshot.unit.status == "DREAMING"
        assert await later.mark(name) == before
        with pytest.raises(NotFound):
            await read_standing(later.engine, AWAY, name)
