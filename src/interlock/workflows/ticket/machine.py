"""The ticket's map: its 30 phases (from the inventory) and the edges between them.

The actors of an edge say who brings it about. An edge that a worker may fire and that does not
lead into trouble is an outcome: a worker's answer may name it. What is lifted from parts, or
found by a clock, is the system's.
"""

from typing import Final

from interlock.kernel.machine import Machine, edges
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER
from interlock.workflows.ticket.phases import BLOCKED, PHASES, RUNNING, between

HANDS: Final = frozenset({AGENT, WORKER})
"""Whoever can take work: the bundled worker, or an agent."""

PERSON: Final = frozenset({USER})
PEOPLE: Final = frozenset({USER, AGENT})
"""A person, or an agent that relays a person's decision where the ticket's policy allows it."""

CLOCK: Final = frozenset({SYSTEM})
WATCHERS: Final = frozenset({SYSTEM, WORKER, USER})
"""Who sees what happens elsewhere: a webhook, the bundled worker, a person; no agent is heard."""

FAULT: Final = HANDS | CLOCK

AFTER_INTERVIEW: Final = between("DRAFTING_PRD", "WAITING_BEADS_APPROVAL")
"""The interview is approved and can still be reopened."""

AFTER_PRD: Final = between("DRAFTING_BEADS", "WAITING_BEADS_APPROVAL")
"""The PRD is approved and can still be reopened."""

BEFORE_CODING: Final = between("PRE_FLIGHT_CHECK", "PREPARING_EXECUTION_ENV")
"""A ticket that is blocked here can have its blueprint reopened."""

SETTING_UP: Final = ("PREPARING_EXECUTION_ENV",)
"""A ticket that is blocked here can have its setup plan reopened."""

DELIVERED: Final = "CLEANING_ENV"
CANCELLABLE: Final = tuple(name for name in (*RUNNING, BLOCKED) if name != DELIVERED)

FALLIBLE: Final = tuple(name for name in RUNNING if name != "DRAFT")
"""Where ERROR leads to BLOCKED_ERROR; DRAFT has INIT_FAILED."""


def _all(*names: str) -> str:
    return " ".join(names)


