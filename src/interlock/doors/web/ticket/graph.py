"""The beads of a ticket drawn as a graph: what needs what, and where each stands.

Drawn here and not by a library: a bead is a link that can be reached by the keyboard, and colours
come from the styles of the page, which allows no others. Beads that need nothing stand on top.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from interlock.doors.web.chips import Chip
from interlock.doors.web.harmless import plain

BEADS_MAX: Final = 120
"""More than these are only listed."""

WIDE: Final = 184
HIGH: Final = 52
GAP_X: Final = 20
GAP_Y: Final = 40
EDGE: Final = 4
LETTERS: Final = 21
"""The size of a bead, what is between two, and how much of its title it has room for."""

SIGNS: Final = {"done": "✓", "active": "▶", "bad": "✕", "gate": "◆", "idle": "○"}


class Node(NamedTuple):
    """A bead as it is drawn: its number, what it needs, where it stands, where its page is."""

    number: int
    title: str
    chip: Chip
    needs: tuple[int, ...]
    path: str


class _Spot(NamedTuple):
    x: int
    y: int


def graph(nodes: Sequence[Node]) -> Markup:
    """Return the graph as an inline picture; nothing where there is nothing to be seen in it."""
    if not 1 < len(nodes) <= BEADS_MAX:
        return Markup()
    layers = _layers(nodes)
    spots, width = _spots(layers, nodes)
    height = len(layers) * (HIGH + GAP_Y) - GAP_Y + 2 * EDGE
    edges = Markup().join(
        _edge(spots[need], spots[node.number])
        for node in nodes
        for need in node.needs
        if need in spots
    )
    drawn = Markup().join(_node(node, spots[node.number]) for node in nodes)
    return Markup(
        '<svg class="beads" role="group" aria-label="Beads and what they need"'
        ' viewBox="0 0 {} {}" width="{}" height="{}">{}{}</svg>'
    ).format(width, height, width, height, edges, drawn)


def _layers(nodes: Sequence[Node]) -> list[list[int]]:
    """Return the beads row by row: each below everything that it needs."""
    depth: dict[int, int] = {}
    # They are in an order in which none needs a later one.
    for node in nodes:
        depth[node.number] = max((depth.get(need, -1) + 1 for need in node.needs), default=0)
    rows: list[list[int]] = [[] for _ in range(max(depth.values()) + 1)]
    for node in nodes:
        rows[depth[node.number]].append(node.number)
    return rows


def _spots(layers: Sequence[list[int]], nodes: Sequence[Node]) -> tuple[dict[int, _Spot], int]:
    """Return where each bead stands, near what it needs, and how wide that is."""
    needs: Mapping[int, tuple[int, ...]] = {node.number: node.needs for node in nodes}
    most = max(len(row) for row in layers)
    width = most * (WIDE + GAP_X) - GAP_X + 2 * EDGE
    spots: dict[int, _Spot] = {}
    for depth, row in enumerate(layers):
        near = {number: _near(number, needs[number], spots) for number in row}
        ordered = sorted(row, key=near.__getitem__) if depth else row
        first = (width - len(row) * (WIDE + GAP_X) + GAP_X) // 2
        for place, number in enumerate(ordered):
            x = first + place * (WIDE + GAP_X)
            spots[number] = _Spot(x, EDGE + depth * (HIGH + GAP_Y))
    return spots, width


def _near(number: int, needs: Sequence[int], spots: Mapping[int, _Spot]) -> float:
    """Return where a bead would like to stand: in the middle of what it needs."""
    found = [spots[need].x for need in needs if need in spots]
    return sum(found) / len(found) if found else float(number)


def _edge(above: _Spot, below: _Spot) -> Markup:
    """Return the line from what is needed to what needs it."""
    x, y = above.x + WIDE // 2, above.y + HIGH
    to_x, to_y = below.x + WIDE // 2, below.y - 6
    middle = (y + to_y) // 2
    path = f"M{x} {y}C{x} {middle} {to_x} {middle} {to_x} {to_y}"
    tip = f"M{to_x - 5} {to_y}h10l-5 6z"
    return Markup('<path class="need" d="{}"/><path class="tip" d="{}"/>').format(path, tip)


def _node(node: Node, spot: _Spot) -> Markup:
    title = plain(node.title)
    short = title if len(title) <= LETTERS else f"{title[: LETTERS - 1]}…"
    words = f"Bead {node.number}: {title}. {node.chip.label}."
    if node.needs:
        words += f" Needs {', '.join(map(str, node.needs))}."
    return Markup(
        '<a href="{}" aria-label="{}" class="node {}"><title>{}</title>'
        '<rect x="{}" y="{}" width="{}" height="{}" rx="8"/>'
        '<text x="{}" y="{}">{} {}</text><text class="state" x="{}" y="{}">{} {}</text></a>'
    ).format(
        node.path, words, node.chip.look, escape(title), spot.x, spot.y, WIDE, HIGH,
        spot.x + 12, spot.y + 22, node.number, short,
        spot.x + 12, spot.y + 40, SIGNS[node.chip.look], node.chip.label,
    )  # fmt: skip
