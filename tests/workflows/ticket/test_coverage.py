"""Coverage: audits are counted, capped, and a cap is no error."""

import pytest

from interlock.workflows.ticket.coverage import AUDITS_MAX
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.journey import Journey
from tests.workflows.ticket.story import DIGEST, Story, told
from tests.workflows.ticket.work_stories import COVERAGE

GAPS = {"outcome": "GAPS_FOUND", "digest": DIGEST, "beads": [{}]}


@pytest.mark.parametrize("story", COVERAGE, ids=lambda story: story.title)
def test_an_audit(story: Story) -> None:
    assert told(WORKFLOW, story) == ""


def test_the_caps_are_the_specifications() -> None:
    assert sorted(AUDITS_MAX.values()) == [2, 5, 5]


@pytest.mark.parametrize(
    ("phase", "gate"),
    [
        ("VERIFYING_PRD_COVERAGE", "WAITING_PRD_APPROVAL"),
        ("VERIFYING_BEADS_COVERAGE", "WAITING_BEADS_APPROVAL"),
    ],
)
def test_five_audits_with_gaps_mean_four_revisions(phase: str, gate: str) -> None:
    journey = Journey.at(phase, work="offered")
    for _ in range(4):
        journey.answer(**GAPS)

        assert journey.phase == phase

    journey.answer(**GAPS)

    assert journey.phase == gate
    assert journey.signals == ["GAPS_FOUND"] * 4 + ["COVERAGE_LIMIT_REACHED"]


def test_a_retry_starts_the_audits_of_a_phase_anew() -> None:
    journey = Journey.at("VERIFYING_PRD_COVERAGE", work="offered")
    for _ in range(4):
        journey.answer(**GAPS)
    journey.clock("error").person("retry").answer(**GAPS)

    assert journey.phase == "VERIFYING_PRD_COVERAGE"


def test_a_retry_does_not_start_the_audits_of_the_interview_anew() -> None:
    journey = Journey.at("VERIFYING_INTERVIEW_COVERAGE", work="offered")
    journey.answer(**GAPS).clock("error").person("retry")
    journey.answer(outcome="INTERVIEW_COMPLETE").answer(**GAPS)

    assert journey.phase == "WAITING_INTERVIEW_APPROVAL"