# fmt: off
TICKET: Final = Machine(
    name="ticket",
    initial="DRAFT",
    statuses=tuple(phase.status() for phase in PHASES),
    edges=edges(
        # from                               event                              to                                  by
        ("DRAFT",                            "START",                           "SCANNING_RELEVANT_FILES",          HANDS),
        ("DRAFT",                            "INIT_FAILED",                     BLOCKED,                            FAULT),
        ("SCANNING_RELEVANT_FILES",          "RELEVANT_FILES_READY",            "COUNCIL_DELIBERATING",             HANDS),
        ("COUNCIL_DELIBERATING",             "QUESTIONS_READY",                 "COUNCIL_VOTING_INTERVIEW",         CLOCK),
        ("COUNCIL_VOTING_INTERVIEW",         "WINNER_SELECTED",                 "COMPILING_INTERVIEW",              CLOCK),
        ("COMPILING_INTERVIEW",              "READY",                           "WAITING_INTERVIEW_ANSWERS",        HANDS),
        ("WAITING_INTERVIEW_ANSWERS",        "BATCH_ANSWERED",                  "WAITING_INTERVIEW_ANSWERS",        PEOPLE),
        ("WAITING_INTERVIEW_ANSWERS",        "INTERVIEW_COMPLETE",              "VERIFYING_INTERVIEW_COVERAGE",     HANDS),
        ("WAITING_INTERVIEW_ANSWERS",        "SKIP_ALL_TO_APPROVAL",            "WAITING_INTERVIEW_APPROVAL",       PEOPLE),
        ("VERIFYING_INTERVIEW_COVERAGE",     "COVERAGE_CLEAN",                  "WAITING_INTERVIEW_APPROVAL",       HANDS),
        ("VERIFYING_INTERVIEW_COVERAGE",     "COVERAGE_LIMIT_REACHED",          "WAITING_INTERVIEW_APPROVAL",       CLOCK),
        ("VERIFYING_INTERVIEW_COVERAGE",     "GAPS_FOUND",                      "WAITING_INTERVIEW_ANSWERS",        HANDS),
        ("WAITING_INTERVIEW_APPROVAL",       "APPROVE",                         "DRAFTING_PRD",                     PEOPLE),
        ("DRAFTING_PRD",                     "DRAFTS_READY",                    "COUNCIL_VOTING_PRD",               CLOCK),
        ("COUNCIL_VOTING_PRD",               "WINNER_SELECTED",                 "REFINING_PRD",                     CLOCK),
        ("REFINING_PRD",                     "REFINED",                         "VERIFYING_PRD_COVERAGE",           HANDS),
        ("VERIFYING_PRD_COVERAGE",           "GAPS_FOUND",                      "VERIFYING_PRD_COVERAGE",           HANDS),
        ("VERIFYING_PRD_COVERAGE",           "COVERAGE_CLEAN",                  "WAITING_PRD_APPROVAL",             HANDS),
        ("VERIFYING_PRD_COVERAGE",           "COVERAGE_LIMIT_REACHED",          "WAITING_PRD_APPROVAL",             CLOCK),
        ("WAITING_PRD_APPROVAL",             "APPROVE",                         "DRAFTING_BEADS",                   PEOPLE),
        ("DRAFTING_BEADS",                   "DRAFTS_READY",                    "COUNCIL_VOTING_BEADS",             CLOCK),
        ("COUNCIL_VOTING_BEADS",             "WINNER_SELECTED",                 "REFINING_BEADS",                   CLOCK),
        ("REFINING_BEADS",                   "REFINED",                         "VERIFYING_BEADS_COVERAGE",         HANDS),
        ("VERIFYING_BEADS_COVERAGE",         "GAPS_FOUND",                      "VERIFYING_BEADS_COVERAGE",         HANDS),
        ("VERIFYING_BEADS_COVERAGE",         "COVERAGE_CLEAN",                  "WAITING_BEADS_APPROVAL",           HANDS),
        ("VERIFYING_BEADS_COVERAGE",         "COVERAGE_LIMIT_REACHED",          "WAITING_BEADS_APPROVAL",           CLOCK),
        ("WAITING_BEADS_APPROVAL",           "APPROVE",                         "PRE_FLIGHT_CHECK",                 PEOPLE),
        ("PRE_FLIGHT_CHECK",                 "CHECKS_PASSED",                   "WAITING_EXECUTION_SETUP_APPROVAL", HANDS),
        ("PRE_FLIGHT_CHECK",                 "CHECKS_FAILED",                   BLOCKED,                            FAULT),
        ("WAITING_EXECUTION_SETUP_APPROVAL", "EXECUTION_SETUP_PLAN_READY",      "WAITING_EXECUTION_SETUP_APPROVAL", HANDS),
        ("WAITING_EXECUTION_SETUP_APPROVAL", "REGENERATE_EXECUTION_SETUP_PLAN", "WAITING_EXECUTION_SETUP_APPROVAL", PEOPLE),
        ("WAITING_EXECUTION_SETUP_APPROVAL", "APPROVE_EXECUTION_SETUP_PLAN",    "PREPARING_EXECUTION_ENV",          PEOPLE),
        ("WAITING_EXECUTION_SETUP_APPROVAL", "EXECUTION_SETUP_PLAN_FAILED",     BLOCKED,                            FAULT),
        ("PREPARING_EXECUTION_ENV",          "EXECUTION_SETUP_READY",           "CODING",                           HANDS),
        ("PREPARING_EXECUTION_ENV",          "EXECUTION_SETUP_FAILED",          BLOCKED,                            FAULT),
        ("CODING",                           "BEAD_COMPLETE",                   "CODING",                           HANDS),
        ("CODING",                           "ALL_BEADS_DONE",                  "RUNNING_FINAL_TEST",               CLOCK),
        ("CODING",                           "BEAD_ERROR",                      BLOCKED,                            CLOCK),
        ("RUNNING_FINAL_TEST",               "TESTS_PASSED",                    "INTEGRATING_CHANGES",              HANDS),
        ("RUNNING_FINAL_TEST",               "TESTS_FAILED",                    BLOCKED,                            FAULT),
        ("INTEGRATING_CHANGES",              "INTEGRATION_DONE",                "CREATING_PULL_REQUEST",            HANDS),
        ("CREATING_PULL_REQUEST",            "PULL_REQUEST_READY",              "WAITING_PR_REVIEW",                HANDS),
        ("WAITING_PR_REVIEW",                "MERGE_COMPLETE",                  "CLEANING_ENV",                     HANDS | WATCHERS),
        ("WAITING_PR_REVIEW",                "CLOSE_UNMERGED_COMPLETE",         "CLEANING_ENV",                     PEOPLE),
        ("CLEANING_ENV",                     "CLEANUP_DONE",                    "COMPLETED",                        HANDS | PERSON),
        (_all(*FALLIBLE),                    "ERROR",                           BLOCKED,                            FAULT),
        (BLOCKED,                            "RETRY",                           "@previous",                        PEOPLE | HANDS),
        (_all(*CANCELLABLE),                 "CANCEL",                          "CANCELED",                         PERSON),
        (_all(*AFTER_INTERVIEW, BLOCKED),    "REOPEN_INTERVIEW",                "WAITING_INTERVIEW_APPROVAL",       PEOPLE),
        (_all(*AFTER_PRD, BLOCKED),          "REOPEN_PRD",                      "WAITING_PRD_APPROVAL",             PEOPLE),
        (BLOCKED,                            "REOPEN_BEADS",                    "WAITING_BEADS_APPROVAL",           PEOPLE),
        (BLOCKED,                            "REOPEN_SETUP",                    "WAITING_EXECUTION_SETUP_APPROVAL", PEOPLE),
    ),
)
# fmt: on

FAILURES: Final = {
    "DRAFT": "INIT_FAILED",
    "PRE_FLIGHT_CHECK": "CHECKS_FAILED",
    "WAITING_EXECUTION_SETUP_APPROVAL": "EXECUTION_SETUP_PLAN_FAILED",
    "PREPARING_EXECUTION_ENV": "EXECUTION_SETUP_FAILED",
    "RUNNING_FINAL_TEST": "TESTS_FAILED",
}
"""The phases whose work has a failure event of its own; everywhere else it is ERROR."""
