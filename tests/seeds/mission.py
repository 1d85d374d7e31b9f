"""Missions and hops as their document describes them: every row of its two tables is an edge.

A test subject, not a workflow of ours. Where the document names one trigger in both tables (a
proposal is accepted, a design completed, execution started, a hop done or failed) the two move
together; where only the hop's table names it (cancel, delete, fix, reset, failed validation) the
mission is left alone, because nothing says otherwise.

Readings, each in the document's favour: the next hop is proposed only when no other is active, so
that the active hop is the current one (the document does not say which one is); a hop is deleted
without a trace; a reset gives a new mission without hops.
"""

from typing import Final

from interlock.kernel.check.scope import Scope
from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.forms import Any, Functions, In, Is, Not
from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.rules import (
    AGENT,
    NO_ARGS,
    SYSTEM,
    USER,
    Cascade,
    Do,
    Fire,
    Guard,
    Pair,
    Rule,
)
from interlock.kernel.snapshot import begin
from interlock.kernel.workflow import PartKind, Workflow

BOT: Final = frozenset({AGENT})
PERSON: Final = frozenset({USER})
MACHINERY: Final = frozenset({SYSTEM})

LIVE: Final = "PROPOSED READY_FOR_NEXT_HOP BUILDING_HOP HOP_READY_TO_EXECUTE EXECUTING_HOP"
ACTIVE: Final = "PROPOSED READY_TO_RESOLVE READY_TO_EXECUTE EXECUTING"
ACTIVE_STATUSES: Final = tuple(ACTIVE.split())
UNFINISHED: Final = ("READY_TO_RESOLVE", "READY_TO_EXECUTE", "EXECUTING", "FAILED")

MISSION: Final = Machine(
    name="mission",
    initial="PROPOSED",
    statuses=(
        Status("PROPOSED", "gate"),
        Status("READY_FOR_NEXT_HOP"),
        Status("BUILDING_HOP"),
        Status("HOP_READY_TO_EXECUTE", "gate"),
        Status("EXECUTING_HOP"),
        Status("COMPLETED", "terminal", is_success=True),
        Status("FAILED", "terminal"),
        Status("CANCELLED", "terminal"),
    ),
    edges=edges(
        ("PROPOSED", "accept_mission", "READY_FOR_NEXT_HOP"),
        ("READY_FOR_NEXT_HOP", "accept_hop", "BUILDING_HOP"),
        ("READY_FOR_NEXT_HOP", "complete_early", "COMPLETED"),
        ("BUILDING_HOP", "design_completed", "HOP_READY_TO_EXECUTE"),
        ("BUILDING_HOP EXECUTING_HOP", "hop_failed", "FAILED"),
        ("HOP_READY_TO_EXECUTE", "execute", "EXECUTING_HOP"),
        ("HOP_READY_TO_EXECUTE", "reject_design", "BUILDING_HOP"),
        ("EXECUTING_HOP", "hop_completed", "READY_FOR_NEXT_HOP"),
        ("EXECUTING_HOP", "final_hop_completed", "COMPLETED"),
        (LIVE, "system_error", "FAILED"),
        (f"{LIVE} FAILED", "cancel_mission", "CANCELLED"),
        ("COMPLETED FAILED CANCELLED", "reset_mission", "PROPOSED"),
    ),
)

HOP: Final = Machine(
    name="hop",
    initial="PROPOSED",
    statuses=(
        Status("PROPOSED", "gate"),
        Status("READY_TO_RESOLVE"),
        Status("READY_TO_EXECUTE", "gate"),
        Status("EXECUTING"),
        Status("COMPLETED", "terminal", is_success=True),
        Status("FAILED", "terminal"),
        Status("CANCELLED", "terminal"),
    ),
    edges=edges(
        ("PROPOSED", "approve", "READY_TO_RESOLVE"),
        ("READY_TO_RESOLVE", "resolve", "READY_TO_EXECUTE"),
        ("READY_TO_RESOLVE EXECUTING", "fail", "FAILED"),
        ("READY_TO_RESOLVE", "request_changes", "PROPOSED"),
        ("READY_TO_EXECUTE", "request_changes", "READY_TO_RESOLVE"),
        ("READY_TO_EXECUTE", "validation_failed", "READY_TO_RESOLVE"),
        ("READY_TO_EXECUTE", "execute", "EXECUTING"),
        ("EXECUTING", "complete", "COMPLETED"),
        ("FAILED", "fix", "READY_TO_RESOLVE"),
        (f"{ACTIVE} FAILED", "cancel", "CANCELLED"),
        ("CANCELLED", "reset", "PROPOSED"),
    ),
)

# -- what is no edge ---------------------------------------------------------------------------


def _propose(draft: Draft) -> None:
    draft.create(New("hop", "PROPOSED", {}))


def _delete(draft: Draft) -> None:
    draft.drop("part", "deleted")


def _begin_anew(draft: Draft) -> None:
    draft.drop_all("hop")


FUNCTIONS: Final[Functions] = {
    "propose": _propose,
    "delete": _delete,
    "begin_anew": _begin_anew,
}

# -- the triggers ------------------------------------------------------------------------------


