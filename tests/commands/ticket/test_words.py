"""How answers about tickets are worded: what comes next, in every phase."""

from dataclasses import replace

import pytest

from interlock.commands.ticket.words import (
    ASKED,
    BEGUN,
    DECIDE,
    JSON,
    OVER,
    PREPARED,
    STUCK,
    TO_START,
    YAML,
    documents_of,
    filed,
    go_on,
    ticket_named,
)
from interlock.service.errors import NotFound
from interlock.store.rows import UnitRow
from interlock.workflows.ticket.phases import APPROVALS, BY_NAME, ENDED, SETUP
from tests.stage import Stage, staged
from tests.tickets import ticket


async def unit(stage: Stage) -> UnitRow:
    """Return a ticket as its row stands."""
    return (await stage.whole(await ticket(stage))).row


@staged
async def test_every_phase_says_what_comes_next(stage: Stage) -> None:
    row = await unit(stage)

    def said(status: str, **fields: object) -> str:
        now = replace(row.unit, status=status, fields={**row.unit.fields, **fields})
        return go_on(replace(row, unit=now))

    assert {said(status) for status in BY_NAME} == {OVER, STUCK, PREPARED, DECIDE, TO_START, BEGUN}
    assert [said(status) for status in ENDED] == [OVER, OVER]
    assert said("WAITING_INTERVIEW_ANSWERS", batch=True) == ASKED
    assert {said(status) for status in APPROVALS if status != SETUP} == {DECIDE}
    assert (said(SETUP), said(SETUP, setup_ready=True)) == (BEGUN, DECIDE)


@staged
async def test_documents_are_filed_beside_those_that_are_there(stage: Stage) -> None:
    row = await unit(stage)
    first = filed(row, {"prd": "a: 1\n", "session": "{}"}, {"warnings": {}})
    known = replace(row.unit, fields={**row.unit.fields, **first.fields})
    then = filed(replace(row, unit=known), {"prd": "a: 2\n"})

    assert [(one.name, one.media_type) for one in first.kept] == [("prd", YAML), ("session", JSON)]
    assert first.fields["warnings"] == {}
    before, after = documents_of(replace(row, unit=known)), then.fields["documents"]
    assert isinstance(after, dict)
    assert after["session"] == before["session"]
    assert after["prd"] != before["prd"]
    assert documents_of(row) == {}


@pytest.mark.parametrize("name", ["ticket-1.1", "plan-1", "", "ticket"])
def test_a_part_or_another_unit_is_no_ticket(name: str) -> None:
    with pytest.raises(NotFound):
        ticket_named(name)
