"""Guards that workflows share say the same everywhere."""

import pytest

from interlock.kernel.rules import Rule
from interlock.workflows.guards import REASON
from interlock.workflows.mission.workflow import WORKFLOW as MISSION
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from tests.workflows.mission.stories import broken as mission_broken
from tests.workflows.plan.stories import broken as plan_broken


def test_a_reason_that_is_empty_is_no_reason() -> None:
    assert REASON.test.words() == "event.reason is given"


@pytest.mark.parametrize("rules", [PLAN.rules, MISSION.rules], ids=["plan", "mission"])
def test_both_workflows_ask_for_a_reason_with_the_same_words(rules: tuple[Rule, ...]) -> None:
    asked = {guard for rule in rules for guard in rule.guards if guard.code == "REASON_REQUIRED"}

    assert asked == {REASON}


def test_the_shared_guards_still_tell_every_story() -> None:
    assert plan_broken(PLAN) == []
    assert mission_broken(MISSION) == []
