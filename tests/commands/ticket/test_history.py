"""The past of a ticket: each time it was in a phase is an attempt, with what ended it."""

from typing import Any

from interlock.commands.ticket.history import told_attempts
from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring

MOVE = {"change": "move", "unit": True, "signal": "START", "source": "DRAFT"}


def test_a_phase_that_is_entered_again_is_another_attempt_and_its_own_again_is_none() -> None:
    entries: list[Any] = [
        (1, 10, {"change": "begin"}),
        (2, 20, {**MOVE, "target": "SCANNING_RELEVANT_FILES"}),
        (3, 30, {**MOVE, "source": "X", "target": "X"}),
        (4, 40, {"change": "move", "source": "a", "target": "b"}),
        (5, 50, {**MOVE, "source": "X", "target": "DRAFT", "reason": "retried"}),
        (6, 60, {**MOVE, "target": "NOT A PHASE"}),
    ]

    found = told_attempts(entries)

    assert [(one["phase"], one["attempt"]) for one in found] == [
        ("DRAFT", 1), ("SCANNING_RELEVANT_FILES", 1), ("DRAFT", 2), ("NOT A PHASE", 1),
    ]  # fmt: skip
    assert found[0] == {
        "phase": "DRAFT", "label": "Backlog", "group": "todo", "attempt": 1, "first": 1,
        "entered_at": 10, "left_at": 20, "last": 1, "by": "START",
    }  # fmt: skip
    assert (found[1]["last"], found[1]["by"]) == (4, "retried")
    assert "left_at" not in found[-1]


@staged
async def test_the_ticket_can_be_read_as_it_stood_right_before_an_attempt_ended(
    stage: Stage,
) -> None:
    ticket = (await bring(stage, PAT, ADA, "approve", []))["ticket_id"]
    context = await stage.call("ticket_context", PAT, ticket_id=ticket)
    attempts: Any = context.data["attempts"]

    for one in attempts[:-1]:
        then = await stage.call("get_unit", PAT, id=ticket, at=one["last"])
        assert then.data["status"] == one["phase"]
    assert attempts[-1]["phase"] == context.status
