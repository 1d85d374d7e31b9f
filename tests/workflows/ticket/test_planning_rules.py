"""What a person does until the beads are approved, story by story."""

import pytest

from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.planning_stories import PLANNING
from tests.workflows.ticket.story import Story, told


@pytest.mark.parametrize("story", PLANNING, ids=lambda story: story.title)
def test_a_story(story: Story) -> None:
    assert told(WORKFLOW, story) == ""
