"""Content as something to read: names, lists and texts in order, and the same as lines to compare.

What is to be approved is mostly a small tree of names and texts. ``pieces`` lays it out for a page;
``lines`` writes it down so that two of them can be held side by side.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, Literal, NamedTuple

DEPTH_MAX: Final = 3
ITEMS_MAX: Final = 200
ROWS_MAX: Final = 20
SHORT_MAX: Final = 80
"""How deep a tree is laid out, how many things of it, and how many rows of a list that are trees
themselves; the rest is shown as JSON."""


class Piece(NamedTuple):
    """One thing with its name: a text, a list of texts, or more pieces below it."""

    name: str
    kind: Literal["text", "list", "tree", "code"]
    text: str = ""
    items: tuple[str, ...] = ()
    pieces: tuple["Piece", ...] = ()


def pieces(content: object, depth: int = 0) -> tuple[Piece, ...]:
    """Lay content out; what is empty is left out."""
    things = content if isinstance(content, Mapping) else {"content": content}
    if len(things) > ITEMS_MAX:
        return (Piece("content", "code", as_json(content)),)
    return tuple(
        _piece(title(str(name)), value, depth)
        for name, value in things.items()
        if value not in (None, "", [], {}, ())
    )


def title(name: str) -> str:
    """Return a name as people write it."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _piece(name: str, value: object, depth: int) -> Piece:
    if isinstance(value, str):
        return Piece(name, "text", value)
    if isinstance(value, bool | int | float):
        return Piece(name, "text", json.dumps(value))
    if isinstance(value, list | tuple) and len(value) <= ITEMS_MAX and all(map(_is_plain, value)):
        return Piece(name, "list", items=tuple(map(_text, value)))
    if isinstance(value, Mapping) and depth < DEPTH_MAX:
        return Piece(name, "tree", pieces=pieces(value, depth + 1))
    if isinstance(value, list | tuple) and len(value) <= ROWS_MAX and depth < DEPTH_MAX:
        numbered = {str(number): one for number, one in enumerate(value, 1)}
        return Piece(name, "tree", pieces=pieces(numbered, depth + 1))
    short = json.dumps(value, ensure_ascii=False)
    return Piece(name, "code", short if len(short) <= SHORT_MAX else as_json(value))


def _is_plain(value: object) -> bool:
    return isinstance(value, str | bool | int | float)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def as_json(value: object) -> str:
    """Return content as JSON that people can read."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def lines(content: object, most: int | None = None) -> list[str]:
    """Write content down line by line, ``most`` of them: a text of several lines is several."""
    if isinstance(content, str):
        return content.splitlines()[:most]
    return list(islice(_lines(content, ""), most))


def _lines(value: object, indent: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _named(f"{indent}{name}:", inner, indent)
    elif isinstance(value, list):
        for inner in value:
            yield from _named(f"{indent}-", inner, indent)
    else:
        yield from (f"{indent}{line}" for line in _text(value).splitlines() or [""])


def _named(head: str, value: object, indent: str) -> Iterator[str]:
    is_short = _is_plain(value) and "\n" not in _text(value)
    if is_short or value is None:
        yield f"{head} {_text(value)}"
    else:
        yield head
        yield from _lines(value, f"{indent}  ")


def read_content(content: bytes) -> object:
    """Return kept bytes as data where they are some, else as text."""
    text = content.decode("utf-8", "replace")
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value
