"""What is to be drawn, before it is written in any language: boxes, nodes and arrows.

A machine becomes a box. Edges that share both ends become one arrow that lists their signals;
a signal that leads to one place from nearly everywhere becomes a note, because thirty arrows to
one corner hide all the others. The tables keep the full list; a drawing is for the eye.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from interlock.kernel.machine import FROM_FIELD, Edge, Machine, Status

FOLD_ABOVE: Final = 8
"""A signal with more sources than this for one target is drawn as a note."""

GROUP_ABOVE: Final = 12
"""Machines with more statuses than this show their groups as boxes of their own."""

Role = Literal[
    "active", "gate", "trouble", "success", "terminal",
    "start", "pointer", "fold", "lift", "cascade",
]  # fmt: skip
Frame = Literal["machine", "group", "links"]
Stroke = Literal["edge", "start", "fold", "lift", "cascade", "route", "unseen"]

NO_LABELS: Final[Mapping[str, str]] = MappingProxyType({})


class Line(NamedTuple):
    """A line of text in a node: a name, or something smaller about it."""

    text: str
    is_small: bool = True


@dataclass(frozen=True, slots=True)
class Node:
    """Something with a place: a status, or one of the small things around them.

    ``is_here`` marks where a thing stands now, ``is_passed`` where it has been.
    """

    key: str
    role: Role
    lines: tuple[Line, ...]
    is_here: bool = False
    is_passed: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line from node to node; ``into`` and ``out_of`` name a box that is meant as a whole.

    ``is_next`` says that the target is the row after the source: the backbone of a drawing. A
    line that is ``unseen`` only keeps its ends close together.
    """

    source: str
    target: str
    line: Stroke
    labels: tuple[str, ...] = ()
    into: str = ""
    out_of: str = ""
    is_next: bool = False
    is_passed: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """Nodes that stand together: a machine, a group inside of one, or links between two."""

    key: str
    role: Frame
    title: str = ""
    nodes: tuple[Node, ...] = ()
    boxes: tuple["Box", ...] = ()


@dataclass(frozen=True, slots=True)
class Sketch:
    """A whole drawing: boxes from left to right, and the arrows between whatever is in them."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def every_node(boxes: Sequence[Box]) -> Iterator[Node]:
    """Yield the nodes of boxes and of the boxes inside of them."""
    for box in boxes:
        yield from box.nodes
        yield from every_node(box.boxes)


def key(machine: str, status: str) -> str:
    """Return the name of a status in a drawing of several machines."""
    return f"{machine}.{status}"


def told(name: str, *notes: str) -> tuple[Line, ...]:
    """Return a name with smaller lines below it."""
    return (Line(name, is_small=False), *map(Line, notes))


def start_key(machine: str) -> str:
    """Return the name of the dot where a machine begins."""
    return key(machine, "(start)")


def sketch_machine(machine: Machine, labels: Mapping[str, str] = NO_LABELS) -> Sketch:
    """Sketch one machine; ``labels`` are the titles of its groups."""
    folds = folded(machine)
    start = Node(start_key(machine.name), "start", ())
    first = Arrow(start.key, key(machine.name, machine.initial), "start")
    extra = (start, *_pointers(machine), *(_fold_node(machine, f) for f in folds))
    arrows = (first, *_arrows(machine, folds))
    return Sketch(
        title=f"Machine {machine.name}",
        boxes=(_box(machine, labels, extra),),
        arrows=(
            *arrows,
            *(_fold_arrow(machine, fold) for fold in folds),
            *_unseen(machine, {arrow.target for arrow in arrows}),
        ),
    )


@dataclass(frozen=True, slots=True)
class Fold:
    """A signal that leads to ``target`` from so many statuses that it is told, not drawn."""

    signal: str
    target: str
    sources: tuple[str, ...]


def folded(machine: Machine) -> tuple[Fold, ...]:
    """Return the signals of a machine that are told in a note, in table order."""
    sources: dict[tuple[str, str], list[str]] = {}
    for edge in machine.edges:
        sources.setdefault((edge.on, edge.target), []).append(edge.source)
    return tuple(
        Fold(on, target, tuple(found))
        for (on, target), found in sources.items()
        if len(found) > FOLD_ABOVE
    )


def _box(machine: Machine, labels: Mapping[str, str], extra: tuple[Node, ...]) -> Box:
    by_group: dict[str, list[Node]] = {}
    is_grouped = len(machine.statuses) > GROUP_ABOVE
    for status in machine.statuses:
        group = status.group if is_grouped else ""
        by_group.setdefault(group, []).append(_status_node(machine, status))
    inner = tuple(
        Box(key(machine.name, f"[{group}]"), "group", labels.get(group) or group, tuple(nodes))
        for group, nodes in by_group.items()
        if group
    )
    nodes = (*by_group.get("", ()), *extra)
    return Box(machine.name, "machine", machine.name, nodes, inner)


def _status_node(machine: Machine, status: Status) -> Node:
    notes = []
    if status.label and _plain(status.label) != _plain(status.name):
        notes.append(status.label)
    if status.kind == "gate":
        notes.append("gate")
    if status.kind == "terminal":
        notes.append("end")
    return Node(key(machine.name, status.name), _role(status), told(status.name, *notes))


def _plain(text: str) -> str:
    return text.replace("_", " ").casefold()


def _role(status: Status) -> Role:
    if status.kind == "gate":
        return "trouble" if status.is_trouble else "gate"
    if status.kind == "terminal":
        return "success" if status.is_success else "terminal"
    return "active"


def _pointers(machine: Machine) -> tuple[Node, ...]:
    fields = dict.fromkeys(e.target_field for e in machine.edges if e.target_field)
    return tuple(
        Node(
            key(machine.name, FROM_FIELD + name), "pointer", told(name, "wherever this field says")
        )
        for name in fields
    )


def _fold_node(machine: Machine, fold: Fold) -> Node:
    text = f"from {len(fold.sources)} statuses"
    return Node(_fold_key(machine, fold), "fold", told(fold.signal, text))


def _fold_key(machine: Machine, fold: Fold) -> str:
    return key(machine.name, f"({fold.signal} {fold.target})")


def _fold_arrow(machine: Machine, fold: Fold) -> Arrow:
    return Arrow(_fold_key(machine, fold), key(machine.name, fold.target), "fold")


def _arrows(machine: Machine, folds: tuple[Fold, ...]) -> tuple[Arrow, ...]:
    told = {(fold.signal, fold.target) for fold in folds}
    merged: dict[tuple[str, str], list[Edge]] = {}
    for edge in machine.edges:
        if (edge.on, edge.target) not in told:
            merged.setdefault((edge.source, edge.target), []).append(edge)
    place = {name: at for at, name in enumerate(machine.names())}
    return tuple(
        Arrow(
            key(machine.name, source),
            key(machine.name, target),
            "edge",
            tuple(dict.fromkeys(edge.on for edge in rows)),
            is_next=place.get(target) == place[source] + 1,
        )
        for (source, target), rows in merged.items()
    )


def _unseen(machine: Machine, reached: set[str]) -> Iterator[Arrow]:
    """Hold a status that only notes lead to beside the row before it, or it would drift away."""
    for before, name in pairwise(machine.names()):
        if key(machine.name, name) not in reached:
            yield Arrow(key(machine.name, before), key(machine.name, name), "unseen")
