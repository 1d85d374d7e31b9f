"""What happens to assignments, story by story; the rounds and audits have tests of their own."""

import pytest

from interlock.kernel.rules import WORKER
from interlock.workflows.ticket.machine import TICKET
from interlock.workflows.ticket.work_rules import OUTCOMES
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.story import Story, told
from tests.workflows.ticket.work_stories import ANSWERING, FAILING, LEASES


@pytest.mark.parametrize("story", [*ANSWERING, *FAILING, *LEASES], ids=lambda story: story.title)
def test_a_story(story: Story) -> None:
    assert told(WORKFLOW, story) == ""


def test_the_checker_tries_every_outcome_that_a_worker_may_name() -> None:
    edges = {
        edge.on for edge in TICKET.edges if WORKER in edge.actors and edge.target != "BLOCKED_ERROR"
    }

    assert {*OUTCOMES, "GAPS_FOUND", "COVERAGE_CLEAN"} == {*edges, "BATCH_READY"} - {
        "BEAD_COMPLETE"
    }