def _mission(event: str, who: frozenset[str], sources: str, *walk: Fire | Do) -> Rule:
    """Return a trigger of the mission alone."""
    guard = Guard(In("unit", tuple(sources.split())))
    return Rule(event, "mission", who, (guard,), walk or (Fire("unit", event),))


def _hop(event: str, who: frozenset[str], sources: str, *walk: Fire | Do) -> Rule:
    """Return a trigger of a hop; the document asks only where the hop stands."""
    guard = Guard(In("part", tuple(sources.split())))
    return Rule(event, "hop", who, (guard,), walk)


IS_FINAL: Final = Is("event", "hop", ("final",))
UNLESS_RECOVERABLE: Final = Not(Is("event", "error", ("recoverable",)))
NO_ACTIVE_HOP: Final = Guard(Not(Any("hop", ACTIVE_STATUSES)))

RULES: Final = (
    _mission("accept_mission", PERSON, "PROPOSED"),
    _mission("complete_early", PERSON, "READY_FOR_NEXT_HOP"),
    _mission("system_error", MACHINERY, LIVE),
    _mission("cancel_mission", PERSON, f"{LIVE} FAILED"),
    _mission("reset_mission", PERSON, "COMPLETED FAILED CANCELLED", Fire("unit", "reset_mission"), Do("begin_anew")),
    Rule(
        "propose_hop", "mission", BOT,
        guards=(Guard(In("unit", ("READY_FOR_NEXT_HOP",))), NO_ACTIVE_HOP), walk=(Do("propose"),),
    ),
    # Named in both tables: the two move together.
    _hop("accept_hop", PERSON, "PROPOSED", Fire("part", "approve"),
         Fire("unit", "accept_hop", when=Not(In("unit", ("BUILDING_HOP",))))),
    _hop("complete_resolution", BOT, "READY_TO_RESOLVE", Fire("part", "resolve"), Fire("unit", "design_completed")),
    _hop("execute_hop", PERSON, "READY_TO_EXECUTE", Fire("part", "execute"), Fire("unit", "execute")),
    _hop("reject_design", PERSON, "READY_TO_EXECUTE", Fire("part", "request_changes"), Fire("unit", "reject_design")),
    Rule(
        "hop_completed", "hop", MACHINERY,
        guards=(Guard(In("part", ("EXECUTING",))),),
        walk=(
            Fire("part", "complete"),
            Fire("unit", "final_hop_completed", when=IS_FINAL),
            Fire("unit", "hop_completed", when=Not(IS_FINAL)),
        ),
        examples=(NO_ARGS, {"hop": "final"}),
    ),
    Rule(
        "hop_failed", "hop", MACHINERY,
        guards=(Guard(In("part", ("READY_TO_RESOLVE", "EXECUTING"))),),
        walk=(Fire("part", "fail"), Fire("unit", "hop_failed", when=UNLESS_RECOVERABLE)),
        examples=(NO_ARGS, {"error": "recoverable"}),
    ),
    # Named in the hop's table only.
    _hop("request_changes", PERSON, "READY_TO_RESOLVE", Fire("part", "request_changes")),
    _hop("validation_failed", MACHINERY, "READY_TO_EXECUTE", Fire("part", "validation_failed")),
    _hop("cancel_hop", PERSON, f"{ACTIVE} FAILED", Fire("part", "cancel")),
    _hop("fix_hop", PERSON, "FAILED", Fire("part", "fix")),
    _hop("reset_hop", PERSON, "CANCELLED", Fire("part", "reset")),
    _hop("delete_hop", PERSON, "PROPOSED FAILED CANCELLED", Do("delete")),
)  # fmt: skip

CASCADES: Final = (
    Cascade("mission cancelled", of="mission", enters=("CANCELLED",), to="hop", fire="cancel"),
    Cascade("mission failed", of="mission", enters=("FAILED",), to="hop", fire="fail"),
)

# -- what the document promises ----------------------------------------------------------------

PAIRS: Final = (
    Pair("rule 1", ("BUILDING_HOP",), Any("hop", ("PROPOSED", "READY_TO_RESOLVE"))),
    Pair("rule 2", ("HOP_READY_TO_EXECUTE",), Any("hop", ("READY_TO_EXECUTE",))),
    Pair("rule 3", ("EXECUTING_HOP",), Any("hop", ("EXECUTING",))),
    Pair("rule 4", ("READY_FOR_NEXT_HOP",), Not(Any("hop", UNFINISHED))),
    Pair("cascades 1 and 2", ("CANCELLED", "FAILED"), Not(Any("hop", ACTIVE_STATUSES))),
)
"""The four rules of coordination, and what the first two cascades leave behind."""

HOP_KIND: Final = PartKind(HOP, is_ordered=False)

WORKFLOW: Final = Workflow(
    "mission", MISSION, (HOP_KIND,), RULES, cascades=CASCADES, pairs=PAIRS, functions=FUNCTIONS
)


def scope(hops: int, flow: Workflow = WORKFLOW) -> Scope:
    """Return what a check of missions with up to ``hops`` hops covers."""
    return Scope(flow, (begin(flow),), bounds={"hops": hops}, most={"hop": hops})
