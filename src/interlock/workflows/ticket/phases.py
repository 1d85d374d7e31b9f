"""The inventory of a ticket's phases: one row each, and nothing about phases stands elsewhere.

The machine, the board, the timeline, the views and editors, progress and the docs are all made
from these rows. A phase is the ticket's word for a status. ``role`` and ``task`` say what work
leaves the server there; in a user's phase it is work beside the user's own turn (a batch of
questions, the setup plan) or work that a command asked for (init, restore, merge).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from interlock.kernel.machine import Kind, Status

GROUPS: Final[Mapping[str, str]] = MappingProxyType({
    "todo": "To Do",
    "discovery": "Discovery",
    "interview": "Interview",
    "prd": "Specs (PRD)",
    "beads": "Blueprint (Beads)",
    "pre_implementation": "Pre-Implementation",
    "implementation": "Implementation",
    "post_implementation": "Post-Implementation",
    "done": "Done",
    "errors": "Errors",
})  # fmt: skip

TO_DO: Final = "to do"
COLUMNS: Final[Mapping[Kind, str]] = MappingProxyType(
    {"active": "in progress", "gate": "needs you", "terminal": "done"}
)


@dataclass(frozen=True, slots=True)
class Phase:
    """One row of the inventory. ``actor`` is whose turn it is; nobody's once the ticket ended."""

    name: str
    label: str
    group: str
    view: str
    review: str
    is_editable: bool
    has_member_logs: bool
    progress: str
    actor: str
    role: str = ""
    task: str = ""

    @property
    def kind(self) -> Kind:
        """A phase that goes on only when a person has decided is a gate."""
        if not self.actor:
            return "terminal"
        return "gate" if self.actor == "user" else "active"

    @property
    def column(self) -> str:
        """The column of the board; a draft waits for a person too, but it is not urgent."""
        return TO_DO if self.group == "todo" else COLUMNS[self.kind]

    def status(self) -> Status:
        """Return the row as a status of the machine, with everything a page shows."""
        return Status(
            self.name, self.kind, self.label, self.group,
            is_success=self.name == "COMPLETED",
            is_trouble=self.group == "errors",
            shown=MappingProxyType({
                "view": self.view,
                "review_artifact": self.review,
                "editable": "yes" if self.is_editable else "no",
                "multi_model_logs": "yes" if self.has_member_logs else "no",
                "progress_kind": self.progress,
                "board_column": self.column,
                "actor": self.actor,
            }),
        )  # fmt: skip


YES: Final = True
NO: Final = False

# fmt: off
PHASES: Final = (
    #     phase                               label                          group                  view            review artifact         edit logs progress     actor          role           task
    Phase("DRAFT",                            "Backlog",                     "todo",                "draft",        "",                     YES, NO,  "",          "user",        "workspace",   "init"),
    Phase("SCANNING_RELEVANT_FILES",          "Scanning Relevant Files",     "discovery",           "council",      "",                     YES, NO,  "",          "implementer", "implementer", "scan"),
    Phase("COUNCIL_DELIBERATING",             "Council Drafting Questions",  "interview",           "council",      "",                     YES, YES, "",          "council",     "council",     "draft"),
    Phase("COUNCIL_VOTING_INTERVIEW",         "Voting on Questions",         "interview",           "council",      "",                     YES, YES, "",          "council",     "council",     "vote"),
    Phase("COMPILING_INTERVIEW",              "Refining Interview",          "interview",           "council",      "",                     YES, NO,  "",          "winner",      "winner",      "refine"),
    Phase("WAITING_INTERVIEW_ANSWERS",        "Interviewing",                "interview",           "interview_qa", "",                     YES, NO,  "questions", "user",        "winner",      "batch"),
    Phase("VERIFYING_INTERVIEW_COVERAGE",     "Coverage Check (Interview)",  "interview",           "council",      "",                     YES, NO,  "",          "winner",      "winner",      "audit"),
    Phase("WAITING_INTERVIEW_APPROVAL",       "Approving Interview",         "interview",           "approval",     "interview",            YES, NO,  "",          "user"),
    Phase("DRAFTING_PRD",                     "Council Drafting Specs",      "prd",                 "council",      "",                     YES, YES, "",          "council",     "council",     "draft"),
    Phase("COUNCIL_VOTING_PRD",               "Voting on Specs",             "prd",                 "council",      "",                     YES, YES, "",          "council",     "council",     "vote"),
    Phase("REFINING_PRD",                     "Refining Specs",              "prd",                 "council",      "",                     YES, NO,  "",          "winner",      "winner",      "refine"),
    Phase("VERIFYING_PRD_COVERAGE",           "Coverage Check (PRD)",        "prd",                 "council",      "",                     YES, NO,  "",          "winner",      "winner",      "audit"),
    Phase("WAITING_PRD_APPROVAL",             "Approving Specs",             "prd",                 "approval",     "prd",                  YES, NO,  "",          "user"),
    Phase("DRAFTING_BEADS",                   "Council Drafting Blueprint",  "beads",               "council",      "",                     YES, YES, "",          "council",     "council",     "draft"),
    Phase("COUNCIL_VOTING_BEADS",             "Voting on Blueprint",         "beads",               "council",      "",                     YES, YES, "",          "council",     "council",     "vote"),
    Phase("REFINING_BEADS",                   "Refining Blueprint",          "beads",               "council",      "",                     YES, NO,  "",          "winner",      "winner",      "refine"),
    Phase("VERIFYING_BEADS_COVERAGE",         "Coverage Check (Beads)",      "beads",               "council",      "",                     YES, NO,  "",          "winner",      "winner",      "audit"),
    Phase("WAITING_BEADS_APPROVAL",           "Approving Blueprint",         "beads",               "approval",     "beads",                YES, NO,  "",          "user"),
    Phase("PRE_FLIGHT_CHECK",                 "Checking Readiness",          "pre_implementation",  "coding",       "",                     YES, NO,  "",          "workspace",   "workspace",   "check"),
    Phase("WAITING_EXECUTION_SETUP_APPROVAL", "Approving Workspace Setup",   "pre_implementation",  "approval",     "execution_setup_plan", YES, NO,  "",          "user",        "implementer", "plan"),
    Phase("PREPARING_EXECUTION_ENV",          "Preparing Workspace Runtime", "pre_implementation",  "coding",       "",                     NO,  NO,  "",          "implementer", "implementer", "prepare"),
    Phase("CODING",                           "Implementing (Bead ?/?)",     "implementation",      "coding",       "",                     NO,  NO,  "beads",     "implementer"),
    Phase("RUNNING_FINAL_TEST",               "Testing Implementation",      "post_implementation", "coding",       "",                     NO,  NO,  "",          "implementer", "implementer", "test"),
    Phase("INTEGRATING_CHANGES",              "Preparing Final Commit",      "post_implementation", "coding",       "",                     NO,  NO,  "",          "workspace",   "workspace",   "integrate"),
    Phase("CREATING_PULL_REQUEST",            "Creating Pull Request",       "post_implementation", "coding",       "",                     NO,  NO,  "",          "implementer", "implementer", "publish"),
    Phase("WAITING_PR_REVIEW",                "Reviewing Pull Request",      "post_implementation", "coding",       "",                     NO,  NO,  "",          "user",        "workspace",   "merge"),
    Phase("CLEANING_ENV",                     "Cleaning Up",                 "post_implementation", "coding",       "",                     NO,  NO,  "",          "workspace",   "workspace",   "clean"),
    Phase("COMPLETED",                        "Done",                        "done",                "done",         "",                     NO,  NO,  "",          ""),
    Phase("CANCELED",                         "Canceled",                    "done",                "canceled",     "",                     NO,  NO,  "",          ""),
    Phase("BLOCKED_ERROR",                    "Error (reason)",              "errors",              "error",        "",                     NO,  NO,  "",          "user",        "workspace",   "restore"),
)
# fmt: on

