"""The whole workflow: every story holds, and a ticket goes from a draft to a merge."""

from interlock.kernel.forms import Named, leaves
from interlock.kernel.rules import Do
from interlock.workflows.ticket.workflow import WORKFLOW
from tests.workflows.ticket.journey import Journey
from tests.workflows.ticket.stories import broken, stories
from tests.workflows.ticket.story import DIGEST

BEADS = [{"title": "a"}, {"title": "b", "needs": [0]}]


def test_nothing_is_broken() -> None:
    assert broken(WORKFLOW) == []


def test_every_event_has_a_story() -> None:
    assert {story.call for story in stories()} == {rule.event for rule in WORKFLOW.rules}


def test_every_registered_function_is_used() -> None:
    walks = {s.name for rule in WORKFLOW.rules for s in rule.walk if isinstance(s, Do)}
    cascades = {cascade.do for cascade in WORKFLOW.cascades if cascade.do}
    tests = [guard.test for rule in WORKFLOW.rules for guard in rule.guards]
    tests += [s.when for rule in WORKFLOW.rules for s in rule.walk if s.when is not None]
    named = {leaf.name for test in tests for leaf in leaves(test) if isinstance(leaf, Named)}
    lease = {"never_claimed", "lease_is_takeable", "keep_lease", "lapse_lease"}

    assert walks | cascades | named == set(WORKFLOW.functions) - lease


def _planned(journey: Journey, members: int) -> Journey:
    journey.person("start").answer(outcome="START").answer(outcome="RELEVANT_FILES_READY")
    for _ in range(2 * members):
        journey.answer()
    journey.answer(outcome="READY").answer(outcome="BATCH_READY").person("answer_batch")
    journey.answer(outcome="INTERVIEW_COMPLETE").answer(outcome="COVERAGE_CLEAN", digest=DIGEST)
    for _ in range(2):
        journey.person("approve", digest=DIGEST)
        for _ in range(2 * members):
            journey.answer()
        journey.answer(outcome="REFINED")
        journey.answer(outcome="COVERAGE_CLEAN", digest=DIGEST, beads=BEADS)
    return journey.person("approve", digest=DIGEST)


def test_a_ticket_from_a_draft_to_a_merge() -> None:
    journey = _planned(Journey.at("DRAFT", members=3, quorum=2), members=3)
    journey.answer(outcome="CHECKS_PASSED")
    journey.answer(outcome="EXECUTION_SETUP_PLAN_READY", digest=DIGEST)
    journey.person("approve", digest=DIGEST).answer(outcome="EXECUTION_SETUP_READY")
    journey.code().code()
    for outcome in ("TESTS_PASSED", "INTEGRATION_DONE", "PULL_REQUEST_READY"):
        journey.answer(outcome=outcome)
    journey.person("merge").answer(outcome="MERGE_COMPLETE").answer(outcome="CLEANUP_DONE")

    assert " ".join(journey.signals) == (
        "START RELEVANT_FILES_READY QUESTIONS_READY WINNER_SELECTED READY BATCH_ANSWERED "
        "INTERVIEW_COMPLETE COVERAGE_CLEAN APPROVE DRAFTS_READY WINNER_SELECTED REFINED "
        "COVERAGE_CLEAN APPROVE DRAFTS_READY WINNER_SELECTED REFINED COVERAGE_CLEAN APPROVE "
        "CHECKS_PASSED EXECUTION_SETUP_PLAN_READY APPROVE_EXECUTION_SETUP_PLAN "
        "EXECUTION_SETUP_READY BEAD_COMPLETE BEAD_COMPLETE ALL_BEADS_DONE TESTS_PASSED "
        "INTEGRATION_DONE PULL_REQUEST_READY MERGE_COMPLETE CLEANUP_DONE"
    )
    assert journey.phase == "COMPLETED"
