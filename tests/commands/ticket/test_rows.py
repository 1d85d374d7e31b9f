"""The rows of the ticket's commands: each sends an event that a person may send, and says how."""

import pytest

from interlock.commands.row import AnyCommand
from interlock.commands.ticket.rows import COMMANDS
from interlock.kernel.rules import USER
from interlock.workflows.ticket.workflow import WORKFLOW


@pytest.mark.parametrize("row", [one for one in COMMANDS if one.event not in ("", "begin")])
def test_what_a_command_sends_is_a_person_s_to_send(row: AnyCommand) -> None:
    rule = WORKFLOW.rule(row.event)

    assert rule is not None
    assert USER in rule.actors
    assert row.takes_version


def test_everything_is_said_with_the_noun_at_a_terminal() -> None:
    assert {row.words.partition(" ")[0] for row in COMMANDS} == {"ticket"}
    assert {row.path.split("/")[1] for row in COMMANDS} == {"tickets"}
