"""The research plan as its documents describe it, handler by handler, with nothing mended.

A test subject, not a workflow of ours. The two maps are the documents' maps. A step's edges are
named after the trigger the document gives; a plan's edges are named after their target, because
the handlers ask for a target ("set the plan to whatever was derived") and raise when the map has
none. What the document does not check is not guarded here.

Readings: setting a plan to the status it has already is no transition; only submit derives, as
only its description says so; retry is the map's edge and nothing more, since no tool is described.
Steps carry who holds them only so that the checker can let that agent die and send an old result:
no rule looks at it, except that a running step can only be submitted by somebody who worked on it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from interlock.kernel.check.scope import Scope, Turn, Variant
from interlock.kernel.check.variants import AGENT_ACTOR, STRANGER
from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.expression import Grammar, parse
from interlock.kernel.forms import All, Any, Either, Functions, In, Named, Not
from interlock.kernel.lease import grant
from interlock.kernel.machine import Edge, Machine, Status, edges
from interlock.kernel.rules import AGENT, USER, Do, Fire, Guard, Pair, Rule
from interlock.kernel.snapshot import begin, new_part
from interlock.kernel.workflow import PartKind, Workflow, lease

PLATFORM: Final = frozenset({AGENT})
PERSON: Final = frozenset({USER})
SETTLED: Final = ("completed", "skipped", "failed")

PLAN_MAP: Final[Mapping[str, tuple[str, ...]]] = {
    "planning": ("executing", "failed"),
    "executing": ("awaiting_review", "stalled", "completed", "failed"),
    "awaiting_review": ("executing", "failed"),
    "stalled": ("executing", "failed"),
}

PLAN: Final = Machine(
    name="plan",
    initial="planning",
    statuses=(
        Status("planning"),
        Status("executing"),
        Status("awaiting_review", "gate", is_asked=True),
        Status("stalled"),
        Status("completed", "terminal", is_success=True),
        Status("failed", "terminal"),
    ),
    edges=tuple(Edge(source, to, to) for source, targets in PLAN_MAP.items() for to in targets),
)

STEP: Final = Machine(
    name="step",
    initial="pending",
    statuses=(
        Status("pending"),
        Status("in_progress"),
        Status("awaiting_input", "gate", is_asked=True),
        Status("completed", "terminal", is_success=True),
        Status("skipped", "terminal"),
        Status("failed", "terminal"),
    ),
    edges=edges(
        ("pending", "get_next_step", "in_progress"),
        ("pending", "skip_to", "skipped"),
        ("in_progress", "request_user_review", "awaiting_input"),
        ("in_progress", "submit_step_result", "completed"),
        ("in_progress", "fail_step", "failed"),
        ("awaiting_input", "modify", "in_progress"),
        ("awaiting_input", "approve", "completed"),
        ("awaiting_input", "skip", "skipped"),
        ("awaiting_input", "reject", "failed"),
        ("failed", "retry", "pending"),
    ),
)

# -- what the handlers do beyond an edge -------------------------------------------------------


def derive_plan_status(counts: Mapping[str, int]) -> str:
    """Return the document's derivePlanStatus, its four rules in their order."""
    if not counts:
        return "planning"
    if "awaiting_input" in counts:
        return "awaiting_review"
    return "completed" if all(status in SETTLED for status in counts) else "executing"


def _set_plan(draft: Draft) -> None:
    status = derive_plan_status(draft.counts("step"))
    if draft.unit.status != status:
        draft.fire("unit", status)


def _branch_then_set_plan(draft: Draft) -> None:
    """Act on the branch that fired, if one did; a ``fail`` returns before anything is derived."""
    action = next((branch.action for branch in draft.branches()), "continue")
    if action == "fail":
        draft.fire("unit", "failed")
        return
    if action == "add_steps":
        _add_step(draft, after="part")
    elif action == "skip_to":
        draft.move_all("step", "skip_to", branch=0)
    _set_plan(draft)


def _add_step(draft: Draft, after: str = "") -> None:
    draft.create(New("step", "pending", draft.flow.kind("step").defaults(), after))


def _remove_step(draft: Draft) -> None:
    draft.drop("part", "removed")


def _worked_on_it(draft: Draft) -> bool:
    """Say whether the caller has a result at all. The document lets in everybody who has."""
    return draft.part.status == "pending" or draft.event.args.get("fence") is not None


FUNCTIONS: Final[Functions] = {
    "branch_then_set_plan": _branch_then_set_plan,
    "add_step": _add_step,
    "remove_step": _remove_step,
    "worked_on_it": _worked_on_it,
    "remember_who_works": grant,
}

# -- the handlers ------------------------------------------------------------------------------

