"""What a person does with the pull request, story by story."""

import pytest

from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.blocked_stories import DELIVERY
from tests.workflows.ticket.story import Story, told


@pytest.mark.parametrize("story", DELIVERY, ids=lambda story: story.title)
def test_a_story(story: Story) -> None:
    assert told(WORKFLOW, story) == ""
