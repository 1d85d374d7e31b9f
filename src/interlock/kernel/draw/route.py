"""Where a thing stands, and how it came there, marked in a sketch.

``at`` is one status, ``trace`` the statuses of a walk in order: the shortest way to a finding, or
the life of a unit so far. A status is named plainly in the first machine of a drawing, and as
``kind.status`` in any of them.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from interlock.kernel.draw.sketch import Arrow, Box, Line, Node, Sketch, every_node, key


def mark(drawn: Sketch, at: str, trace: Sequence[str]) -> Sketch:
    """Return the sketch with status and walk marked; raises KeyError for a name not in it."""
    if not at and not trace:
        return drawn
    here = _found(drawn, at) if at else ""
    walk = tuple(_found(drawn, status) for status in trace)
    return replace(
        drawn,
        boxes=tuple(_marked_box(box, here, walk) for box in drawn.boxes),
        arrows=_marked_arrows(drawn.arrows, tuple(pairwise(walk))),
    )


def _found(drawn: Sketch, status: str) -> str:
    first = key(drawn.boxes[0].key, status)
    known = {node.key for node in every_node(drawn.boxes)}
    for name in (first, status):
        if name in known:
            return name
    raise KeyError(status)


def _marked_box(box: Box, here: str, walk: tuple[str, ...]) -> Box:
    return replace(
        box,
        nodes=tuple(_marked(node, here, walk) for node in box.nodes),
        boxes=tuple(_marked_box(inner, here, walk) for inner in box.boxes),
    )


def _marked(node: Node, here: str, walk: tuple[str, ...]) -> Node:
    visits = [str(place) for place, name in enumerate(walk, start=1) if name == node.key]
    lines = node.lines
    if visits:
        lines = (*lines, Line(f"visit {', '.join(visits)}"))
    if node.key == here:
        lines = (*lines, Line("here"))
    return replace(node, lines=lines, is_here=node.key == here, is_passed=bool(visits))


def _marked_arrows(
    arrows: tuple[Arrow, ...], moves: tuple[tuple[str, str], ...]
) -> tuple[Arrow, ...]:
    """Mark the arrows that were taken; a move with no arrow of its own (a note) gets one."""
    drawn = {(arrow.source, arrow.target) for arrow in arrows}
    missing = dict.fromkeys(move for move in moves if move not in drawn)
    return (
        *(replace(a, is_passed=(a.source, a.target) in moves) for a in arrows),
        *(Arrow(source, target, "route", is_passed=True) for source, target in missing),
    )
