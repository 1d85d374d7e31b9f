"""A document field by field: what of it people write, each with its place, and put back there.

What is generated (ids, kinds, where something came from) is no field: it stays as it is. A list of
texts is one field with a line for each.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from interlock.doors.web.csrf import Form
from interlock.doors.web.outline import title
from interlock.doors.web.ticket.shaping import KINDS, Act, acts_of
from interlock.ticketing.answer import place
from interlock.ticketing.checked import Json

FIELD: Final = "at:"
"""How the names of fields begin; the place in the document follows."""

OURS: Final = frozenset({
    "schema_version", "ticket_id", "artifact", "generated_by", "source_interview", "source_prd",
    "follow_up_rounds", "summary", "id", "phase", "source", "follow_up_round", "answer_type",
    "options", "skipped", "selected_option_ids", "answered_by", "answered_at", "issue_type",
    "blocks", "priority",
})  # fmt: skip
"""Names whose values nobody writes here; some can be edited as YAML."""

LINES: Final = frozenset({"title", "prompt", "command"})
"""Texts of one line."""


class Leaf(NamedTuple):
    """One field: its name in a form, what it is called, and what is there."""

    name: str
    label: str
    text: str
    is_line: bool
    is_list: bool
    rows: int


class Branch(NamedTuple):
    """Fields that belong together: a question, an epic, a bead, or a part of the whole."""

    label: str
    leaves: tuple[Leaf, ...]
    # Where it is, and what can be done about all of it.
    at: str = ""
    acts: tuple[Act, ...] = ()


Way = tuple[str | int, ...]


def branches(document: Json) -> tuple[Branch, ...]:
    """Return the fields of a document, in its order."""
    found: dict[Way, list[Leaf]] = {}
    for way, value in _leaves(document, ()):
        head = _head(way)
        found.setdefault(way[:head], []).append(_leaf(way, value, way[head:] or way))
    return tuple(
        Branch(_called(way), tuple(leaves), place(*way), acts_of(document, way))
        for way, leaves in found.items()
    )


def _head(way: Way) -> int:
    """Return how much of a way names what a field belongs to: up to the last number in it."""
    return max((number for number, one in enumerate(way, 1) if isinstance(one, int)), default=1)


def _leaves(value: object, way: Way) -> Iterator[tuple[Way, object]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in OURS:
                yield from _leaves(inner, (*way, str(name)))
    elif isinstance(value, str) or (_is_texts(value) and way[-1] not in KINDS):
        yield way, value
    elif isinstance(value, Sequence):
        for number, inner in enumerate(value):
            yield from _leaves(inner, (*way, number))


def _is_texts(value: object) -> bool:
    """Say whether a value is a list that can be written with a line for each."""
    return isinstance(value, list | tuple) and all(
        isinstance(one, str) and "\n" not in one for one in value
    )


def _leaf(way: Way, value: object, own: Way) -> Leaf:
    is_list = not isinstance(value, str)
    text = "\n".join(value) if isinstance(value, list | tuple) else str(value)
    is_line = not is_list and way[-1] in LINES and "\n" not in text
    rows = min(12, max(2, text.count("\n") + 1))
    return Leaf(FIELD + place(*way), _called(own), text, is_line, is_list, rows)


def _called(way: Way) -> str:
    """Return what a place is called: ``Epics 1, user stories 2``."""
    words: list[str] = []
    for one in way:
        if isinstance(one, int):
            words[-1:] = [f"{words[-1] if words else ''} {one + 1}".strip()]
        else:
            words.append(one.replace("_", " "))
    return title(", ".join(words))


def filled(document: Json, form: Form) -> dict[str, object]:
    """Return a document with what a form says; a field that it does not have stays."""
    found = _filled(document, (), form)
    return dict(found) if isinstance(found, Mapping) else {}


def _filled(value: object, way: Way, form: Form) -> object:
    said = form.get(FIELD + place(*way))
    if isinstance(value, Mapping):
        return {
            name: inner if name in OURS else _filled(inner, (*way, str(name)), form)
            for name, inner in value.items()
        }
    if isinstance(value, str):
        return value if said is None else said.replace("\r\n", "\n")
    if _is_texts(value) and way[-1:] and way[-1] not in KINDS:
        lines = None if said is None else said.replace("\r\n", "\n").split("\n")
        return value if lines is None else [line.strip() for line in lines if line.strip()]
    if isinstance(value, Sequence):
        return [_filled(inner, (*way, number), form) for number, inner in enumerate(value)]
    return value
