"""Gates: in which statuses a thing waits for a decision of its own, and what can be decided there.

A status of kind gate goes on by a person's decision. Some stand in such a status only because
something beside them waits (a unit whose part is asked about): those have no decision of their
own. Which they are follows from the rules. And what is still to do asks nobody for anything: a
person begins it when they like.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from interlock.kernel.lanes import is_to_do
from interlock.kernel.machine import Machine
from interlock.kernel.rules import USER, Fire, Rule
from interlock.kernel.table import CompiledRule
from interlock.kernel.workflow import Workflow

Gates = Mapping[tuple[str, str], frozenset[str]]
"""By kind and status: the events that decide there."""

POLICIES: Final = ("review_policy", "policy")
"""The fields by which units say who decides: ``human`` people alone, ``relay`` agents for them."""

HUMAN: Final = "human"
SHOWN: Final = "shown"
"""The field that holds the digest of what a person was shown."""


def gates(flow: Workflow) -> Gates:
    """Return every status in which a decision is waited for, with the events that are one."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for machine in (flow.unit, *(kind.machine for kind in flow.parts)):
        for status in machine.names("gate"):
            if is_to_do(machine.status(status)):
                continue
            events = frozenset(_deciding(flow, machine, status))
            if events:
                found[machine.name, status] = events
    return found


def policy_of(fields: Mapping[str, object]) -> str:
    """Return who may decide about a unit with these fields; people, where it does not say."""
    return next((str(fields[name]) for name in POLICIES if fields.get(name)), HUMAN)


def _deciding(flow: Workflow, machine: Machine, status: str) -> Iterator[str]:
    """Yield what a person can say here that is a decision.

    That is what can be said at gates alone, and what leads on. What may be said anywhere and only
    puts an end to it is a withdrawal.
    """
    at_gates = frozenset(machine.names("gate"))
    for rule in flow.table.rules.values():
        if rule.row.kind != machine.name or USER not in rule.row.actors:
            continue
        admitted = _admitted(flow, machine, rule)
        if status in admitted and (
            admitted <= at_gates or _leads_on(flow, machine, rule.row, status)
        ):
            yield rule.row.event


def _admitted(flow: Workflow, machine: Machine, rule: CompiledRule) -> frozenset[str]:
    """Return the statuses of a kind in which a rule's own guards let it be said."""
    units = flow.unit.names()
    if machine.name == flow.unit.name:
        return frozenset(name for name in units if rule.admits(name, ""))
    return frozenset(
        name for name in machine.names() if any(rule.admits(unit, name) for unit in units)
    )


def _leads_on(flow: Workflow, machine: Machine, rule: Rule, status: str) -> bool:
    """Say whether a rule takes a thing from here to a status that is no bad end."""
    who = "unit" if machine.name == flow.unit.name else "part"
    signals = {one.signal for one in rule.walk if isinstance(one, Fire) and one.who == who}
    for edge in machine.edges:
        if edge.source != status or edge.on not in signals:
            continue
        if edge.target_field:
            return True
        target = machine.status(edge.target)
        if target.kind != "terminal" or target.is_success:
            return True
    return False
