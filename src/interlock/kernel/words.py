"""Rows said in words, for pages and terminals: walks, lifts, cascades, pairs, and who fires what.

Forms say themselves (``Form.words``); here are the rows they stand in. Each function returns a
phrase without capital or full stop, so that a table can hold it as well as a sentence.
"""

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Final, NamedTuple

from interlock.kernel.forms import All, Any, Both, Count, Either, Form, Not
from interlock.kernel.machine import Edge, Machine
from interlock.kernel.rules import Cascade, Do, Fire, Lift, Pair, Rule
from interlock.kernel.timer import Timer
from interlock.kernel.workflow import Workflow

WHO: Final = {
    "unit": "the unit",
    "part": "the part",
    "parent": "its parent",
    "current": "the current part",
}
WHOM: Final = {
    "all": "every {kind}",
    "children": "every {kind} under it",
    "dependents": "every {kind} that needs it",
    "part": "the {kind}",
    "parent": "its {kind}",
    "current": "the current {kind}",
}


def stage_words(stage: Fire | Do) -> str:
    """Say one stage of a walk."""
    when = f", when {stage.when.words()}" if stage.when is not None else ""
    if isinstance(stage, Do):
        return f"do {stage.name}{when}"
    signal = f"what `{stage.from_arg}` says" if stage.from_arg else stage.signal
    maybe = ", if it can" if stage.maybe else ""
    return f"fire {signal} on {WHO[stage.who]}{maybe}{when}"


def lift_words(lift: Lift) -> str:
    """Say when a lift moves what."""
    return f"while {lift.when.words()}, fire {lift.fire} on {WHO[lift.who]}"


def cascade_words(cascade: Cascade) -> str:
    """Say what a cascade does when."""
    moments = []
    if cascade.enters:
        moments.append(f"enters {' or '.join(cascade.enters)}")
    if cascade.leaves:
        moments.append(f"leaves {' or '.join(cascade.leaves)}")
    when = f", and {cascade.when.words()}" if cascade.when is not None else ""
    return f"when the {cascade.of} {' or '.join(moments)}{when}: {effect_words(cascade)}"


def effect_words(cascade: Cascade) -> str:
    """Say what a cascade does."""
    what = f"fires {cascade.fire}" if cascade.fire else f"does {cascade.do}"
    whom = f" on {WHOM[cascade.whom].format(kind=cascade.to)}" if cascade.to else ""
    return what + whom


def pair_words(pair: Pair) -> str:
    """Say what must hold where."""
    return f"while the unit is {' or '.join(pair.units)}: {pair.holds.words()}"


def timer_words(timer: Timer) -> str:
    """Say when a timer sends what."""
    where = " or ".join(timer.during)
    on = f" and {timer.when} is set" if timer.when else ""
    anew = "".join(f", anew when it enters {status}" for status in timer.anew)
    anew += "".join(f", anew by {event}" for event in timer.renewed)
    return f"while it is {where}{on}: {timer.event} after {timer.field} seconds{anew}"


def lifted(flow: Workflow, lift: Lift) -> tuple[Machine, ...]:
    """Return the machines of what a lift moves."""
    if lift.who == "unit":
        return (flow.unit,)
    if lift.who == "current":
        return tuple(part.machine for part in flow.parts if not part.parent)
    above = dict.fromkeys(flow.kind(kind).parent for kind in _kinds(lift.when))
    return tuple(flow.kind(kind).machine for kind in above if kind)


def _kinds(form: Form) -> Iterator[str]:
    match form:
        case All() | Any() | Count():
            yield form.kind
        case Both() | Either():
            for test in form.tests:
                yield from _kinds(test)
        case Not():
            yield from _kinds(form.test)
        case _:
            return


class Cause(NamedTuple):
    """What fires an edge, in words, and the actors behind it; none where settling does it."""

    words: str
    actors: tuple[str, ...] = ()


def fired_by(flow: Workflow, machine: Machine, edge: Edge) -> tuple[Cause, ...]:
    """Return what fires an edge: events with their actors, lifts, cascades.

    Where no row names the signal, the registered functions are named that speak of it.
    """
    by_actors: dict[tuple[str, ...], list[str]] = {}
    for rule in flow.rules:
        if _walks(flow, rule, machine, edge.on):
            by_actors.setdefault(tuple(sorted(rule.actors)), []).append(rule.event)
    found = [Cause(", ".join(events), actors) for actors, events in by_actors.items()]
    found += (
        Cause(f"lift: {lift.name}")
        for lift in flow.lifts
        if lift.fire == edge.on and machine in lifted(flow, lift)
    )
    found += (
        Cause(f"cascade: {cascade.name}")
        for cascade in flow.cascades
        if cascade.fire == edge.on and cascade.to == machine.name
    )
    return tuple(found) or tuple(
        Cause(f"function: {name}") for name in _speakers(flow, machine, edge.on)
    )


def _walks(flow: Workflow, rule: Rule, machine: Machine, signal: str) -> bool:
    """Say whether a rule's walk fires a signal on things of this machine."""
    for stage in rule.walk:
        if isinstance(stage, Do) or machine.name not in _meant(flow, rule, stage):
            continue
        told = {example.get(stage.from_arg) for example in rule.examples} if stage.from_arg else ()
        if stage.signal == signal or signal in told:
            return True
    return False


def _meant(flow: Workflow, rule: Rule, stage: Fire) -> tuple[str, ...]:
    if stage.who == "unit":
        return (flow.unit.name,)
    if stage.who == "part":
        return (rule.kind,)
    if stage.who == "parent":
        return (flow.kind(rule.kind).parent,) if rule.kind != flow.unit.name else ()
    return tuple(part.name for part in flow.parts if not part.parent)


def _speakers(flow: Workflow, machine: Machine, signal: str) -> Iterator[str]:
    """Yield the registered functions in whose texts a signal and who it is for occur together."""
    meant = {"unit"} if machine is flow.unit else {machine.name, "part", "parent", "current"}
    for name, function in sorted(flow.functions.items()):
        if isinstance(function, FunctionType):
            texts = _constants(function, set())
            if signal in texts and meant & texts:
                yield name


def _constants(function: FunctionType, seen: set[CodeType]) -> set[str]:
    """Collect the texts in a function and in the functions of its module that it calls."""
    found: set[str] = set()
    if function.__code__ in seen:
        return found
    seen.add(function.__code__)
    for code in _codes(function.__code__):
        found |= {text for text in code.co_consts if isinstance(text, str)}
        for name in code.co_names:
            called = function.__globals__.get(name)
            if isinstance(called, FunctionType) and called.__module__ == function.__module__:
                found |= _constants(called, seen)
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
