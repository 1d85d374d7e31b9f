"""The gates of a ticket as the inbox decides them: the same as by their commands."""

from typing import Any

import pytest

from interlock.commands.ticket.gate import WRITES
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring
from tests.tickets import phase_of


async def gate_of(stage: Stage, ticket: str) -> dict[str, Any]:
    """Return the gate of a ticket that is open."""
    gates: Any = (await stage.call("list_gates", PAT, unit=ticket)).data["gates"]
    return dict(gates[-1])


@pytest.mark.parametrize(
    ("command", "word", "after"),
    [
        ("approve", "approve", "DRAFTING_PRD"),
        ("skip_all", "skip_all", "WAITING_INTERVIEW_APPROVAL"),
        ("retry", "retry", "DRAFT"),
    ],
)
@staged
async def test_a_decision_at_a_gate_is_the_command_of_its_name(
    stage: Stage, command: str, word: str, after: str
) -> None:
    ticket = (await bring(stage, PAT, ADA, command, []))["ticket_id"]
    gate = await gate_of(stage, ticket)
    told = {"gate_id": gate["gate_id"], "decision": word, "content_digest": gate["content_digest"]}
    told = {name: value for name, value in told.items() if value}

    await stage.call("decide_gate", PAT, **told)

    assert await phase_of(stage, ticket) == after
    once = await stage.refused("decide_gate", PAT, **told)
    assert once.http == 409


@staged
async def test_what_needs_more_words_than_a_decision_names_its_command(stage: Stage) -> None:
    ticket = (await bring(stage, PAT, ADA, "answer_batch", []))["ticket_id"]
    gate = await gate_of(stage, ticket)

    no = await stage.refused("decide_gate", PAT, gate_id=gate["gate_id"], decision="answer_batch")

    assert (no.code, "answer_batch" in no.fix) == ("INVALID_INPUT", True)


@staged
async def test_giving_it_up_is_no_decision_of_a_gate(stage: Stage) -> None:
    ticket = (await bring(stage, PAT, ADA, "approve", []))["ticket_id"]
    gate = await gate_of(stage, ticket)

    no = await stage.refused("decide_gate", PAT, gate_id=gate["gate_id"], decision="cancel")

    assert "cannot be decided" in no.message


def test_every_word_that_is_no_decision_is_an_event_of_the_tables() -> None:
    assert {word for word in WRITES if WORKFLOW.rule(word) is None} == set()
