"""Branches: what a condition that hangs on a step does once the step has completed.

Conditions are asked in order, the first true one acts, and every answer is noted for the audit
entry. Nothing that happens in here can fail the submit it rides on: an expression has no way to
raise, and an action that does not fit any more is noted as not applicable.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.expression import Expression, Grammar, InvalidExpression, evaluate, parse
from interlock.kernel.seen import Branch

GRAMMAR: Final = Grammar(
    roots=frozenset({"result", "confidence", "result_summary", "step", "plan", "decision"}),
    default_root="result",
)
ACTIONS: Final = ("skip_to", "add_steps", "fail", "continue")
Action = Literal["skip_to", "add_steps", "fail", "continue"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a true condition does to the steps: which are skipped, which added, does it fail."""

    action: Action
    is_applied: bool
    why_not: str = ""
    skipped: tuple[int, ...] = ()
    added: tuple[Mapping[str, object], ...] = ()
    reason: str = ""


def evaluate_condition(text: str, scope: Mapping[str, object]) -> bool:
    """Say whether an expression holds; one that cannot be read counts as false."""
    try:
        return evaluate(parse(text, GRAMMAR), scope)
    except InvalidExpression:
        return False


def resolve_branch(
    action: str,
    params: Mapping[str, object],
    statuses: Sequence[str],
    completed: int,
    target: int | None = None,
) -> Resolution:
    """Return what a true condition does; ``completed`` and ``target`` are places from 0."""
    if action == "skip_to":
        return _skip(statuses, completed, target)
    if action == "add_steps":
        rows = cast("Sequence[Mapping[str, object]]", params.get("steps", ()))
        return Resolution("add_steps", is_applied=True, added=tuple(rows))
    if action == "fail":
        return Resolution("fail", is_applied=True, reason=str(params.get("reason", "")))
    return Resolution("continue", is_applied=True)


def _skip(statuses: Sequence[str], completed: int, target: int | None) -> Resolution:
    if target is None or not completed < target < len(statuses):
        return Resolution("skip_to", is_applied=False, why_not="the target is no longer later")
    if statuses[target] != "pending":
        return Resolution("skip_to", is_applied=False, why_not="the target is no longer pending")
    between = range(completed + 1, target)
    skipped = tuple(place for place in between if statuses[place] == "pending")
    return Resolution("skip_to", is_applied=True, skipped=skipped)


def read_expression(text: str) -> Expression:
    """Parse a condition's expression; raises InvalidExpression with position and expectation."""
    return parse(text, GRAMMAR)


def take_branches(draft: Draft) -> None:
    """Ask the conditions of the completed step in order and act on the first true one."""
    if draft.seen.conditions == ():
        return
    branches = draft.branches()
    scope = _scope(draft)
    outcomes: list[dict[str, object]] = []
    fired = False
    for place, branch in enumerate(branches):
        value = not fired and evaluate(branch.expression, scope)
        why_not = "" if value else "an earlier condition fired" if fired else "false"
        if value:
            fired = True
            why_not = _act(draft, place, branch)
        outcomes.append(
            {
                "expression": str(branch.expression),
                "value": value,
                "action": branch.action,
                "applied": value and not why_not,
                "why_not": why_not,
            }
        )
    draft.note("branches", outcomes)


def _scope(draft: Draft) -> dict[str, object]:
    args = draft.event.args
    known = ("result", "confidence", "result_summary", "decision")
    scope: dict[str, object] = {name: args[name] for name in known if name in args}
    step = draft.part
    scope["step"] = {"status": step.status, "attempt": step.fields["attempt"]}
    scope["plan"] = {"status": draft.unit.status}
    return scope


def _act(draft: Draft, place: int, branch: Branch) -> str:
    """Do what the branch says; return why it could not be done, or the empty string."""
    if branch.action == "skip_to":
        target = branch.target
        if target is None or not target.is_later:
            return "the target is no longer later"
        if target.status != "pending":
            return "the target is no longer pending"
        draft.move_all("step", "pass_over", reason="skip_to", branch=place)
    elif branch.action == "add_steps":
        rows = cast("Sequence[Mapping[str, object]]", branch.params.get("steps", ()))
        if not has_room(draft, len(rows)):
            return "the plan has no room for more steps"
        add_rows(draft, rows, after="part")
    elif branch.action == "fail":
        reason = str(branch.params.get("reason", ""))
        draft.fire("unit", "fail_branch", reason=reason)
        draft.write("unit", "failure", reason)
    return ""


def has_room(draft: Draft, count: int) -> bool:
    """Say whether the plan may grow by ``count`` steps."""
    limit = cast("int", draft.unit.fields["max_steps"])
    return sum(draft.counts("step").values()) + count <= limit


def add_rows(draft: Draft, rows: Sequence[Mapping[str, object]], after: str = "") -> None:
    """Make steps from the rows a caller or a condition wrote.

    ``needs`` of a row names others by their place among the new, ``uses`` older ones by id.
    """
    kind = draft.flow.kind("step")
    if after:
        draft.write("unit", "is_shuffled", value=True)
    for row in rows:
        fields = {**kind.defaults(), **{k: v for k, v in row.items() if k in kind.defaults()}}
        needs = cast("Sequence[int]", row.get("needs", ()))
        uses = cast("Sequence[str]", row.get("uses", ()))
        draft.create(
            New("step", kind.machine.initial, fields, after, needs=tuple(needs), uses=tuple(uses))
        )
