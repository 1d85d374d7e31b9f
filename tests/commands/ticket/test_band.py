"""So many tickets of a project are built at once; who is in the band holds a place, blocked or not."""

import pytest

from interlock.commands.ticket.band import BAND, BandFull
from tests.building import brought, done, to
from tests.stage import PAT, Stage, staged
from tests.tickets import phase_of, project, status_of

ONE = {"parallel_tickets": 1}


async def at_the_gate(stage: Stage, where: str) -> str:
    """Return a ticket of a project whose blueprint waits for approval."""
    told = {"project_id": where, "title": "Sell apples"}
    name = str((await stage.call("create_ticket", PAT, **told)).data["ticket_id"])
    await stage.call("start", PAT, ticket_id=name)
    await to(stage, name, "WAITING_BEADS_APPROVAL")
    return name


async def approve(stage: Stage, name: str) -> None:
    digest = (await status_of(stage, name))["gates"][-1]["content_digest"]
    await stage.call("approve", PAT, ticket_id=name, content_digest=digest)


@staged
async def test_a_full_band_lets_nobody_in_and_says_who_is_there(stage: Stage) -> None:
    where = await project(stage, ("ann",), limits=ONE)
    first, second = await at_the_gate(stage, where), await at_the_gate(stage, where)
    await approve(stage, first)
    with pytest.raises(BandFull, match=first) as no:
        await approve(stage, second)

    assert no.value.details["tickets"] == [
        {"ticket_id": first, "title": "Sell apples", "status": "PRE_FLIGHT_CHECK"}
    ]
    assert await phase_of(stage, second) == "WAITING_BEADS_APPROVAL"
    await done(stage, first, {"check": lambda _: {"checks": [FAILED]}})
    assert await phase_of(stage, first) == "BLOCKED_ERROR"
    with pytest.raises(BandFull):
        await approve(stage, second)
    await stage.call("cancel", PAT, id=first, reason="enough")
    await approve(stage, second)
    assert await phase_of(stage, second) == "PRE_FLIGHT_CHECK"


FAILED = {"name": "agent", "category": "agent", "result": "fail", "message": "silent"}


@staged
async def test_another_project_has_a_band_of_its_own(stage: Stage) -> None:
    other = await brought(stage, "PRE_FLIGHT_CHECK", limits=ONE)
    where = await project(stage, ("ann",), limits=ONE)
    await stage.call("cancel", PAT, id=other, reason="out of the way of work")
    first = await at_the_gate(stage, where)
    await approve(stage, first)

    assert await phase_of(stage, first) == "PRE_FLIGHT_CHECK"


def test_the_band_is_from_the_checks_to_the_clean_up() -> None:
    assert (BAND[0], BAND[-1], len(BAND)) == ("PRE_FLIGHT_CHECK", "CLEANING_ENV", 9)
