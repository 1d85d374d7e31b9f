"""A few phases of a ticket, with the two ways into BLOCKED_ERROR that its document describes.

A test subject, not a workflow of ours. A phase that errs remembers where it was; a snapshot that
cannot be read back at start-up "moves the ticket to BLOCKED_ERROR", and nothing says that this way
remembers anything. RETRY is rejected when there is no phase to go back to.
"""

from typing import Final

from interlock.kernel.check.scope import Scope
from interlock.kernel.draft import Draft
from interlock.kernel.forms import Functions, In, Is, Not
from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.rules import AGENT, SYSTEM, USER, Do, Fire, Guard, Rule
from interlock.kernel.snapshot import begin
from interlock.kernel.workflow import Field, Workflow

PERSON: Final = frozenset({USER})
MACHINERY: Final = frozenset({SYSTEM})
WORKING: Final = ("SCANNING_RELEVANT_FILES", "CODING", "WAITING_PR_REVIEW")
OPEN: Final = ("DRAFT", *WORKING, "BLOCKED_ERROR")

TICKET: Final = Machine(
    name="ticket",
    initial="DRAFT",
    statuses=(
        Status("DRAFT", "gate"),
        Status("SCANNING_RELEVANT_FILES"),
        Status("CODING"),
        Status("WAITING_PR_REVIEW", "gate"),
        Status("BLOCKED_ERROR", "gate", is_trouble=True),
        Status("COMPLETED", "terminal", is_success=True),
        Status("CANCELED", "terminal"),
    ),
    edges=edges(
        ("DRAFT", "START", "SCANNING_RELEVANT_FILES"),
        ("SCANNING_RELEVANT_FILES", "READY", "CODING"),
        ("CODING", "READY", "WAITING_PR_REVIEW"),
        ("WAITING_PR_REVIEW", "MERGED", "COMPLETED"),
        (" ".join(WORKING), "ERROR", "BLOCKED_ERROR"),
        ("BLOCKED_ERROR", "RETRY", "@previous_status"),
        (" ".join(OPEN), "CANCEL", "CANCELED"),
    ),
)


def _remember(draft: Draft) -> None:
    draft.write("unit", "previous_status", draft.unit.status)


def _forget(draft: Draft) -> None:
    draft.write("unit", "previous_status", None)


FUNCTIONS: Final[Functions] = {"remember_phase": _remember, "forget_phase": _forget}

ERROR: Final = Fire("unit", "ERROR")
HAS_PREVIOUS: Final = Guard(Not(Is("unit", "previous_status", (None,))), "NOTHING_TO_RETRY")


def _in(*statuses: str) -> Guard:
    return Guard(In("unit", statuses))


RULES: Final = (
    Rule("start", "ticket", PERSON, (_in("DRAFT"),), (Fire("unit", "START"),)),
    Rule("phase_done", "ticket", frozenset({AGENT}), (_in(*WORKING[:2]),), (Fire("unit", "READY"),)),
    Rule("merge", "ticket", PERSON, (_in("WAITING_PR_REVIEW"),), (Fire("unit", "MERGED"),)),
    Rule("phase_failed", "ticket", MACHINERY, (_in(*WORKING),), (Do("remember_phase"), ERROR)),
    Rule("snapshot_is_corrupt", "ticket", MACHINERY, (_in(*WORKING),), (ERROR,)),
    Rule(
        "retry", "ticket", PERSON, (_in("BLOCKED_ERROR"), HAS_PREVIOUS),
        (Fire("unit", "RETRY"), Do("forget_phase")),
    ),
    Rule("cancel", "ticket", PERSON, (_in(*OPEN),), (Fire("unit", "CANCEL"),)),
)  # fmt: skip

WORKFLOW: Final = Workflow(
    "ticket", TICKET, (), RULES, fields=(Field("previous_status"),), functions=FUNCTIONS
)


def scope(flow: Workflow = WORKFLOW) -> Scope:
    """Return what a check of the excerpt covers: all of it."""
    return Scope(flow, (begin(flow),), bounds={})
