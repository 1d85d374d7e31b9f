"""What goes wrong and every way out, story by story; and that an ended ticket takes nothing."""

import pytest

from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.blocked_stories import ENDED, STANDING, TROUBLE
from tests.workflows.ticket.journey import AGENT, Journey
from tests.workflows.ticket.story import Story, told


@pytest.mark.parametrize("story", TROUBLE, ids=lambda story: story.title)
def test_a_story(story: Story) -> None:
    assert told(WORKFLOW, story) == ""


@pytest.mark.parametrize("story", ENDED, ids=lambda story: f"{story.call} {story.phase}")
def test_an_ended_ticket_takes_nothing(story: Story) -> None:
    assert told(WORKFLOW, story) == ""


def test_every_event_was_tried_on_an_ended_ticket() -> None:
    assert {story.call for story in ENDED} == {rule.event for rule in WORKFLOW.rules}


@pytest.mark.parametrize("phase", [row[0] for row in STANDING if row[0] != "CODING"])
def test_an_error_and_a_retry_lead_back_to_where_it_was(phase: str) -> None:
    row = next(row for row in STANDING if row[0] == phase)
    journey = Journey.at(phase, beads=row[2], work=row[3], **row[1])

    assert journey.clock("error").person("retry").phase == phase


def test_an_interrupted_bead_is_restored_and_coded() -> None:
    journey = Journey.at("CODING", beads="done in_progress@me")
    journey.clock("error").person("retry").answer(outcome="RETRY").code()

    assert journey.signals == ["ERROR", "RETRY", "BEAD_COMPLETE", "ALL_BEADS_DONE"]


def test_a_green_bead_is_finalised_by_whoever_claims_it() -> None:
    journey = Journey.at("CODING", beads="in_progress@me")
    journey.send("fail_bead", AGENT, "b1", fence=1, reason="commit_failed")
    journey.person("retry").answer(outcome="RETRY", finalise=True).code()

    assert journey.phase == "RUNNING_FINAL_TEST"
