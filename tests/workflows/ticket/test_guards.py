"""Whoever is refused is told what is wrong and what to do about it."""

import pytest

from interlock.kernel.rules import Guard
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.stories import stories

GUARDS = tuple(
    {
        f"{rule.event} {place}": guard
        for rule in WORKFLOW.rules
        for place, guard in enumerate(rule.guards)
        if guard.code != "INVALID_TRANSITION"
    }.items()
)


@pytest.mark.parametrize(("name", "guard"), GUARDS, ids=[name for name, _ in GUARDS])
def test_a_refusal_says_what_is_wrong_and_what_to_do(name: str, guard: Guard) -> None:
    assert guard.message.endswith(".")
    assert guard.fix.endswith(".")


def test_every_code_is_told_in_a_story() -> None:
    codes = {guard.code for rule in WORKFLOW.rules for guard in rule.guards}

    assert {story.refused for story in stories()} - {""} == codes | {"NOT_ALLOWED"}


def test_every_event_first_asks_whether_the_ticket_has_ended() -> None:
    assert {rule.guards[0].code for rule in WORKFLOW.rules} == {"TICKET_TERMINAL"}
