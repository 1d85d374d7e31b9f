"""Do the rows of a workflow fit together? Names, slices, functions; not yet whether it is sound.

Returns every mistake at once, each with the nearest right name, so that whoever writes a
workflow mends it in one go.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, get_args

from interlock.kernel.expression import InvalidExpression, parse
from interlock.kernel.forms import GRAMMAR, All, Any, By, Count, Form, In, Is, Named, Says, leaves
from interlock.kernel.rules import ACTORS, SYSTEM, VERBS, Cascade, Do, Rule, Whom
from interlock.kernel.seen import SLICES

if TYPE_CHECKING:
    from interlock.kernel.machine import Machine
    from interlock.kernel.timer import Timer
    from interlock.kernel.workflow import Field, PartKind, Workflow


def mistakes(flow: "Workflow") -> tuple[str, ...]:
    """Return what is wrong with the rows, in table order.

    That a signal has no edge is none: a stage may find no edge, and a row may be taken out.
    """
    found = list(_twice("kind", (machine.name for machine in flow.machines())))
    if flow.held:
        found.extend(_field(f"{flow.name}: held", flow.held, flow.fields))
    found.extend(text for machine in flow.machines() for text in _machine(flow, machine))
    found.extend(text for kind in flow.parts for text in _kind(flow, kind))
    found.extend(_timer(flow, flow.unit.name, flow.timer))
    found.extend(text for kind in flow.parts for text in _timer(flow, kind.name, kind.timer))
    found.extend(_two_clocks(flow))
    found.extend(_trouble(flow))
    found.extend(_twice("rule", (rule.event for rule in flow.rules)))
    found.extend(_rules(flow))
    found.extend(_interlock(flow))
    return tuple(found)


def nearest(name: str, known: object) -> str:
    """Return a hint that names the nearest known word, or lists what is known."""
    words = sorted(str(word) for word in known) if isinstance(known, set | frozenset) else []
    close = get_close_matches(name, words, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(words)}"


def _twice(what: str, names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{what} {name!r} is in the table twice"
        seen.add(name)


def _machine(flow: "Workflow", machine: "Machine") -> Iterator[str]:
    names = frozenset(machine.names())
    yield from _twice(f"{machine.name}: status", machine.names())
    if machine.initial not in names:
        yield f"{machine.name}: initial status {machine.initial!r} is not in the table; " + nearest(
            machine.initial, names
        )
    fields = _fields(flow, machine.name)
    yield from _during(machine, fields)
    for edge in machine.edges:
        where = f"{machine.name}: edge {edge.on!r}"
        for status in (edge.source, edge.target):
            if status not in names and not (status == edge.target and edge.target_field):
                yield f"{where} names {status!r}; {nearest(status, names)}"
        if edge.target_field:
            yield from _field(f"{where}: {machine.name}", edge.target_field, fields)
        for guard in edge.guards:
            yield from _form(flow, where, guard.test)


def _during(machine: "Machine", fields: Iterable["Field"]) -> Iterator[str]:
    names = frozenset(machine.names())
    for field in fields:
        for status in field.during:
            if status not in names:
                where = f"{machine.name}: field {field.name!r}"
                yield f"{where} lives in {status!r}; {nearest(status, names)}"


def _kind(flow: "Workflow", kind: "PartKind") -> Iterator[str]:
    kinds = frozenset(part.name for part in flow.parts)
    if kind.parent and kind.parent not in kinds:
        yield f"{kind.name}: parent {kind.parent!r}; {nearest(kind.parent, kinds)}"
    yield from _statuses(flow, f"{kind.name}: closed", kind.name, tuple(sorted(kind.closed)))
    events = frozenset(rule.event for rule in flow.rules if rule.kind == kind.name)
    if kind.claim and kind.claim not in events:
        yield f"{kind.name}: claim {kind.claim!r} is no event; {nearest(kind.claim, events)}"
    yield from _statuses(flow, f"{kind.name}: alone", kind.name, tuple(sorted(kind.alone)))
    for verb, event in kind.verbs.items():
        if verb not in VERBS:
            yield f"{kind.name}: verb {verb!r}; {nearest(verb, frozenset(VERBS))}"
        if event not in events:
            yield f"{kind.name}: {verb} {event!r} is no event; {nearest(event, events)}"
    for form in (kind.claimable, kind.first):
        if form is not None:
            yield from _form(flow, f"{kind.name}: queue", form, kind.name)


def _two_clocks(flow: "Workflow") -> Iterator[str]:
    """Find kinds with a lease and a timer: a row has one instant at which something is due."""
    for kind in flow.parts:
        if kind.timer is not None and any(field.name == "fence" for field in kind.fields):
            yield f"{kind.name}: has a lease, so it has no timer; its lapse says that time is up"


def _timer(flow: "Workflow", name: str, timer: "Timer | None") -> Iterator[str]:
    if timer is None:
        return
    where = f"{name}: timer"
    yield from _field(where, timer.field, _fields(flow, name))
    if timer.when:
        yield from _field(where, timer.when, _fields(flow, name))
    yield from _statuses(flow, where, name, (*timer.during, *timer.anew))
    if not timer.during:
        yield f"{where} runs in no status"
    events = frozenset(rule.event for rule in flow.rules if rule.kind == name)
    for event in (timer.event, *timer.renewed):
        if event not in events:
            yield f"{where}: {event!r} is no event; {nearest(event, events)}"
    rule = next((rule for rule in flow.rules if rule.event == timer.event), None)
    if rule is not None and SYSTEM not in rule.actors:
        yield f"{where}: {timer.event!r} is not for {SYSTEM}, which sends it"


def _trouble(flow: "Workflow") -> Iterator[str]:
    trouble = flow.trouble
    if trouble is None:
        return
    where, name = f"{flow.name}: trouble", flow.unit.name
    yield from _statuses(flow, where, name, (trouble.status,))
    for field in (trouble.previous, trouble.lost, trouble.error, trouble.count):
        yield from _field(where, field, flow.fields)
    rules = {rule.event: rule for rule in flow.rules if rule.kind == name}
    if trouble.event not in rules:
        yield f"{where}: {trouble.event!r} is no event; {nearest(trouble.event, frozenset(rules))}"
    elif SYSTEM not in rules[trouble.event].actors:
        yield f"{where}: {trouble.event!r} is not for {SYSTEM}, which sends it"


def _fields(flow: "Workflow", kind: str) -> tuple["Field", ...]:
    """Return the fields of a kind; the empty kind stands for any part."""
    if kind == flow.unit.name:
        return flow.fields
    return tuple(f for part in flow.parts if kind in ("", part.name) for f in part.fields)


def _field(where: str, name: str, fields: Iterable["Field"]) -> Iterator[str]:
    known = frozenset(field.name for field in fields)
    if name not in known:
        yield f"{where} has no field {name!r}; {nearest(name, known)}"


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
        lifted = (flow.unit,) if lift.who == "unit" else (part.machine for part in flow.parts)
        if any(e.on == lift.fire and e.source == e.target for m in lifted for e in m.edges):
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
    if cascade.of in kinds:
        yield from _statuses(flow, where, cascade.of, (*cascade.enters, *cascade.leaves))
    if cascade.whom not in get_args(Whom):
        yield f"{where}: whom {cascade.whom!r}; {nearest(cascade.whom, frozenset(get_args(Whom)))}"
    if cascade.fire and not cascade.to:
        yield f"{where}: fires {cascade.fire!r} on no kind; known: {', '.join(sorted(kinds))}"
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
    """Look at what a form names; ``kind`` is what it is asked about, where one knows."""
    known = kind if any(kind == machine.name for machine in flow.machines()) else ""
    for leaf in leaves(form):
        if isinstance(leaf, All | Any | Count):
            yield from _statuses(flow, where, leaf.kind, leaf.statuses)
            if isinstance(leaf, Count) and isinstance(leaf.than, str):
                yield from _field(f"{where}: {flow.unit.name}", leaf.than, flow.fields)
        elif isinstance(leaf, In | Is) and _is_lost(flow, leaf.who, known):
            yield f"{where}: asks about the {leaf.who}, but it is about the {known}"
        elif isinstance(leaf, In):
            yield from _standing(flow, where, leaf, known)
        elif isinstance(leaf, Is) and leaf.who != "event":
            of = _asked(flow, leaf.who, known)
            yield from _field(f"{where}: {of or leaf.who}", leaf.name, _fields(flow, of))
        else:
            yield from _word(flow, where, leaf)


def _word(flow: "Workflow", where: str, leaf: Form) -> Iterator[str]:
    """Look at a form that names no status and no field."""
    if isinstance(leaf, Named):
        yield from _function(flow, where, leaf.name)
    elif isinstance(leaf, By) and not ACTORS.issuperset(leaf.actors):
        yield f"{where}: actors must be some of {', '.join(sorted(ACTORS))}"
    elif isinstance(leaf, Says):
        try:
            parse(leaf.text, GRAMMAR)
        except InvalidExpression as wrong:
            yield f"{where}: {leaf.text!r} cannot be read: {wrong}"


def _is_lost(flow: "Workflow", who: str, kind: str) -> bool:
    """Say whether somebody asks about the part of a rule that is about the unit."""
    return who in ("part", "parent") and kind == flow.unit.name


def _asked(flow: "Workflow", who: str, kind: str) -> str:
    """Return the kind that a role stands for; the empty string where it may be any part's."""
    if who == "unit":
        return flow.unit.name
    if not kind or who == "current":
        return ""
    parents = {part.name: part.parent for part in flow.parts}
    return kind if who == "part" else parents.get(kind, "")


def _standing(flow: "Workflow", where: str, leaf: In, kind: str) -> Iterator[str]:
    of = _asked(flow, leaf.who, kind)
    if of and (of == flow.unit.name) == (leaf.who == "unit"):
        yield from _statuses(flow, where, of, leaf.statuses)
        return
    known = frozenset(name for part in flow.parts for name in part.machine.names())
    for status in leaf.statuses:
        if status not in known:
            yield f"{where}: no part has status {status!r}; {nearest(status, known)}"


def _statuses(flow: "Workflow", where: str, kind: str, statuses: tuple[str, ...]) -> Iterator[str]:
    known = {m.name: frozenset(m.names()) for m in flow.machines()}
    if kind not in known:
        yield f"{where}: kind {kind!r}; {nearest(kind, frozenset(known))}"
        return
    for status in statuses:
        if status not in known[kind]:
            yield f"{where}: {kind} has no status {status!r}; {nearest(status, known[kind])}"
