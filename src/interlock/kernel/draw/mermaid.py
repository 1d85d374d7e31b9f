"""A drawing as Mermaid, which code hosts and editors show inside of a page of text.

It is written as a flowchart, because only there every kind of status has a shape of its own:
a gate is a hexagon and says so, an end has a double edge, lifts are dashed and cascades dotted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import Final

from interlock.kernel.draw.interlock import sketch
from interlock.kernel.draw.route import mark
from interlock.kernel.draw.sketch import NO_LABELS, Arrow, Box, Node, Sketch, every_node
from interlock.kernel.machine import Machine
from interlock.kernel.workflow import Workflow

SHAPES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "active":   ("(", ")"),
    "gate":     ("{{", "}}"),
    "trouble":  ("{{", "}}"),
    "success":  ("[[", "]]"),
    "terminal": ("[[", "]]"),
    "start":    ("((", "))"),
    "pointer":  ("(", ")"),
    "fold":     (">", "]"),
    "lift":     ("[", "]"),
    "cascade":  ("[", "]"),
})  # fmt: skip

LINES: Final[Mapping[str, str]] = MappingProxyType({
    "edge": "-->", "start": "-->", "fold": "-->", "lift": "-.->", "cascade": "-.->", "route": "==>",
})  # fmt: skip

# The see-through tints are an extra: every role can be told by shape, border or text alone.
CLASSES: Final[Mapping[str, str]] = MappingProxyType({
    "machine":  "fill:#80808008,stroke:#808080",
    "group":    "fill:#8080801f,stroke:#80808000",
    "gate":     "fill:#d9930038",
    "trouble":  "fill:#d0453a38",
    "success":  "fill:#2f9e5038",
    "terminal": "fill:#80808038",
    "start":    "fill:#808080,stroke:#808080",
    "pointer":  "stroke-dasharray:5 5",
    "lift":     "stroke:#3b82d0,stroke-dasharray:7 4",
    "cascade":  "stroke:#a05fc8,stroke-dasharray:2 4",
    "here":     "stroke:#1f6feb,stroke-width:5px",
    "passed":   "stroke-width:4px",
})  # fmt: skip
STROKES: Final[Mapping[str, str]] = MappingProxyType({
    "lift":    "stroke:#3b82d0,stroke-dasharray:7 4",
    "cascade": "stroke:#a05fc8,stroke-dasharray:2 4",
    "passed":  "stroke-width:4px",
})  # fmt: skip
RESERVED: Final = frozenset({
    "call", "class", "classDef", "click", "default", "direction", "end", "flowchart", "graph",
    "href", "linkStyle", "style", "subgraph",
})  # fmt: skip
UNSAFE: Final = re.compile(r"[^A-Za-z0-9_]+")
ENTITIES: Final = str.maketrans({
    "#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "|": "#124;",
})  # fmt: skip


def mermaid(
    subject: Machine | Workflow,
    *,
    at: str = "",
    trace: Sequence[str] = (),
    groups: Mapping[str, str] = NO_LABELS,
) -> str:
    """Return a machine or a workflow as Mermaid; ``at`` and ``trace`` as in ``route``.

    ``groups`` are the titles of a machine's groups; a workflow brings its own.
    """
    drawn = mark(sketch(subject, groups), at, trace)
    names = _names(drawn)
    arrows = [arrow for arrow in drawn.arrows if arrow.line != "unseen"]
    lines = [f"accTitle: {_told(drawn.title)}"]
    for box in drawn.boxes:
        lines += _box(box, names)
    lines += (_arrow(arrow, names) for arrow in arrows)
    lines += _classes(drawn, names)
    lines += _strokes(arrows)
    return "\n".join(["flowchart TB", *(f"  {line}" for line in lines), ""])


def _names(drawn: Sketch) -> dict[str, str]:
    """Give every box and node a name that Mermaid can read, each its own."""
    names: dict[str, str] = {}
    wanted = [(box.key, f"box_{box.key}") for box in _every_box(drawn.boxes)]
    wanted += [(node.key, node.key) for node in every_node(drawn.boxes)]
    taken = set(RESERVED)
    for known, wish in wanted:
        plain = name = UNSAFE.sub("_", wish).strip("_")
        for number in count(2):
            if name and name not in taken:
                break
            name = f"{plain}_{number}"
        taken.add(name)
        names[known] = name
    return names


def _every_box(boxes: Sequence[Box]) -> Iterator[Box]:
    for box in boxes:
        yield box
        yield from _every_box(box.boxes)


def _box(box: Box, names: Mapping[str, str]) -> Iterator[str]:
    nodes = [_node(node, names) for node in box.nodes]
    if box.role == "links":
        yield from nodes
        return
    yield f'subgraph {names[box.key]}["{_told(box.title)}"]'
    yield "  direction TB"
    yield from (f"  {line}" for line in nodes)
    for inner in box.boxes:
        yield from (f"  {line}" for line in _box(inner, names))
    yield "end"


def _node(node: Node, names: Mapping[str, str]) -> str:
    left, right = SHAPES[node.role]
    text = "<br/>".join(_told(line.text) for line in node.lines) or " "
    return f'{names[node.key]}{left}"{text}"{right}'


def _arrow(arrow: Arrow, names: Mapping[str, str]) -> str:
    source = names[arrow.out_of or arrow.source]
    target = names[arrow.into or arrow.target]
    label = "<br/>".join(_told(text) for text in arrow.labels)
    line = LINES[arrow.line] + (f'|"{label}"|' if label else "")
    return f"{source} {line} {target}"


def _classes(drawn: Sketch, names: Mapping[str, str]) -> Iterator[str]:
    members: dict[str, list[str]] = {}
    for box in _every_box(drawn.boxes):
        members.setdefault(box.role, []).append(names[box.key])
    for node in every_node(drawn.boxes):
        marks = {node.role: True, "here": node.is_here, "passed": node.is_passed}
        for name in (role for role, has in marks.items() if has and role in CLASSES):
            members.setdefault(name, []).append(names[node.key])
    for name in CLASSES:
        if name in members:
            yield f"classDef {name} {CLASSES[name]}"
            yield f"class {','.join(members[name])} {name}"


def _strokes(arrows: Sequence[Arrow]) -> Iterator[str]:
    """Style the lines, which Mermaid knows by their number."""
    for name, look in STROKES.items():
        meant = [
            str(number)
            for number, arrow in enumerate(arrows)
            if arrow.line == name or (name == "passed" and arrow.is_passed)
        ]
        if meant:
            yield f"linkStyle {','.join(meant)} {look}"


def _told(text: str) -> str:
    return text.translate(ENTITIES)
