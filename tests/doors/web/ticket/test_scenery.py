"""What the pages below a ticket share: its name, its beads by number, and no other unit."""

import pytest
from starlette.requests import Request

from interlock.doors.web.guest import Guest
from interlock.doors.web.ticket.scenery import ground_of
from interlock.service.errors import NotFound
from tests.doors.web.ticket.built import coding
from tests.doors.web.ticket.scenes import guest_of
from tests.stage import Stage, staged


async def _at(stage: Stage, unit: str) -> Guest:
    guest = await guest_of(stage)
    scope = {"type": "http", "query_string": b"", "path_params": {"unit": unit}}
    return Guest(guest.engine, Request(scope), guest.visit)


@staged
async def test_beads_are_known_by_their_numbers(stage: Stage) -> None:
    name = await coding(stage)
    ground = await ground_of(await _at(stage, name))

    assert ground.name == "Sell apples"
    assert ground.bead(2).title == "Do count-apples"
    for number in (None, 0, 3):
        with pytest.raises(NotFound):
            ground.bead(number)
    with pytest.raises(NotFound):
        await ground_of(await _at(stage, await stage.plan(1)))
