"""The table of tasks has what the phases hand out, row for row, and shows no more than it may."""

from interlock.ticketing.context import KINDS
from interlock.ticketing.prompt import prompts
from interlock.ticketing.tasks import BY_KEY, DOMAINS, PLANNING, TASKS
from interlock.workflows.ticket.phases import BY_NAME, PHASES, between

HANDING_OUT = [phase for phase in PHASES if phase.task]


def test_every_phase_that_hands_out_work_has_exactly_one_row_and_nothing_else_has() -> None:
    wanted = [(one.group, one.task) for one in HANDING_OUT]

    assert sorted(wanted) == sorted((one.domain, one.task) for one in TASKS)
    assert len(BY_KEY) == len(TASKS)


def test_a_task_of_the_council_is_named_with_its_domain() -> None:
    assert BY_KEY["prd", "vote"].name == "prd_vote"
    assert BY_KEY["discovery", "scan"].name == "scan"
    assert len({one.name for one in TASKS}) == len(TASKS)


def test_a_model_is_asked_wherever_the_work_is_not_the_worker_s_own() -> None:
    for phase in HANDING_OUT:
        row = BY_KEY[phase.group, phase.task]
        assert row.is_asked == (phase.role != "workspace")
        assert row.prompt == (row.name if row.is_asked else "")


def test_every_task_of_planning_has_its_prompt_and_every_prompt_its_task() -> None:
    planning = {
        (phase.group, phase.task)
        for phase in HANDING_OUT
        if phase.name in between("SCANNING_RELEVANT_FILES", "WAITING_BEADS_APPROVAL")
    }

    assert {BY_KEY[one] for one in planning} == set(PLANNING)
    assert {one.prompt for one in PLANNING} == set(prompts())


def test_only_kinds_that_there_are_can_be_shown_and_none_twice() -> None:
    for row in TASKS:
        assert set(row.context) <= set(KINDS)
        assert len(set(row.context)) == len(row.context)


def test_voters_see_drafts_and_nothing_to_search_and_drafters_see_no_drafts() -> None:
    for domain in DOMAINS:
        vote, draft = BY_KEY[domain, "vote"], BY_KEY[domain, "draft"]
        assert (vote.reach, "drafts" in vote.context) == ("none", True)
        assert "drafts" not in draft.context
        assert "votes" not in BY_KEY[domain, "refine"].context


def test_before_the_work_begins_nothing_is_written() -> None:
    writing = {row.task for row in TASKS if row.reach == "write"}

    assert writing == {BY_NAME["PREPARING_EXECUTION_ENV"].task, BY_NAME["RUNNING_FINAL_TEST"].task}