BY_NAME: Final[Mapping[str, Phase]] = MappingProxyType({phase.name: phase for phase in PHASES})


def _those(keep: Callable[[Phase], bool]) -> tuple[str, ...]:
    return tuple(phase.name for phase in PHASES if keep(phase))


def between(first: str, last: str) -> tuple[str, ...]:
    """Return the phases from one to another, both included, in the order of the inventory."""
    names = tuple(BY_NAME)
    return names[names.index(first) : names.index(last) + 1]


BLOCKED: Final = "BLOCKED_ERROR"
ANSWERS: Final = "WAITING_INTERVIEW_ANSWERS"
SETUP: Final = "WAITING_EXECUTION_SETUP_APPROVAL"
REVIEW: Final = "WAITING_PR_REVIEW"

LIVE: Final = _those(lambda p: p.kind != "terminal")
ENDED: Final = _those(lambda p: p.kind == "terminal")
RUNNING: Final = tuple(name for name in LIVE if name != BLOCKED)
"""Where a ticket can be when something goes wrong, and so what a RETRY can lead back to."""

EDITABLE: Final = _those(lambda p: p.is_editable)
APPROVALS: Final = _those(lambda p: bool(p.review))
ROUNDS: Final = _those(lambda p: p.role == "council")
VOTES: Final = _those(lambda p: p.task == "vote")
REFINES: Final = _those(lambda p: p.task == "refine")
AUDITS: Final = _those(lambda p: p.task == "audit")

ON_REQUEST: Final = ("DRAFT", REVIEW, BLOCKED)
"""Where work is offered only when a person's command asks for it, one piece at a time."""

OFFERING: Final = _those(lambda p: bool(p.task) and p.name not in ON_REQUEST)
"""Entering one of these offers its work: to whom and what, the inventory says."""

BOUND: Final = _those(
    lambda p: bool(p.task) and p.name in between("PRE_FLIGHT_CHECK", BLOCKED) and p.name != SETUP
)
"""Where work is done in the ticket's own tree, so only at the site where that is."""

TRIED: Final = ("PREPARING_EXECUTION_ENV", "RUNNING_FINAL_TEST")
"""Where an attempt that failed is followed by another one."""

WORKING: Final = tuple(name for name in OFFERING if BY_NAME[name].kind == "active")
"""The active phases whose work is an assignment; in CODING the beads themselves are claimed."""

PLANNING: Final = between("DRAFT", "VERIFYING_BEADS_COVERAGE")
"""Before there are beads."""

READYING: Final = between("WAITING_BEADS_APPROVAL", "PREPARING_EXECUTION_ENV")
"""There are beads, and none was begun."""

DELIVERING: Final = between("RUNNING_FINAL_TEST", "CLEANING_ENV")
"""Every bead is done."""
