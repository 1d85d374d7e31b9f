"""Safe resume looks at gates, too: what people would be shown, and what they are said to have said."""

import pytest

from interlock.kernel.trouble import CODE
from interlock.service.resume import resume_all
from interlock.service.verify import verify
from tests.service.tampering import alter, blueprint, unguard
from tests.service.test_resume import error_of
from tests.spec.ticket.places import WAYS, bring, system
from tests.stage import HOME, PAT, Stage, opened, staged
from tests.tickets import phase_of, status_of, ticket

GATE = "WAITING_BEADS_APPROVAL"
OPEN = "status = 'WAITING_BEADS_APPROVAL'"
FORGED = "digest = 'forged'"


@staged
@pytest.mark.parametrize("how", ["gone", "forged"])
async def test_a_gate_that_does_not_show_what_waits_blocks_the_ticket_and_opens_anew(
    stage: Stage, how: str
) -> None:
    is_gone = how == "gone"
    name, other = await blueprint(stage), await ticket(stage)
    await unguard(stage)
    digest = (await status_of(stage, name))["documents"]["beads"]
    where = f"unit = '{name}' AND {OPEN}"
    if is_gone:
        await stage.sql(f"DELETE FROM gates WHERE {where}")  # noqa: S608 (tampers on purpose)
    else:
        await alter(stage, "gates", FORGED, where)

    async with opened(stage.where) as later:
        error = await error_of(later, name)
        assert (error["code"], error["previous_status"]) == (CODE, GATE)
        assert "the gates and the rows differ" in error["message"]
        assert await phase_of(later, other) == "DRAFT"

        await later.call("retry", PAT, ticket_id=name)
        assert await phase_of(later, name) == GATE
        (gate,) = (await status_of(later, name))["gates"]
        assert gate["content_digest"] == digest
        assert (await verify(later.engine, HOME)).findings == []
        await later.call("approve", PAT, ticket_id=name, content_digest=digest)
        assert await phase_of(later, name) == "PRE_FLIGHT_CHECK"


@staged
async def test_a_decision_that_nobody_took_can_only_be_given_up(stage: Stage) -> None:
    name = await blueprint(stage)
    await unguard(stage)
    where = f"unit = '{name}' AND status = 'WAITING_PRD_APPROVAL'"
    await alter(stage, "gates", "decided_by = 'mallory'", where)

    async with opened(stage.where) as later:
        error = await error_of(later, name)
        assert "the log differ about who did what" in error["message"]
        no = await later.refused("retry", PAT, ticket_id=name)
        assert no.code == CODE
        await later.call("cancel", PAT, id=name, reason="no longer trusted")
        assert await phase_of(later, name) == "CANCELED"


@staged
async def test_gates_that_are_in_order_change_nothing_wherever_a_ticket_stands(
    stage: Stage,
) -> None:
    names = [await bring(stage, phase) for phase in (*WAYS, "COMPLETED")]
    for name in [await bring(stage, phase) for phase in WAYS if phase.startswith("WAITING")]:
        await system(stage, name, "error", code="BUDGET_REACHED")
        names.append(name)
        await stage.call("retry", PAT, ticket_id=name)
    before = [await stage.mark(name) for name in names]

    async with opened(stage.where) as later:
        await resume_all(later.engine)
        assert [await later.mark(name) for name in names] == before
