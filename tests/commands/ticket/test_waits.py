"""Whoever asks why a ticket stands where it does is told who must do what, and how it is said."""

from typing import Any

import pytest

from interlock.commands.row import AnyCommand
from interlock.commands.ticket.waits import ROWS, TICKET
from tests.building import brought, to
from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring, take
from tests.tickets import started

Told = dict[str, Any]
SAYS = {
    "start": ("not started", "start", "interlock ticket start {id}"),
    "answer_batch": ("questions asked", "answer_batch", "interlock ticket answer {id}"),
    "approve": ("to be approved", "approve", "interlock ticket approve {id}"),
    "retry": ("blocked", "retry", "interlock ticket retry {id}"),
}
"""What is said first where each command is what is waited for."""


async def explained(stage: Stage, name: str) -> tuple[Told, str]:
    """Return what a ticket waits for first, and the whole text."""
    answer = await stage.call("explain", PAT, id=name)
    waits: Any = answer.data["waits"]
    return waits[0], str(answer.data["text"])


@pytest.mark.parametrize("command", SAYS)
@staged
async def test_what_a_person_is_to_do_can_be_sent_as_it_is_told(stage: Stage, command: str) -> None:
    given = await bring(stage, PAT, ADA, command, [])
    state, name, line = SAYS[command]

    wait, text = await explained(stage, given["ticket_id"])

    assert (wait["state"], wait["who"]) == (state, ["user"])
    call = wait["calls"][0]
    assert (call["command"], call["command_line"]) == (name, line.format(id=given["ticket_id"]))
    assert call["command_line"] in text
    row: AnyCommand = ROWS[name]
    arguments = {**call["arguments"]}
    arguments |= {word: given[word] for word, one in arguments.items() if one == "…"}
    assert set(arguments) <= set(row.takes.model_fields)
    await stage.call(name, PAT, **arguments)


@staged
async def test_work_is_told_with_who_is_asked_and_who_holds_it(stage: Stage) -> None:
    ticket = await started(stage)
    offered, text = await explained(stage, ticket)
    assert (offered["state"], offered["who"]) == ("work offered", ["agent", "worker"])
    assert offered["calls"][0]["arguments"] == {
        "workflow": "ticket", "kind": "assignment", "member": "ann",
    }  # fmt: skip
    assert "ann is to do “scan”, and nobody has taken it." in text

    part = await take(stage, ADA, [])
    held, text = await explained(stage, ticket)

    assert held["state"] == "work under way"
    assert "ada does “scan” for ann." in text
    submit = held["calls"][0]
    assert submit["arguments"] == {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    assert "until" in held
    own, _ = await explained(stage, str(part["part_id"]))
    assert own["state"] == "work under way"


@staged
async def test_a_ticket_that_has_ended_waits_for_nobody(stage: Stage) -> None:
    ticket = await started(stage)
    await stage.call("cancel", PAT, id=ticket, reason="enough")

    answer = await stage.call("explain", PAT, id=ticket)

    assert "waits" not in answer.data


def test_a_ticket_is_cancelled_in_its_own_words() -> None:
    assert TICKET.rows["cancel"].words == "ticket cancel"


@staged
async def test_work_in_the_tree_says_at_which_site_it_waits(stage: Stage) -> None:
    name = await brought(stage, "PRE_FLIGHT_CHECK")
    offered, text = await explained(stage, name)
    assert "the worker is to do “check” at the site site-1, where the ticket's tree is" in text
    assert offered["calls"][0]["arguments"]["site"] == "site-1"
    await to(stage, name, "CODING")
    free, text = await explained(stage, name)

    assert free["state"] == "bead free"
    assert "bead 1 “Do sell-apples” can be built at the site site-1" in text
    assert free["calls"][0]["arguments"] == {
        "workflow": "ticket", "kind": "bead", "member": "ann", "site": "site-1",
    }  # fmt: skip
