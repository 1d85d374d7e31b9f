"""What happens to beads while the ticket is CODING, story by story."""

import pytest

from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.coding_stories import CODING
from tests.workflows.ticket.story import Story, told


@pytest.mark.parametrize("story", CODING, ids=lambda story: story.title)
def test_a_story(story: Story) -> None:
    assert told(WORKFLOW, story) == ""
