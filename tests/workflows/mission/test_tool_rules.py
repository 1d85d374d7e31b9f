"""The rules about tool steps, told as stories."""

import pytest

from interlock.workflows.mission.tool_rules import RULES
from interlock.workflows.mission.workflow import WORKFLOW
from tests.workflows.mission.telling import Story, tell
from tests.workflows.mission.tool_stories import STORIES


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_the_story_comes_true(story: Story) -> None:
    assert tell(WORKFLOW, story) == ""


def test_every_rule_is_told_accepted_and_refused() -> None:
    told = {(story.event, story.is_refused) for story in STORIES}

    assert told == {(rule.event, refused) for rule in RULES for refused in (False, True)}
