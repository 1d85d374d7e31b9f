"""A small language of paths into JSON, and the tool that follows one.

A path is names and places: ``a.b[0].c``. ``[-1]`` counts from the end, ``["a b"]`` is a name that
is not plain, ``[*]`` goes to every item of a list or every value of an object; ``$`` or nothing is
the whole value. There are no filters and no functions.
"""

import json
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from interlock.toolbox.around import Around
from interlock.toolbox.tool import VALIDATION, ToolFailure, tool

EACH: Final = None
"""Goes to every item."""

PIECE: Final = re.compile(
    r"""\.?(?P<name>[^\W\d][\w-]*)|\[(?P<place>-?[0-9]{1,9})\]|(?P<each>\[\*\])"""
    r"""|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]"""
)
PIECES_MAX: Final = 100
FOUND_MAX: Final = 1_000_000
"""How many values one path may lead to: each ``[*]`` multiplies them."""


class Path(NamedTuple):
    """A path that was read: names, places, and where it goes to every item."""

    pieces: tuple[str | int | None, ...]

    @property
    def is_many(self) -> bool:
        """Whether it leads to a list of values instead of one."""
        return EACH in self.pieces

    def follow(self, value: object) -> list[object]:
        """Return all values that the path leads to; what is not there is left out."""
        found = [value]
        for piece in self.pieces:
            found = [inner for one in found for inner in _into(one, piece)]
            if len(found) > FOUND_MAX:
                raise ToolFailure(VALIDATION, f"The path leads to more than {FOUND_MAX:,} values.")
        return found


def read_path(text: str) -> Path:
    """Read a path; a mistake is told with its place."""
    rest = text.strip()
    at = 1 if rest.startswith("$") else 0
    pieces: list[str | int | None] = []
    while at < len(rest):
        found = PIECE.match(rest, at)
        # A dot stands between two pieces, not before the first one, unless that is the whole.
        is_first = at == 0
        if found is None or (found["name"] and is_first == rest.startswith(".", at)):
            raise _unreadable(rest, at)
        pieces.append(_piece(found, rest))
        at = found.end()
    if len(pieces) > PIECES_MAX:
        raise ToolFailure(VALIDATION, f"The path has more than {PIECES_MAX} pieces.")
    return Path(tuple(pieces))


def _piece(found: re.Match[str], text: str) -> str | int | None:
    if found["name"]:
        return found["name"]
    if found["place"]:
        return int(found["place"])
    if found["each"]:
        return EACH
    try:
        return str(json.loads(found["quoted"]))
    except ValueError as exc:
        raise _unreadable(text, found.start()) from exc


def _unreadable(text: str, at: int) -> ToolFailure:
    message = f"The path cannot be read at position {at}: {text[at : at + 20]!r}."
    return ToolFailure(VALIDATION, message, detail='Write it like a.b[0].c, [*] or ["a b"].')


def _into(value: object, piece: str | int | None) -> list[object]:
    if piece is EACH:
        if isinstance(value, dict):
            return [*value.values()]
        return [*value] if isinstance(value, list) else []
    if isinstance(piece, int):
        is_there = isinstance(value, list) and -len(value) <= piece < len(value)
        return [value[piece]] if is_there and isinstance(value, list) else []
    return [value[piece]] if isinstance(value, dict) and piece in value else []


@tool(
    name="json_query",
    doc=(
        "Follow a path into a JSON value: a.b[0].c, [-1] from the end, [*] for every item,"
        ' ["a b"] for names that are not plain. With [*] the value is a list of all that is found;'
        " without it, the one value, or the default where nothing is there."
    ),
    parameters={
        "type": "object",
        "properties": {
            "value": {"description": "Any JSON value."},
            "path": {"type": "string", "description": "The path, as in items[*].price."},
            "default": {"description": "What to return where nothing is there; without it: fails."},
        },
        "required": ["value", "path"],
        "additionalProperties": False,
    },
    result={
        "type": "object",
        "properties": {
            "value": {"description": "What was found."},
            "count": {"type": "integer", "minimum": 0, "description": "How many were found."},
        },
        "required": ["value", "count"],
    },
)
def json_query(arguments: Mapping[str, object], around: Around) -> object:
    """Return what the path leads to."""
    del around
    text = str(arguments["path"])
    path = read_path(text)
    found = path.follow(arguments["value"])
    if path.is_many:
        return {"value": found, "count": len(found)}
    if not found and "default" not in arguments:
        raise ToolFailure(VALIDATION, f"Nothing is at {text!r} of the value.")
    return {"value": found[0] if found else arguments["default"], "count": len(found)}
