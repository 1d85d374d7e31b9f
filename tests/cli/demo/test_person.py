"""The person of the demo says what a ticket waits for, and nothing else."""

import asyncio
from collections.abc import Mapping
from typing import Any

from interlock.cli.demo.person import Person
from interlock.wire.envelope import Envelope


def said(*stands: dict[str, Any]) -> list[tuple[str, Mapping[str, object]]]:
    """Return what is said while a ticket stands so, then so."""
    left = [*stands, {"phase": {"name": "COMPLETED"}}]
    told: list[tuple[str, Mapping[str, object]]] = []

    async def calls(command: str, arguments: Mapping[str, object]) -> Envelope:
        if command == "ticket_status":
            return Envelope(status="", data=left.pop(0))
        told.append((command, {**arguments, "ticket_id": ""}))
        return Envelope(status="ok")

    asyncio.run(Person(calls, "ticket-1").decide())
    return told


def at(phase: str, **more: object) -> dict[str, Any]:
    return {"phase": {"name": phase}, **more}


def test_questions_are_answered_gates_approved_and_requests_merged_once() -> None:
    batch = {"number": 1, "questions": [{"id": "Q01"}]}
    asked = [{"task": "merge", "status": "claimed"}]

    told = said(
        at("WAITING_INTERVIEW_ANSWERS"), at("WAITING_INTERVIEW_ANSWERS", batch=batch),
        at("WAITING_PRD_APPROVAL", gates=[{"content_digest": "d1"}]),
        at("WAITING_EXECUTION_SETUP_APPROVAL", gates=[{}]), at("CODING"),
        at("WAITING_PR_REVIEW"), at("WAITING_PR_REVIEW", work=asked),
    )  # fmt: skip

    assert [name for name, _ in told] == ["answer_batch", "approve", "merge"]
    assert told[1][1]["content_digest"] == "d1"


def test_a_blocked_ticket_is_left_to_whoever_asks() -> None:
    assert said(at("BLOCKED_ERROR")) == []
