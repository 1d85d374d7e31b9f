"""What each event does to a plan, story by story; and that a decision does not grow with it."""

import pytest

from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision
from interlock.kernel.refusal import Refusal
from interlock.kernel.rules import AGENT, SYSTEM, USER
from interlock.kernel.seen import Event, Seen
from interlock.kernel.snapshot import begin, new_part
from interlock.workflows.plan.rules import FUNCTIONS, RULES
from interlock.workflows.plan.workflow import WORKFLOW
from tests.workflows.plan.stories import OFFERED, STORIES
from tests.workflows.story import ME, Story, told

TOOLS = {
    "claim": "get_next_step",
    "submit": "submit_step_result",
    "heartbeat": "heartbeat_step",
    "release": "release_step",
    "take_over": "take_over_step",
    "lapse": "",
    "request_review": "request_user_review",
    "approve": "submit_user_decision approve",
    "modify": "submit_user_decision modify",
    "skip": "submit_user_decision skip",
    "reject": "submit_user_decision reject",
    "fail_step": "modify_plan fail_step",
    "retry_step": "modify_plan retry_step",
    "remove_step": "modify_plan remove_step",
    "update_step_instructions": "modify_plan update_step_instructions",
    "add_steps": "modify_plan add_steps",
    "insert_steps": "modify_plan add_steps",
    "visit": "get_research_context",
    "update_plan": "modify_plan update_plan",
    "fail_plan": "fail_plan",
}


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_a_story(story: Story) -> None:
    assert told(WORKFLOW, "step", story) == ""


def test_every_event_has_a_story_that_is_accepted_and_one_that_is_refused() -> None:
    events = {rule.event for rule in RULES}

    assert {story.event for story in STORIES if not story.refused} == events
    assert {story.event for story in STORIES if story.refused} == events


def test_every_code_is_told_in_some_story() -> None:
    codes = {guard.code for rule in RULES for guard in rule.guards} | {"NOT_ALLOWED"}

    assert {story.refused for story in STORIES if story.refused} == codes


def test_the_events_carry_the_names_of_the_tools() -> None:
    assert {rule.event: rule.command for rule in RULES} == TOOLS


def test_only_the_clock_says_that_a_lease_ran_out_and_only_a_person_fails_a_plan() -> None:
    system = {rule.event for rule in RULES if SYSTEM in rule.actors}
    people = {rule.event for rule in RULES if AGENT not in rule.actors and USER in rule.actors}

    assert system == {"lapse"}
    assert people == {"fail_plan"}


def test_a_guard_with_a_code_of_its_own_says_what_to_do() -> None:
    own = [g for rule in RULES for g in rule.guards if g.code != "INVALID_TRANSITION"]

    assert [guard.code for guard in own if not (guard.message and guard.fix)] == []


def test_where_a_step_event_is_offered_is_written_down_for_all_but_notes() -> None:
    steps = {rule.event for rule in RULES if rule.kind == "step"}

    assert steps - OFFERED.keys() == {"update_step_instructions", "insert_steps"}


def test_every_registered_function_is_named_by_a_row() -> None:
    rows = str((RULES, WORKFLOW.parts, WORKFLOW.cascades, WORKFLOW.pairs))

    assert [name for name in FUNCTIONS if f"'{name}'" not in rows] == []


def _submitted(steps: int) -> Decision:
    """Claim and submit the first of so many steps, from a slice as a store would load it."""
    part = new_part(WORKFLOW, "step")
    seen = Seen(begin(WORKFLOW).unit, {"step": {"pending": steps}}, part=part)
    claimed = decide(WORKFLOW, seen, Event("claim", ME, 0))
    seen = Seen(claimed.unit, claimed.tally, part=claimed.part, conditions=())
    return decide(WORKFLOW, seen, Event("submit", ME, 0, {"fence": 1}))


def test_a_submit_writes_the_same_into_a_plan_of_ten_thousand_steps_as_into_one_of_ten() -> None:
    small, large = _submitted(10), _submitted(10_000)

    assert large.entries == small.entries
    assert large.tally == {"step": {"pending": 9_999, "completed": 1}}


def test_a_refusal_names_the_rule_what_is_legal_and_who_may_do_it() -> None:
    part = new_part(WORKFLOW, "step")
    seen = Seen(begin(WORKFLOW).unit, {"step": {"pending": 1}}, part=part)
    with pytest.raises(Refusal) as caught:
        decide(WORKFLOW, seen, Event("retry_step", ME, 0))
    legal = {row.event: row.actors for row in caught.value.legal}

    assert caught.value.rule == "the unit is executing or stalled"
    assert legal["claim"] == ("agent", "user", "worker")
    assert "retry_step" not in legal
