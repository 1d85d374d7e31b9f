"""The inventory is the seed's, row for row, and everything shown of a phase comes from it."""

import pytest

from interlock.workflows.ticket.machine import TICKET
from interlock.workflows.ticket.phases import GROUPS, PHASES, between
from interlock.workflows.ticket.workflow import WORKFLOW

# Typed from seed 004: phase | label | group | view | review artifact | editable | logs | progress.
SEED = """
DRAFT | Backlog | todo | draft | | yes | no |
SCANNING_RELEVANT_FILES | Scanning Relevant Files | discovery | council | | yes | no |
COUNCIL_DELIBERATING | Council Drafting Questions | interview | council | | yes | yes |
COUNCIL_VOTING_INTERVIEW | Voting on Questions | interview | council | | yes | yes |
COMPILING_INTERVIEW | Refining Interview | interview | council | | yes | no |
WAITING_INTERVIEW_ANSWERS | Interviewing | interview | interview_qa | | yes | no | questions
VERIFYING_INTERVIEW_COVERAGE | Coverage Check (Interview) | interview | council | | yes | no |
WAITING_INTERVIEW_APPROVAL | Approving Interview | interview | approval | interview | yes | no |
DRAFTING_PRD | Council Drafting Specs | prd | council | | yes | yes |
COUNCIL_VOTING_PRD | Voting on Specs | prd | council | | yes | yes |
REFINING_PRD | Refining Specs | prd | council | | yes | no |
VERIFYING_PRD_COVERAGE | Coverage Check (PRD) | prd | council | | yes | no |
WAITING_PRD_APPROVAL | Approving Specs | prd | approval | prd | yes | no |
DRAFTING_BEADS | Council Drafting Blueprint | beads | council | | yes | yes |
COUNCIL_VOTING_BEADS | Voting on Blueprint | beads | council | | yes | yes |
REFINING_BEADS | Refining Blueprint | beads | council | | yes | no |
VERIFYING_BEADS_COVERAGE | Coverage Check (Beads) | beads | council | | yes | no |
WAITING_BEADS_APPROVAL | Approving Blueprint | beads | approval | beads | yes | no |
PRE_FLIGHT_CHECK | Checking Readiness | pre_implementation | coding | | yes | no |
WAITING_EXECUTION_SETUP_APPROVAL | Approving Workspace Setup | pre_implementation | approval | execution_setup_plan | yes | no |
PREPARING_EXECUTION_ENV | Preparing Workspace Runtime | pre_implementation | coding | | no | no |
CODING | Implementing (Bead ?/?) | implementation | coding | | no | no | beads
RUNNING_FINAL_TEST | Testing Implementation | post_implementation | coding | | no | no |
INTEGRATING_CHANGES | Preparing Final Commit | post_implementation | coding | | no | no |
CREATING_PULL_REQUEST | Creating Pull Request | post_implementation | coding | | no | no |
WAITING_PR_REVIEW | Reviewing Pull Request | post_implementation | coding | | no | no |
CLEANING_ENV | Cleaning Up | post_implementation | coding | | no | no |
COMPLETED | Done | done | done | | no | no |
CANCELED | Canceled | done | canceled | | no | no |
BLOCKED_ERROR | Error (reason) | errors | error | | no | no |
"""
SEED_GROUPS = """
todo | To Do
discovery | Discovery
interview | Interview
prd | Specs (PRD)
beads | Blueprint (Beads)
pre_implementation | Pre-Implementation
implementation | Implementation
post_implementation | Post-Implementation
done | Done
errors | Errors
"""
# Typed from the specification, section 1.
ACTORS = {
    "user": "DRAFT WAITING_INTERVIEW_ANSWERS WAITING_INTERVIEW_APPROVAL WAITING_PRD_APPROVAL "
    "WAITING_BEADS_APPROVAL WAITING_EXECUTION_SETUP_APPROVAL WAITING_PR_REVIEW BLOCKED_ERROR",
    "council": "COUNCIL_DELIBERATING COUNCIL_VOTING_INTERVIEW COUNCIL_VOTING_PRD "
    "COUNCIL_VOTING_BEADS DRAFTING_PRD DRAFTING_BEADS",
    "winner": "COMPILING_INTERVIEW REFINING_PRD REFINING_BEADS VERIFYING_INTERVIEW_COVERAGE "
    "VERIFYING_PRD_COVERAGE VERIFYING_BEADS_COVERAGE",
    "implementer": "SCANNING_RELEVANT_FILES PREPARING_EXECUTION_ENV CODING RUNNING_FINAL_TEST "
    "CREATING_PULL_REQUEST",
    "workspace": "PRE_FLIGHT_CHECK INTEGRATING_CHANGES CLEANING_ENV",
    "": "COMPLETED CANCELED",
}
COLUMNS = {
    "to do": {"DRAFT"},
    "needs you": set(ACTORS["user"].split()) - {"DRAFT"},
    "done": {"COMPLETED", "CANCELED"},
}


def _table(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def test_the_inventory_is_the_seed_row_for_row() -> None:
    rows = [
        [
            status.name, status.label, status.group, shown["view"], shown["review_artifact"],
            shown["editable"], shown["multi_model_logs"], shown["progress_kind"],
        ]
        for status in TICKET.statuses
        for shown in [status.shown]
    ]  # fmt: skip

    assert rows == _table(SEED)


def test_the_groups_are_the_seeds_in_order() -> None:
    assert [[name, label] for name, label in GROUPS.items()] == _table(SEED_GROUPS)
    assert WORKFLOW.groups == GROUPS


def test_the_machine_has_the_phases_of_the_inventory() -> None:
    assert TICKET.names() == tuple(phase.name for phase in PHASES)
    assert len(PHASES) == 30


def test_the_groups_follow_each_other_in_the_inventory() -> None:
    assert list(dict.fromkeys(phase.group for phase in PHASES)) == list(GROUPS)


@pytest.mark.parametrize("actor", ACTORS)
def test_whose_turn_it_is(actor: str) -> None:
    named = {status.name for status in TICKET.statuses if status.shown["actor"] == actor}

    assert named == set(ACTORS[actor].split())


def test_what_waits_for_a_person_is_a_gate() -> None:
    assert set(TICKET.names("gate")) == set(ACTORS["user"].split())
    assert TICKET.names("terminal") == ("COMPLETED", "CANCELED")
    assert [s.name for s in TICKET.statuses if s.is_success] == ["COMPLETED"]
    assert [s.name for s in TICKET.statuses if s.is_trouble] == ["BLOCKED_ERROR"]


def test_every_phase_has_its_column_on_the_board() -> None:
    for phase in PHASES:
        named = [column for column, names in COLUMNS.items() if phase.name in names]

        assert phase.status().shown["board_column"] == (named or ["in progress"])[0]


def test_phases_between_two_include_both() -> None:
    assert between("CODING", "INTEGRATING_CHANGES") == (
        "CODING", "RUNNING_FINAL_TEST", "INTEGRATING_CHANGES",
    )  # fmt: skip