STARTS_THE_STEP: Final = Fire("part", "get_next_step", when=In("part", ("pending",)))
CHANGEABLE: Final = Guard(In("unit", ("planning", "executing")))
WORKED_ON_IT: Final = Guard(Named("worked_on_it"))


def _step_is(*statuses: str) -> Guard:
    return Guard(In("part", statuses))


def _decision(name: str, plan: str) -> Rule:
    """Return one row of the table of decisions: effect on the step, effect on the plan."""
    return Rule(
        name,
        "step",
        PERSON,
        (_step_is("awaiting_input"),),
        (Fire("part", name), Fire("unit", plan)),
    )


RULES: Final = (
    Rule(
        "get_next_step", "step", PLATFORM,
        guards=(Guard(In("unit", ("planning", "executing", "stalled"))), _step_is("pending")),
        walk=(
            Fire("part", "get_next_step"),
            Fire("unit", "executing", when=In("unit", ("planning", "stalled"))),
            Do("remember_who_works"),
        ),
        sees=("next",),
    ),
    Rule(
        "submit_step_result", "step", PLATFORM, lease=True,
        guards=(_step_is("in_progress", "pending"), WORKED_ON_IT),
        walk=(STARTS_THE_STEP, Fire("part", "submit_step_result"), Do("branch_then_set_plan")),
        sees=("part", "conditions"),
    ),
    Rule(
        "request_user_review", "step", PLATFORM, lease=True,
        guards=(_step_is("in_progress"), Guard(In("unit", ("executing",))), WORKED_ON_IT),
        walk=(Fire("part", "request_user_review"), Fire("unit", "awaiting_review")),
    ),
    _decision("approve", "executing"),
    _decision("reject", "failed"),
    _decision("modify", "executing"),
    _decision("skip", "executing"),
    Rule("add_steps", "plan", PLATFORM, (CHANGEABLE,), (Do("add_step"),)),
    Rule("remove_step", "step", PLATFORM, (CHANGEABLE, _step_is("pending")), (Do("remove_step"),)),
    Rule(
        "fail_step", "step", PLATFORM,
        guards=(CHANGEABLE, _step_is("pending", "in_progress")), walk=(Fire("part", "fail_step"),),
    ),
    Rule("retry", "step", PLATFORM, (_step_is("failed"),), (Fire("part", "retry"),)),
    Rule(
        "get_plan_status", "plan", frozenset({AGENT, USER}),
        guards=(Guard(In("unit", ("executing",))), Guard(Any("step", ("in_progress",)))),
        walk=(Fire("unit", "stalled"),),
    ),
)  # fmt: skip

# -- what the document promises ----------------------------------------------------------------

ASKS: Final = Any("step", ("awaiting_input",))
NO_STEPS: Final = Not(Any("step", STEP.names()))

PAIRS: Final = (
    Pair("planning: nothing begun", ("planning",), Either((NO_STEPS, All("step", ("pending",))))),
    Pair("awaiting_review is derived", ("awaiting_review",), ASKS),
    Pair("executing is derived", ("executing", "stalled"), Any("step", ("pending", "in_progress"))),
    Pair("no review is forgotten", ("executing", "stalled"), Not(ASKS)),
    Pair("an ended plan has no open step", ("completed", "failed"), All("step", SETTLED)),
)
"""Stored status equals derived status, where ``planning`` and ``stalled`` stand for executing;
and what ``terminal`` must mean for a plan that failed, which is never derived."""

STEP_KIND: Final = PartKind(
    machine=STEP,
    fields=lease("in_progress"),
    closed=frozenset(SETTLED),
    claim="get_next_step",
    claimable=In("part", ("pending",)),
)

WORKFLOW: Final = Workflow("plan", PLAN, (STEP_KIND,), RULES, pairs=PAIRS, functions=FUNCTIONS)

# -- what is explored --------------------------------------------------------------------------

FIRES: Final = parse("go === true", Grammar(frozenset({"result"}), "result"))


def scope(steps: int, flow: Workflow = WORKFLOW) -> Scope:
    """Return what a check of plans with up to ``steps`` steps covers."""
    starts = tuple(
        replace(begin(flow), parts=tuple(new_part(flow, "step") for _ in range(count)))
        for count in range(1, steps + 1)
    )
    return Scope(
        flow, starts, bounds={"steps": steps}, most={"step": steps}, extra=tuple(_branching(steps))
    )


def _branching(steps: int) -> Iterator[Variant]:
    turns = [Turn(FIRES, "fail"), Turn(FIRES, "add_steps")]
    turns += [Turn(FIRES, "skip_to", ahead=ahead) for ahead in range(2, steps)]
    for turn in turns:
        for actor, fence in ((AGENT_ACTOR, "current"), (STRANGER, "none")):
            yield Variant("submit_step_result", "step", actor, {}, fence, (turn,))
