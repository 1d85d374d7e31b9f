"""The council: how many answers it needs, and how its rounds end."""

import pytest

from interlock.workflows.ticket.council import quorum
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.story import Story, told
from tests.workflows.ticket.work_stories import COUNCIL


@pytest.mark.parametrize(("members", "needed"), [(1, 1), (2, 2), (3, 2), (10, 2)])
def test_two_answers_are_enough_or_one_of_one(members: int, needed: int) -> None:
    assert quorum(members) == needed


@pytest.mark.parametrize("story", COUNCIL, ids=lambda story: story.title)
def test_a_round(story: Story) -> None:
    assert told(WORKFLOW, story) == ""
