"""The table of tasks: what each piece of work of a ticket shows, asks for, and allows.

One row for each phase that hands out work; nothing else about tasks stands elsewhere. A task of a
council's domain is named by both words (``prd_vote``), any other one by its own (``scan``); its
prompt has the same name, and the schema of its answer stands under the group of its phase in
``schemas``. A task of the worker's own hands has neither prompt nor context: no model is asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

DOMAINS: Final = ("interview", "prd", "beads")
"""What the council works on; the groups of a ticket's phases that have the same names."""

Reach = Literal["none", "read", "write"]
"""What an agent may do in the working tree meanwhile, beside answering."""


@dataclass(frozen=True, slots=True)
class Task:
    """One row. ``context`` is the allow-list of what a model is shown, in this order."""

    domain: str
    task: str
    context: tuple[str, ...] = ()
    reach: Reach = "none"

    @property
    def name(self) -> str:
        """The name of the task and of its prompt."""
        return f"{self.domain}_{self.task}" if self.domain else self.task

    @property
    def is_asked(self) -> bool:
        """Whether a model is asked."""
        return bool(self.context)

    @property
    def prompt(self) -> str:
        """The name of its prompt; none where no model is asked."""
        return self.name if self.is_asked else ""


def _row(domain: str, task: str, reach: Reach, context: str) -> Task:
    # What a person said when they let it be tried again is for whoever tries.
    return Task(domain, task, (*context.split(), "user_note"), reach)


# fmt: off
TASKS: Final = (
    #    domain       task       reach    what is shown
    Task("",          "init"),
    # Whoever has no hands cannot look; the names of the files are all that it has then.
    _row("",          "scan",    "read",  "ticket_details repository"),
    _row("interview", "draft",   "read",  "ticket_details relevant_files"),
    _row("interview", "vote",    "none",  "ticket_details relevant_files drafts"),
    _row("interview", "refine",  "read",  "ticket_details relevant_files drafts"),
    # Each batch is asked for anew, so what was said until then is shown with it.
    _row("interview", "batch",   "none",  "ticket_details session"),
    _row("interview", "audit",   "none",  "ticket_details user_answers interview"),
    # Full answers and specification are one answer: the first is made from the interview.
    _row("prd",       "draft",   "read",  "ticket_details relevant_files interview"),
    _row("prd",       "vote",    "none",  "ticket_details relevant_files interview drafts"),
    _row("prd",       "refine",  "read",  "ticket_details relevant_files full_answers drafts"),
    _row("prd",       "audit",   "read",  "full_answers prd"),
    _row("beads",     "draft",   "read",  "ticket_details relevant_files prd"),
    _row("beads",     "vote",    "none",  "ticket_details relevant_files prd drafts"),
    _row("beads",     "refine",  "read",  "ticket_details relevant_files prd drafts"),
    # The last audit also expands the blueprint, for which files have to be known.
    _row("beads",     "audit",   "read",  "ticket_details relevant_files prd blueprint"),
    Task("",          "check"),
    _row("",          "plan",    "read",  "ticket_details relevant_files prd beads"
         " execution_setup_plan execution_setup_profile execution_setup_plan_notes"),
    _row("",          "prepare", "write", "ticket_details beads"
         " execution_setup_plan execution_setup_notes"),
    # Whoever builds a bead sees that bead, and what was learnt from it; nothing else.
    _row("",          "code",    "write", "bead_data bead_notes"),
    _row("",          "test",    "write", "ticket_details prd beads final_test_notes"),
    Task("",          "integrate"),
    _row("",          "publish", "read",  "ticket_details prd"),
    Task("",          "merge"),
    Task("",          "clean"),
    Task("",          "restore"),
)
# fmt: on

BY_KEY: Final[Mapping[tuple[str, str], Task]] = MappingProxyType(
    {(one.domain, one.task): one for one in TASKS}
)

PLANNING: Final = tuple(one for one in TASKS if one.domain or one.task == "scan")
"""The tasks that end with an approved blueprint."""

EXECUTION: Final = tuple(one for one in TASKS if one not in PLANNING and one.task != "init")
"""The tasks that come after it: what is handed in is a report, but for the setup plan."""


def task_of(group: str, task: str) -> Task:
    """Return the row of a task handed out in a phase of a group; raises ``KeyError``."""
    return BY_KEY[group if group in DOMAINS else "", task]
