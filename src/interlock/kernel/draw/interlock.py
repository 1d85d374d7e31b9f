"""What ties machines together, as something to draw: one small node for each lift and cascade.

A lift hangs between the statuses its test speaks of and the status it moves to; a cascade
between the statuses that set it off and the machine that follows. Only what the rows name at
both ends is drawn: what a registered function does, or a field decides, stands in the tables.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from interlock.kernel.draw.sketch import (
    FOLD_ABOVE,
    NO_LABELS,
    Arrow,
    Box,
    Line,
    Node,
    Sketch,
    Stroke,
    key,
    sketch_machine,
    told,
)
from interlock.kernel.forms import All, Any, Both, Count, Either, Form, In
from interlock.kernel.machine import Machine
from interlock.kernel.rules import Cascade, Lift
from interlock.kernel.words import effect_words, lifted
from interlock.kernel.workflow import Workflow

CROWD_ABOVE: Final = 4
"""With more links than this between two boxes, a lift from several statuses is one line."""

FEW: Final = 4
"""So many statuses are named on a line; more are counted."""


def sketch(subject: Machine | Workflow, groups: Mapping[str, str] = NO_LABELS) -> Sketch:
    """Sketch a machine, or a workflow with its machines side by side and what ties them."""
    if isinstance(subject, Machine):
        return sketch_machine(subject, groups)
    ties = [*_lifts(subject), *_cascades(subject)]
    order = _order(subject, ties)
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    between: list[Arrow] = []
    for kind in order:
        panel = sketch_machine(subject.machine(kind), subject.groups)
        links = [tie for tie in ties if max(tie.kinds(), key=order.index) == kind]
        is_crowd = len(links) > CROWD_ABOVE
        links = [
            _gathered(tie, 1 if is_crowd and tie.line == "lift" else FOLD_ABOVE) for tie in links
        ]
        if links:
            boxes.append(Box(f"(links {kind})", "links", nodes=tuple(tie.node for tie in links)))
        boxes += panel.boxes
        arrows += panel.arrows
        for tie in links:
            between += _drawn(subject, tie, _height(subject, order, tie))
    return Sketch(f"Workflow {subject.name}", tuple(boxes), (*arrows, *between))


class _End(NamedTuple):
    """Where an arrow of a tie begins or ends: a status, or with no status the whole machine."""

    kind: str
    status: str = ""
    label: str = ""


class _Tie(NamedTuple):
    """A lift or a cascade, from where to where."""

    node: Node
    line: Stroke
    sources: tuple[_End, ...]
    targets: tuple[_End, ...]

    def kinds(self) -> set[str]:
        return {end.kind for end in (*self.sources, *self.targets)}


def _order(flow: Workflow, ties: list[_Tie]) -> list[str]:
    """Return the kinds, unit first, so that each stands beside one that it is tied to."""
    order = [flow.unit.name]
    waiting = [part.name for part in flow.parts]
    while waiting:
        tied = (
            kind
            for kind in waiting
            if any(kind in tie.kinds() and tie.kinds() & set(order) for tie in ties)
        )
        kind = next(tied, waiting[0])
        waiting.remove(kind)
        order.append(kind)
    return order


def _height(flow: Workflow, order: list[str], tie: _Tie) -> float:
    """Return how far down in its machine (0 to 1) the first status stands that a tie hangs on."""
    upper = min((*tie.sources, *tie.targets), key=lambda end: order.index(end.kind))
    names = flow.machine(upper.kind).names()
    return names.index(upper.status) / len(names) if upper.status in names else 0


def _lifts(flow: Workflow) -> Iterator[_Tie]:
    for lift in flow.lifts:
        node = Node(f"(lift {lift.name})", "lift", told(lift.name, f"lift: fires {lift.fire}"))
        sources = tuple(dict.fromkeys(_spoken_of(flow, lift.when)))
        targets = tuple(dict.fromkeys(_lifted_to(flow, lift)))
        if sources and targets:
            yield _Tie(node, "lift", sources, targets)


def _spoken_of(flow: Workflow, form: Form) -> Iterator[_End]:
    """Yield what a test asks to be there, below the unit."""
    match form:
        case All() | Any() | Count():
            yield from (_End(form.kind, status) for status in form.statuses or ("",))
        case In(who=who, statuses=statuses) if who != "unit":
            for part in flow.parts:
                if set(statuses) <= set(part.machine.names()):
                    yield from (_End(part.name, status) for status in statuses)
                    return
        case Both(tests=tests) | Either(tests=tests):
            for test in tests:
                yield from _spoken_of(flow, test)
        case _:
            return


def _lifted_to(flow: Workflow, lift: Lift) -> Iterator[_End]:
    for machine in lifted(flow, lift):
        for edge in machine.edges:
            if edge.on == lift.fire:
                yield _End(machine.name, edge.target)


def _cascades(flow: Workflow) -> Iterator[_Tie]:
    """Yield one tie for all the cascades from one kind to another."""
    between: dict[tuple[str, str], list[Cascade]] = {}
    for cascade in flow.cascades:
        if cascade.to:
            between.setdefault((cascade.of, cascade.to), []).append(cascade)
    for (above, below), cascades in between.items():
        lines = (
            line for row in cascades for line in told(row.name, f"cascade: {effect_words(row)}")
        )
        node = Node(f"(cascades {above} {below})", "cascade", tuple(lines))
        entered = {status for row in cascades for status in row.enters}
        left = {status for row in cascades for status in row.leaves}
        names = flow.machine(above).names()
        sources = [_End(above, name) for name in names if name in entered]
        sources += [_End(above, name, "on leaving") for name in names if name in left]
        yield _Tie(node, "cascade", tuple(sources), (_End(below),))


def _gathered(tie: _Tie, most: int) -> _Tie:
    """Return a tie in which more than ``most`` statuses of one kind are its box, told in words."""
    by_kind: dict[tuple[str, str], list[_End]] = {}
    for end in tie.sources:
        by_kind.setdefault((end.kind, end.label), []).append(end)
    sources: list[_End] = []
    lines = list(tie.node.lines)
    for (kind, label), ends in by_kind.items():
        if len(ends) <= most:
            sources += ends
            continue
        sources.append(_End(kind))
        names = ", ".join(end.status for end in ends)
        told_by = names if len(ends) <= FEW else f"{len(ends)} statuses"
        lines.append(Line(f"{label or 'from'} {told_by}"))
    return tie._replace(sources=tuple(sources), node=replace(tie.node, lines=tuple(lines)))


def _drawn(flow: Workflow, tie: _Tie, height: float) -> Iterator[Arrow]:
    for end in tie.sources:
        labels = (end.label,) if end.label else ()
        source = _somewhere(flow, end, height)
        box = "" if end.status else end.kind
        yield Arrow(source, tie.node.key, tie.line, labels, out_of=box)
    for end in tie.targets:
        target = _somewhere(flow, end, height)
        yield Arrow(tie.node.key, target, tie.line, into="" if end.status else end.kind)


def _somewhere(flow: Workflow, end: _End, height: float) -> str:
    """Name the status of an end; a line that means a whole box must end at something too."""
    names = flow.machine(end.kind).names()
    return key(end.kind, end.status or names[int(height * len(names))])
