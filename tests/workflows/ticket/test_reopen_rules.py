"""Going back to a gate that was passed, story by story."""

import pytest

from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.reopen_stories import REOPENING
from tests.workflows.ticket.story import Story, told


@pytest.mark.parametrize("story", REOPENING, ids=lambda story: story.title)
def test_a_story(story: Story) -> None:
    assert told(WORKFLOW, story) == ""
