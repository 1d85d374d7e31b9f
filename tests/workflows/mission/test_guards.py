"""The guards: each refusal can be acted on, and each code is told in a story."""

from interlock.workflows.mission.guards import mission_is, part_is
from interlock.workflows.mission.workflow import WORKFLOW
from tests.workflows.mission.stories import stories

GUARDS = [guard for rule in WORKFLOW.rules for guard in rule.guards]
PLAIN = "INVALID_TRANSITION"


def test_every_refusal_says_what_is_wrong_and_what_to_do() -> None:
    mute = {g.code for g in GUARDS if g.code != PLAIN and not (g.message and g.fix)}

    assert mute == set()


def test_every_code_is_told_in_a_story() -> None:
    codes = {guard.code for guard in GUARDS} | {"NOT_ALLOWED"}

    assert codes - {story.then for story in stories()} == set()


def test_a_status_guard_is_known_to_the_tables() -> None:
    proposing, archiving = WORKFLOW.table.rules["propose_hop"], WORKFLOW.table.rules["archive_hop"]

    assert proposing.unit_statuses == frozenset({"READY_FOR_NEXT_HOP"})
    assert archiving.part_statuses == frozenset({"COMPLETED"})
    assert (mission_is("FAILED").code, part_is("FAILED").code) == (PLAIN, PLAIN)
