"""A drawing as DOT, the language of Graphviz.

Nothing depends on colour: a gate is a hexagon and says so, an end has a double border, lifts are
dashed and cascades dotted. Ink is plain black, and tints are see-through, so that a picture can
be shown on light and on dark ground.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from textwrap import wrap
from types import MappingProxyType
from typing import Final

from interlock.kernel.draw.interlock import sketch
from interlock.kernel.draw.route import mark
from interlock.kernel.draw.sketch import NO_LABELS, Arrow, Box, Node, Sketch, every_node, start_key
from interlock.kernel.machine import Machine
from interlock.kernel.workflow import Workflow

FONT: Final = "Helvetica,Arial,sans-serif"
WIDTH: Final = 22
WIDTH_SMALL: Final = 28
"""Characters after which a line of a node is broken."""

HEAD: Final = (
    "rankdir=TB", "compound=true", "mclimit=5", 'bgcolor="transparent"',
    "nodesep=0.35", "ranksep=0.45", "pad=0.2", f'fontname="{FONT}"', "fontsize=14",
)  # fmt: skip

# The see-through tints are an extra: every role can be told by shape, border or text alone.
SHAPES: Final[Mapping[str, str]] = MappingProxyType({
    "active":   'shape=box, style="rounded"',
    "gate":     'shape=hexagon, style="filled", fillcolor="#d9930038", margin="0.02,0.04"',
    "trouble":  'shape=hexagon, style="filled", fillcolor="#d0453a38", margin="0.02,0.04"',
    "success":  'shape=box, style="rounded,filled", peripheries=2, fillcolor="#2f9e5038"',
    "terminal": 'shape=box, style="rounded,filled", peripheries=2, fillcolor="#80808038"',
    "start":    'shape=circle, style="filled", fillcolor="black", width=0.14, height=0.14',
    "pointer":  'shape=box, style="rounded,dashed"',
    "fold":     "shape=note",
    "lift":     'shape=box, style="dashed", color="#3b82d0", margin="0.08,0.04"',
    "cascade":  'shape=box, style="dotted", color="#a05fc8", penwidth=2, margin="0.08,0.04"',
})  # fmt: skip

LINES: Final[Mapping[str, str]] = MappingProxyType({
    "edge":    "",
    "start":   "weight=50",
    "fold":    "minlen=0",
    "lift":    'style="dashed", color="#3b82d0", arrowhead="empty"',
    "cascade": 'style="dotted", color="#a05fc8", penwidth=2, arrowhead="vee"',
    "route":   "constraint=false",
    "unseen":  'style="invis", minlen=0',
})  # fmt: skip
FRAMES: Final[Mapping[str, str]] = MappingProxyType({
    "machine": 'style="rounded", color="#808080", margin=14',
    "group":   'style="filled,rounded", color="#80808000", fillcolor="#8080801f", fontsize=11',
})  # fmt: skip
HERE: Final = 'penwidth=3.5, color="#1f6feb"'
PASSED: Final = "penwidth=2.5"


def dot(
    subject: Machine | Workflow,
    *,
    at: str = "",
    trace: Sequence[str] = (),
    groups: Mapping[str, str] = NO_LABELS,
) -> str:
    """Return a machine or a workflow as DOT; ``at`` and ``trace`` as in ``route``.

    ``groups`` are the titles of a machine's groups; a workflow brings its own.
    """
    drawn = mark(sketch(subject, groups), at, trace)
    lines = [
        f"graph [{', '.join(HEAD)}];",
        f'node [fontname="{FONT}", fontsize=12, margin="0.12,0.06", height=0.3];',
        f'edge [fontname="{FONT}", fontsize=10, arrowsize=0.7];',
    ]
    for box in drawn.boxes:
        lines += map(_node, box.nodes) if box.role == "links" else _box(box)
    lines += _arrows(drawn)
    if len(drawn.boxes) > 1:
        lines += _row_of_heads(drawn.boxes)
    return "\n".join(
        [f"digraph {_quoted(drawn.title)} {{", *(f"  {line}" for line in lines), "}", ""]
    )


def _box(box: Box) -> Iterator[str]:
    yield f"subgraph {_quoted(f'cluster {box.key}')} {{"
    yield f"  graph [label=<<b>{escape(box.title)}</b>>, labeljust=l, {FRAMES[box.role]}];"
    for node in box.nodes:
        yield f"  {_node(node)}"
    for inner in box.boxes:
        yield from (f"  {line}" for line in _box(inner))
    yield "}"


def _row_of_heads(boxes: Sequence[Box]) -> Iterator[str]:
    """Hold the boxes side by side and in order, by an unseen row of points above them.

    Graphviz orders nodes on one height by the lines between them, but not where a line ends
    inside of a box. So a point of its own stands above each box, and each box hangs on its point.
    """
    heads = [_quoted(f"(above {box.key})") for box in boxes]
    yield "{"
    yield "  graph [rank=same];"
    for head in heads:
        yield f'  {head} [label="", shape=point, width=0.01, style=invis];'
    for left, right in pairwise(heads):
        yield f"  {left} -> {right} [style=invis];"
    yield "}"
    for head, box in zip(heads, boxes, strict=True):
        hung = [node.key for node in box.nodes] if box.role == "links" else [start_key(box.key)]
        weight = 0 if box.role == "links" or _is_tall(boxes) else 100
        yield from (f"{head} -> {_quoted(name)} [style=invis, weight={weight}];" for name in hung)


def _is_tall(boxes: Sequence[Box]) -> bool:
    """Say whether a machine is so tall that others had better hang beside what they touch."""
    return any(box.boxes for box in boxes)


def _node(node: Node) -> str:
    marks = f", {HERE}" if node.is_here else f", {PASSED}" if node.is_passed else ""
    look = f'class="{node.role}", {SHAPES[node.role]}{marks}'
    label = f"<{_text(node)}>" if node.lines else '""'
    return f"{_quoted(node.key)} [label={label}, {look}];"


def _text(node: Node) -> str:
    lines: list[str] = []
    for line in node.lines:
        width = WIDTH_SMALL if line.is_small else WIDTH
        told = [escape(part) for part in wrap(line.text, width, break_long_words=False)]
        lines += (f'<font point-size="9">{part}</font>' if line.is_small else part for part in told)
    return "<br/>".join(lines)


def _arrows(drawn: Sketch) -> Iterator[str]:
    column = {
        node.key: place for place, box in enumerate(drawn.boxes) for node in every_node([box])
    }
    held: set[tuple[str, str]] = set()
    # Two ways to say that a line has no say. Which of them draws fewer detours was tried out.
    loose = "constraint=false"
    if not _is_tall(drawn.boxes):
        held = {("box", str(place)) for place in range(len(drawn.boxes))}
        loose = "weight=0"
    for arrow in drawn.arrows:
        marks = [f'class="{arrow.line}"', LINES[arrow.line], *_ends(arrow)]
        if arrow.line in ("lift", "cascade"):
            marks.append("minlen=0" if _is_holding(arrow, column, held) else loose)
        if arrow.is_next:
            marks.append("weight=8")
        if arrow.is_passed:
            marks.append(PASSED)
        told = ", ".join(mark for mark in marks if mark)
        yield f"{_quoted(arrow.source)} -> {_quoted(arrow.target)} [{told}];"


def _ends(arrow: Arrow) -> Iterator[str]:
    if arrow.labels:
        yield f"label={_quoted(chr(10).join(f' {label} ' for label in arrow.labels))}"
    if arrow.into:
        yield f"lhead={_quoted(f'cluster {arrow.into}')}"
    if arrow.out_of:
        yield f"ltail={_quoted(f'cluster {arrow.out_of}')}"


def _is_holding(arrow: Arrow, column: Mapping[str, int], held: set[tuple[str, str]]) -> bool:
    """Say whether an arrow of a link shapes the layout, and remember what it holds.

    Each link is held on the height of one thing to its left; of the links in front of a box the
    first also holds the box, so that a part's machine stands beside what it is tied to.
    """
    is_link_source = arrow.source.startswith("(")
    link, other = (arrow.source, arrow.target) if is_link_source else (arrow.target, arrow.source)
    is_left = column[other] < column[link]
    what = ("link", link) if is_left else ("box", str(column[link]))
    is_first = what not in held
    held.add(what)
    return is_first


def _quoted(text: str) -> str:
    told = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{told}"'
