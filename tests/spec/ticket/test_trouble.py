"""ERROR, CANCEL and RETRY, generated: in every phase that has the edge, and nowhere else."""

from typing import Any

import pytest

from interlock.workflows.ticket.machine import FAILURES
from tests.spec.door import ADA, PAT, Door, promise
from tests.spec.ticket.places import HAS_WORK, WAYS, bring, go_on, hold, offer, phase_of, system

pytestmark = pytest.mark.every_store

Told = dict[str, Any]
DELIVERED = "CLEANING_ENV"


async def status(door: Door, ticket: str) -> Told:
    told: Told = (await door.ask("ticket_status", PAT, ticket_id=ticket))["data"]
    return told


async def blocked(door: Door, phase: str) -> str:
    """Return a ticket that was blocked in a phase, through no fault of anybody's."""
    ticket = await bring(door.stage, phase)
    await system(door.stage, ticket, "error", code="BUDGET_REACHED", reason="All is spent.")
    told = await status(door, ticket)
    assert told["phase"]["name"] == "BLOCKED_ERROR"
    assert told["phase"]["label"] == "Error (BUDGET_REACHED)"
    error = {"code": "BUDGET_REACHED", "occurrence": 1, "previous_status": phase}
    assert {name: told["error"][name] for name in error} == error
    assert told["error"]["message"].startswith("All is spent.")
    return ticket


async def restored(door: Door, ticket: str) -> None:
    """Restore the working tree of a blocked ticket, as a worker does through the door."""
    (tag,) = (await door.stage.whole(ticket)).tags
    found = (await door.ask("get_next_work", ADA, workflow="ticket", tags=[tag]))["data"]
    assert found["unit_id"] == ticket
    assert found["part"]["task"]["task"] == "restore"
    lease = found["part"]["lease"]["token"]
    told = {"part_id": found["part"]["part_id"], "lease": lease, "answer": {"restored": True}}
    await door.ask("submit_work", ADA, **told)


@promise("trouble.error", "trouble.retry")
@pytest.mark.parametrize("phase", WAYS)
async def test_retry_leads_back_to_exactly_the_phase_that_was_left(door: Door, phase: str) -> None:
    ticket = await blocked(door, phase)
    walked = await door.walk(ticket, await door.sequence(ticket) - 3)
    assert any(one.endswith(f"{phase}>BLOCKED_ERROR") for one in walked), walked
    before = (await door.stage.whole(ticket)).row.unit.fields
    await door.ask("retry", PAT, ticket_id=ticket, note="Once more.")
    if phase == "CODING":
        assert await phase_of(door.stage, ticket) == "BLOCKED_ERROR"
        await restored(door, ticket)

    told = await status(door, ticket)
    assert told["phase"]["name"] == phase
    assert [(one["number"], one["resolution"]) for one in told["occurrences"]] == [(1, "retried")]
    after = (await door.stage.whole(ticket)).row.unit.fields
    kept = ("documents", "config", "name", "interview_audits", "shown")
    assert [after[name] for name in kept] == [before[name] for name in kept]
    assert after["note"] == "Once more."
    attempts = (await door.ask("ticket_context", PAT, ticket_id=ticket))["data"]["attempts"]
    assert [one["attempt"] for one in attempts if one["phase"] == phase] == [1, 2]


@promise("trouble.error", "trouble.retry")
async def test_it_goes_on_from_there_to_the_end(door: Door) -> None:
    assert len(WAYS) == 27
    ticket = await bring(door.stage, "DRAFT")
    for phase in WAYS:
        await system(door.stage, ticket, "error", code="BUDGET_REACHED")
        await door.ask("retry", PAT, ticket_id=ticket)
        if phase == "CODING":
            await restored(door, ticket)
        assert await phase_of(door.stage, ticket) == phase
        await go_on(door.stage, ticket)
    assert await phase_of(door.stage, ticket) == "COMPLETED"


@promise("trouble.failure")
@pytest.mark.parametrize("phase", HAS_WORK)
async def test_work_that_fails_fires_the_phases_own_event_or_error(door: Door, phase: str) -> None:
    ticket = await bring(door.stage, phase)
    if phase == "DRAFT":
        await door.ask("start", PAT, ticket_id=ticket)
    else:
        await offer(door.stage, ticket, phase)
    part, lease = await hold(door.stage, ticket)
    before = await door.sequence(ticket)
    await door.ask("fail_work", ADA, part_id=part, lease=lease, reason="It broke.")

    told = await status(door, ticket)
    assert (told["error"]["previous_status"], told["error"]["message"]) == (phase, "It broke.")
    entries = await door.audit(ticket, before)
    (moved,) = [one for one in entries if one["change"] == "move" and "unit" in one]
    assert moved["signal"] == FAILURES.get(phase, "ERROR")
    assert moved["target"] == "BLOCKED_ERROR"


@promise("trouble.cancel")
@pytest.mark.parametrize("phase", WAYS)
async def test_cancel_ends_a_ticket_wherever_it_is_not_delivered(door: Door, phase: str) -> None:
    for ticket in (await bring(door.stage, phase), await blocked(door, phase)):
        if phase == DELIVERED:
            no = await door.refuse("cancel", PAT, id=ticket, reason="enough")
            assert no["code"] == "DELIVERED"
            continue
        await door.ask("cancel", PAT, id=ticket, reason="enough")
        told = await status(door, ticket)
        assert told["phase"]["name"] == "CANCELED"
        assert {one["outcome"] for one in told.get("work", ())} <= {"withdrawn", "completed"}
        resolved = [one["resolution"] for one in told.get("occurrences", ())]
        assert resolved in ([], ["cancelled"])


@promise("trouble.ended")
@pytest.mark.parametrize("end", ["COMPLETED", "CANCELED"])
async def test_what_has_ended_takes_neither(door: Door, end: str) -> None:
    ticket = await bring(door.stage, "DRAFT" if end == "CANCELED" else end)
    if end == "CANCELED":
        await door.ask("cancel", PAT, id=ticket, reason="enough")
    for command, told in (("retry", {"ticket_id": ticket}), ("cancel", {"id": ticket})):
        more = {"reason": "why"} if command == "cancel" else {}
        no = await door.refuse(command, PAT, **told, **more)
        assert no["code"] == "TICKET_TERMINAL"


@promise("trouble.retry")
@pytest.mark.parametrize("phase", ["SCANNING_RELEVANT_FILES", "CODING"])
async def test_only_what_is_blocked_is_retried(door: Door, phase: str) -> None:
    ticket = await bring(door.stage, phase)

    no = await door.refuse("retry", PAT, ticket_id=ticket)

    assert no["code"] == "INVALID_TRANSITION"
    assert await phase_of(door.stage, ticket) == phase
