"""Machines drawn on a page, with where a thing stands and what it may do next.

The picture is made once for each subject and takes its colours from the page's own styles: the
policy of a page forbids a drawing to bring any. What is marked is marked by classes on the groups
that are there already, so a move redraws nothing. For whoever sees no picture it says it in words.
"""

import re
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from html import unescape
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from interlock.kernel.draw.dot import dot
from interlock.kernel.draw.interlock import sketch
from interlock.kernel.draw.sketch import NO_LABELS, folded, key
from interlock.kernel.machine import Machine
from interlock.kernel.workflow import Workflow
from interlock.picture import svg

KEPT_MAX: Final = 64
"""How many subjects are remembered with their drawings."""

Subject = Machine | Workflow
Way = tuple[str, str]
Ways = Mapping[Way, frozenset[str]]

_HEAD: Final = re.compile(r"\A.*?<svg[^>]*?(?P<size> width=.*?) fill=.*?</style>\s*", re.DOTALL)
_BROUGHT: Final = re.compile(
    r" (?:style|id|font-family|xml:space|fill-opacity|stroke-opacity)=\"[^\"]*\""
    r"| (?:fill|stroke)=\"(?!none)[^\"]*\""
)
_GROUP: Final = re.compile(
    r"<g class=\"(?P<sort>node|edge) (?P<role>\w+)\">\s*<title>(?P<name>.*?)</title>"
)


class _Piece(NamedTuple):
    """What follows the opening of a group of the drawing, up to the next one."""

    sort: str
    role: str
    name: str
    rest: str


class _Drawn(NamedTuple):
    """A drawing taken apart; ``subject`` is held so that nothing else gets its number."""

    subject: Subject
    size: str
    head: str
    pieces: tuple[_Piece, ...]
    ways: Ways


_kept: Final[OrderedDict[tuple[int, tuple[str, ...]], _Drawn]] = OrderedDict()


def drawing(
    subject: Subject,
    here: str = "",
    legal: Collection[str] = (),
    *,
    label: str,
    trace: Sequence[str] = (),
    groups: Mapping[str, str] = NO_LABELS,
) -> Markup:
    """Return a machine or a workflow as an inline picture.

    ``here`` is the status where a thing stands (``kind.status`` in a workflow), ``legal`` the
    signals that may be fired there, ``trace`` a walk that is marked from its first status on.
    """
    drawn = _drawn(subject, tuple(trace), groups)
    first = subject.name if isinstance(subject, Machine) else subject.unit.name
    place = "" if not here else key(first, here) if _is_of(drawn, key(first, here)) else here
    open_ways = {way for way, on in drawn.ways.items() if way[0] == place and on & set(legal)}
    body = "".join(_group(piece, drawn.ways, place, open_ways) for piece in drawn.pieces)
    words = _words(label, here, legal)
    opening = f'<svg class="machine" role="img"{drawn.size} aria-label="{words}">'
    return Markup(opening + drawn.head + body)  # noqa: S704  drawn by us from our own tables


def _is_of(drawn: _Drawn, name: str) -> bool:
    return any(piece.name == name for piece in drawn.pieces)


def _words(label: str, here: str, legal: Collection[str]) -> str:
    """Say in words what the picture shows."""
    told = [label]
    if here:
        told.append(f"Now: {here}")
    if here and legal:
        told.append(f"Legal: {', '.join(sorted(legal))}")
    return escape(". ".join(told) + ".")


def _group(piece: _Piece, ways: Ways, here: str, open_ways: Collection[Way]) -> str:
    classes = f"{piece.sort} {piece.role}"
    source, _, target = piece.name.partition("->")
    way = (here, piece.name) if piece.role == "fold" else (source, target)
    if here and piece.name == here:
        classes += " here"
    elif way in open_ways:
        classes += " legal"
    return f'<g class="{classes}"><title>{escape(_title(piece, ways))}</title>{piece.rest}'


def _title(piece: _Piece, ways: Ways) -> str:
    """Return what is told where a pointer rests: names of statuses, without those of kinds."""
    source, arrow, target = piece.name.partition("->")
    if not arrow:
        return _short(piece.name)
    signals = ", ".join(sorted(ways.get((source, target), ())))
    return f"{_short(source)} → {_short(target)}" + (f": {signals}" if signals else "")


def _short(name: str) -> str:
    return name.partition(".")[2].strip("()@") or name


def _drawn(subject: Subject, trace: tuple[str, ...], groups: Mapping[str, str]) -> _Drawn:
    """Return the drawing of a subject; made once, as tables never change."""
    number = (id(subject), trace)
    if number not in _kept:
        _kept[number] = _made(subject, trace, groups)
        while len(_kept) > KEPT_MAX:
            _kept.popitem(last=False)
    return _kept[number]


def _made(subject: Subject, trace: tuple[str, ...], groups: Mapping[str, str]) -> _Drawn:
    text = svg(dot(subject, trace=trace, groups=groups))
    opening = _HEAD.match(text)
    size = opening["size"] if opening else ""
    body = _BROUGHT.sub("", text[opening.end() if opening else 0 :])
    head, *rest = _GROUP.split(body)
    fours = zip(rest[::4], rest[1::4], rest[2::4], rest[3::4], strict=True)
    pieces = tuple(_Piece(sort, role, unescape(name), more) for sort, role, name, more in fours)
    return _Drawn(subject, size, head, pieces, _ways(subject))


def _ways(subject: Subject) -> Ways:
    """Return which signals lead from where to where; to a note, where one stands for many."""
    ways = {
        (arrow.source, arrow.target): frozenset(arrow.labels)
        for arrow in sketch(subject).arrows
        if arrow.line == "edge"
    }
    for machine in (subject,) if isinstance(subject, Machine) else subject.machines():
        for fold in folded(machine):
            note = key(machine.name, f"({fold.signal} {fold.target})")
            for source in fold.sources:
                ways[key(machine.name, source), note] = frozenset({fold.signal})
    return ways
