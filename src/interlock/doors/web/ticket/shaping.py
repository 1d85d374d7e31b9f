"""What a document has several of, changed by pressing a button: one more, one less, another order.

Nothing is saved here. A form carries the document as it is laid out, an order changes that, and the
fields are laid out anew with all that was written. What is wrong with the outcome is told like any
other mistake.
"""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final, NamedTuple, cast

from interlock.ticketing.answer import place
from interlock.ticketing.checked import Json

Way = tuple[str | int, ...]
Rows = list[dict[str, Any]]

ORDER: Final = re.compile(r"(lay|add|remove|up|down) (\$.{0,200})")
LAY: Final = "lay"
"""An order that changes nothing: the fields are only laid out."""

NAME_MAX: Final = 60
NO_WORD: Final = re.compile(r"[^a-z0-9]+")


class Kind(NamedTuple):
    """What a list holds: its name for people, what a new one is made of, what is below it."""

    word: str
    blank: Mapping[str, object]
    below: str = ""


STORY: Final = Kind(
    "story",
    {
        "title": "", "acceptance_criteria": [], "implementation_steps": [],
        "verification": {"required_commands": []},
    },
)  # fmt: skip
EPIC: Final = Kind(
    "epic",
    {
        "title": "", "objective": "", "implementation_steps": [],
        "user_stories": [dict(STORY.blank)],
    },
    below="user_stories",
)  # fmt: skip
BEAD: Final = Kind(
    "bead",
    {
        "id": "", "title": "", "description": "", "prd_refs": [],
        "guidance": {"patterns": [], "anti_patterns": []}, "acceptance_criteria": [], "tests": [],
        "test_commands": [], "issue_type": "task", "labels": [], "blocked_by": [], "blocks": [],
        "target_files": [], "priority": 1,
    },
)  # fmt: skip
STEP: Final = Kind(
    "step",
    {
        "id": "", "title": "", "purpose": "", "commands": [], "required": True, "rationale": "",
        "cautions": [],
    },
)  # fmt: skip
PROBE: Final = Kind("probe", {"id": "", "command": "", "purpose": ""})
KINDS: Final[Mapping[str, Kind]] = {
    "epics": EPIC, "user_stories": STORY, "beads": BEAD, "steps": STEP, "probes": PROBE,
}  # fmt: skip
NAMED: Final = ("beads", "steps", "probes")
"""The lists whose entries have names of their own."""

"""The lists that can be shaped. Of an interview there is none: its questions were asked."""


class Act(NamedTuple):
    """One button: the order that it sends, its word, and what it is about."""

    order: str
    word: str
    about: str


class Laid(NamedTuple):
    """A document after an order: where to go on, and what was done.

    ``base`` is the version that it was made of, ``reason`` what else the form says.
    """

    document: dict[str, Any]
    at: str = ""
    said: str = ""
    base: str = ""
    reason: str = ""


# -- buttons -----------------------------------------------------------------------------------


def acts_of(document: Json, way: Way) -> tuple[Act, ...]:
    """Return what can be done about an entry of a list; nothing for any other place."""
    kind = _kind(way[:-1]) if way and isinstance(way[-1], int) else None
    if kind is None:
        return ()
    number, last = cast("int", way[-1]), len(_rows(document, way[:-1])) - 1
    about, own = f"{kind.word} {number + 1}", place(*way)
    found = []
    if number > 0:
        found.append(Act(f"up {own}", "Up", about))
    if number < last:
        found.append(Act(f"down {own}", "Down", about))
    found.append(Act(f"remove {own}", "Remove", about))
    if kind.below:
        more = KINDS[kind.below].word
        found.append(Act(f"add {place(*way, kind.below)}", f"Add a {more}", f"to {about}"))
    return tuple(found)


def adds_of(document: Json) -> tuple[Act, ...]:
    """Return how the lists of the document itself become longer."""
    return tuple(
        Act(f"add {place(name)}", f"Add {'an' if kind.word[0] in 'aeiou' else 'a'} {kind.word}", "")
        for name, kind in KINDS.items()
        if isinstance(document.get(name), list)
    )


# -- orders ------------------------------------------------------------------------------------


def is_order(said: str) -> bool:
    """Say whether a form asks for another shape."""
    return ORDER.fullmatch(said) is not None


def shaped(document: Json, order: str) -> Laid:
    """Return a document after an order; one about a place that is not there changes nothing."""
    found = ORDER.fullmatch(order)
    after: dict[str, Any] = deepcopy(dict(document))
    if found is None or found[1] == LAY:
        return Laid(after)
    act, path = found[1], found[2]
    for way in _lists(after):
        kind, rows = cast("Kind", _kind(way)), _rows(after, way)
        if act == "add" and path == place(*way):
            rows.append(deepcopy(dict(kind.blank)))
            return Laid(after, place(*way, len(rows) - 1), f"{kind.word} {len(rows)} was added")
        for number in range(len(rows)):
            if act != "add" and path == place(*way, number):
                return _moved(after, way, number, act)
    return Laid(after)


def _moved(after: dict[str, Any], way: Way, number: int, act: str) -> Laid:
    kind, rows = cast("Kind", _kind(way)), _rows(after, way)
    was = f"{kind.word} {number + 1}"
    if act == "remove":
        gone = rows.pop(number)
        _forget(rows, gone.get("id"))
        at = place(*way, min(number, len(rows) - 1)) if rows else place(*way)
        return Laid(after, at, f"{was} was removed")
    other = number + (1 if act == "down" else -1)
    if not 0 <= other < len(rows):
        return Laid(after)
    rows[number], rows[other] = rows[other], rows[number]
    return Laid(after, place(*way, other), f"{was} is {kind.word} {other + 1} now")


def _forget(rows: Rows, name: object) -> None:
    """Let nothing wait for what is not there any more."""
    for row in rows:
        if name and isinstance(row.get("blocked_by"), list):
            row["blocked_by"] = [one for one in row["blocked_by"] if one != name]


def _lists(document: Json) -> Iterator[Way]:
    """Yield the ways to all lists that can be shaped."""
    for name, kind in KINDS.items():
        rows = document.get(name)
        if not isinstance(rows, list):
            continue
        yield (name,)
        for number, row in enumerate(rows):
            if kind.below and isinstance(row, Mapping) and isinstance(row.get(kind.below), list):
                yield (name, number, kind.below)


def _kind(way: Way) -> Kind | None:
    return KINDS.get(way[-1]) if way and isinstance(way[-1], str) else None


def _rows(document: Json, way: Way) -> Rows:
    found: Any = document
    for word in way:
        found = found[word]
    return cast("Rows", found)


# -- names -------------------------------------------------------------------------------------


def named(document: Json) -> dict[str, Any]:
    """Return a document whose new entries have names, made from what they are called."""
    found = dict(document)
    for name in NAMED:
        rows = found.get(name)
        if isinstance(rows, list):
            taken = {str(row.get("id")) for row in rows if isinstance(row, Mapping)}
            found[name] = [_with_name(row, taken, KINDS[name].word) for row in rows]
    return found


def _with_name(row: object, taken: set[str], kind: str) -> object:
    if not isinstance(row, Mapping) or row.get("id"):
        return row
    called = str(row.get("title") or row.get("command") or "").lower()
    words = NO_WORD.sub("-", called).strip("-")[:NAME_MAX].strip("-")
    first = name = words or f"new-{kind}"
    number = 1
    while name in taken:
        number += 1
        name = f"{first}-{number}"
    taken.add(name)
    return {**row, "id": name}
