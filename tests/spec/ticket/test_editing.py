"""What may be edited where: at its gate and nowhere else, as the inventory says."""

import pytest

from interlock.workflows.ticket.phases import BY_NAME, SETUP
from tests.spec.door import PAT, Door, promise
from tests.spec.ticket.places import WAYS, bring, phase_of, system

pytestmark = pytest.mark.every_store

EDITED = ("WAITING_INTERVIEW_APPROVAL", "WAITING_PRD_APPROVAL", "WAITING_BEADS_APPROVAL")
EDIT = {"content": "a: 1", "base_digest": "of another version"}


def expected(phase: str) -> str:
    """Return how an edit of another version is refused in a phase."""
    if phase in ("COMPLETED", SETUP):
        return "TICKET_TERMINAL" if phase == "COMPLETED" else "SETUP_PLAN_MISSING"
    if phase in EDITED:
        return "STALE_EDIT"
    return "INVALID_TRANSITION" if BY_NAME[phase].is_editable else "NOT_EDITABLE"


@promise("editing.gates")
@pytest.mark.parametrize("phase", [*WAYS, "BLOCKED_ERROR", "COMPLETED"])
async def test_an_edit_is_refused_everywhere_but_at_its_gate(door: Door, phase: str) -> None:
    if phase == "BLOCKED_ERROR":
        ticket = await bring(door.stage, "DRAFTING_PRD")
        await system(door.stage, ticket, "error", code="BUDGET_REACHED")
    else:
        ticket = await bring(door.stage, phase)
    before = await door.sequence(ticket)

    no = await door.refuse("save_artifact", PAT, ticket_id=ticket, **EDIT)

    assert no["code"] == expected(phase)
    assert await phase_of(door.stage, ticket) == phase
    assert await door.sequence(ticket) == before
