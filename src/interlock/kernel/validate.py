"""Do the rows of a workflow fit together? Names, slices, functions; not yet whether it is sound.

Returns every mistake at once, each with the nearest right name, so that whoever writes a
workflow mends it in one go.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from interlock.kernel.forms import All, Any, Count, Form, In, Named, leaves
from interlock.kernel.rules import ACTORS, Cascade, Do, Rule
from interlock.kernel.seen import SLICES

if TYPE_CHECKING:
    from interlock.kernel.machine import Machine
    from interlock.kernel.workflow import Workflow


def mistakes(flow: "Workflow") -> tuple[str, ...]:
    """Return what is wrong with the rows, in table order."""
    found = [text for machine in flow.machines() for text in _machine(machine)]
    found.extend(_rules(flow))
    found.extend(_interlock(flow))
    return tuple(found)


def nearest(name: str, known: object) -> str:
    """Return a hint that names the nearest known word, or lists what is known."""
    words = sorted(str(word) for word in known) if isinstance(known, set | frozenset) else []
    close = get_close_matches(name, words, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(words)}"


def _machine(machine: "Machine") -> Iterator[str]:
    names = frozenset(machine.names())
    if machine.initial not in names:
        yield f"{machine.name}: initial status {machine.initial!r} is not in the table; " + nearest(
            machine.initial, names
        )
    for edge in machine.edges:
        for status in (edge.source, edge.target):
            if status not in names and not (status == edge.target and edge.target_field):
                yield f"{machine.name}: edge {edge.on!r} names {status!r}; {nearest(status, names)}"


def _rules(flow: "Workflow") -> Iterator[str]:
    kinds = frozenset(m.name for m in flow.machines())
    for rule in flow.rules:
        where = f"rule {rule.event}"
        if rule.kind not in kinds:
            yield f"{where}: kind {rule.kind!r}; {nearest(rule.kind, kinds)}"
        if not rule.actors or not rule.actors <= ACTORS:
            yield f"{where}: actors must be some of {', '.join(sorted(ACTORS))}"
        for name in rule.sees:
            if name not in SLICES:
                yield f"{where}: slice {name!r}; {nearest(name, frozenset(SLICES))}"
        yield from _rule_forms(flow, rule)


def _rule_forms(flow: "Workflow", rule: Rule) -> Iterator[str]:
    where = f"rule {rule.event}"
    for guard in rule.guards:
        yield from _form(flow, where, guard.test, rule.kind)
    for stage in rule.walk:
        if stage.when is not None:
            yield from _form(flow, where, stage.when, rule.kind)
        if isinstance(stage, Do):
            yield from _function(flow, where, stage.name)


def _interlock(flow: "Workflow") -> Iterator[str]:
    for lift in flow.lifts:
        yield from _form(flow, f"lift {lift.name}", lift.when)
        if any(e.on == lift.fire and e.source == e.target for e in flow.unit.edges):
            yield f"lift {lift.name}: {lift.fire!r} is a self-loop and would be lifted for ever"
    for cascade in flow.cascades:
        yield from _cascade(flow, cascade)
    statuses = frozenset(flow.unit.names())
    for pair in flow.pairs:
        yield from _form(flow, f"pair {pair.name}", pair.holds)
        for status in pair.units:
            if status not in statuses:
                yield f"pair {pair.name}: status {status!r}; {nearest(status, statuses)}"


def _cascade(flow: "Workflow", cascade: Cascade) -> Iterator[str]:
    kinds = frozenset(m.name for m in flow.machines())
    where = f"cascade {cascade.name}"
    for kind in (cascade.of, cascade.to):
        if kind and kind not in kinds:
            yield f"{where}: kind {kind!r}; {nearest(kind, kinds)}"
    if cascade.when is not None:
        yield from _form(flow, where, cascade.when)
    if cascade.do:
        yield from _function(flow, where, cascade.do)


def _function(flow: "Workflow", where: str, name: str) -> Iterator[str]:
    if name not in flow.functions:
        yield f"{where}: function {name!r} is not registered; " + nearest(
            name, frozenset(flow.functions)
        )


def _form(flow: "Workflow", where: str, form: Form, kind: str = "") -> Iterator[str]:
    for leaf in leaves(form):
        if isinstance(leaf, Named):
            yield from _function(flow, where, leaf.name)
        elif isinstance(leaf, All | Any | Count):
            yield from _statuses(flow, where, leaf.kind, leaf.statuses)
        elif isinstance(leaf, In) and leaf.who in ("unit", "part"):
            of = flow.unit.name if leaf.who == "unit" else kind
            if of and (of == flow.unit.name) == (leaf.who == "unit"):
                yield from _statuses(flow, where, of, leaf.statuses)


def _statuses(flow: "Workflow", where: str, kind: str, statuses: tuple[str, ...]) -> Iterator[str]:
    known = {m.name: frozenset(m.names()) for m in flow.machines()}
    if kind not in known:
        yield f"{where}: kind {kind!r}; {nearest(kind, frozenset(known))}"
        return
    for status in statuses:
        if status not in known[kind]:
            yield f"{where}: {kind} has no status {status!r}; {nearest(status, known[kind])}"
