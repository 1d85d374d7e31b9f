"""An answer is read from what a model said: bare, in a fence, or after some words; JSON or YAML.

Only the form is mended, and every mending is told. No content is made up, changed or completed:
what cannot be read is no answer.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from interlock.ticketing.canonical import DocumentInvalid, read

THOUGHT: Final = "</think>"
FENCE: Final = re.compile(
    r"^[ \t]*```[ \t]*[A-Za-z]*[ \t]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE
)
WRAPPERS: Final = frozenset({
    "answer", "artifact", "data", "document", "output", "response", "result",
})  # fmt: skip
"""Keys that models like to put around an answer."""

OBJECTS_TRIED: Final = 200

Document = dict[str, object]


class Unreadable(Exception):
    """No answer can be read from a text; says why."""


class Read(NamedTuple):
    """An answer, and what was done so that it could be read."""

    answer: Document
    warnings: tuple[str, ...] = ()


def read_answer(text: str, schema: Mapping[str, object]) -> Read:
    """Return the first object in a text that looks like an answer; raises ``Unreadable``.

    Of several objects the first is taken that has a field of the schema: models show examples.
    """
    if not text.strip():
        raise Unreadable("nothing was said")
    known = _fields(schema)
    for found in _candidates(text):
        peeled = _peeled(found, known)
        if not known or known & set(peeled.answer):
            return peeled
    whole = from_json(text)
    if whole is not None:
        # Its fields are not those of an answer, which the server says better than we could.
        return Read(whole)
    raise Unreadable("there is no JSON object with a field of the answer in it")


def _candidates(text: str) -> Iterator[Read]:
    """Yield every object that a text can be read as, the plainest way first."""
    warnings: tuple[str, ...] = ()
    _, thought, rest = text.rpartition(THOUGHT)
    if thought:
        text, warnings = rest, ("what was thought aloud was passed over",)
    fenced = [found[1] for found in FENCE.finditer(text)]
    yield from _whole(text, from_json, warnings)
    for body in fenced:
        yield from _whole(body, from_json, (*warnings, "it stood in a code fence"))
    for found in _within(text):
        yield Read(found, (*warnings, "there were words around it"))
    for body in fenced:
        yield from _whole(body, from_yaml, (*warnings, "it stood in a code fence, as YAML"))
    yield from _whole(text, from_yaml, (*warnings, "it was YAML"))


def _whole(
    text: str, how: Callable[[str], Document | None], warnings: tuple[str, ...]
) -> Iterator[Read]:
    found = how(text)
    if found is not None:
        yield Read(found, warnings)


def _within(text: str) -> Iterator[Document]:
    """Yield the outermost objects that stand somewhere in a text."""
    start = text.find("{")
    for _ in range(OBJECTS_TRIED):
        if start < 0:
            return
        end = start + 1
        try:
            found, end = DECODER.raw_decode(text, start)
            if isinstance(found, dict) and _is_whole(found):
                yield found
        except (ValueError, RecursionError):
            pass
        start = text.find("{", end)


def from_json(text: str) -> Document | None:
    """Read a text that is nothing but a JSON object."""
    try:
        found = DECODER.decode(text.strip())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and _is_whole(found) else None


def from_yaml(text: str) -> Document | None:
    """Read a text that is nothing but a YAML document of fields; broken JSON is none."""
    if text.lstrip().startswith(("{", "[")):
        return None
    try:
        return read(text)
    except DocumentInvalid:
        return None


def _pairs(pairs: list[tuple[str, object]]) -> Document:
    """Refuse a field that is there twice: one of the two would be lost without a word."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a field is there twice")
    return made


def _no_constant(name: str) -> object:
    raise ValueError(name)


# Without strict a line end within a text is taken for what it is: form, not content.
DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_no_constant, strict=False
)


def _is_whole(found: Document) -> bool:
    """Whether every text in it can be written: half a character cannot."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return True


def _fields(schema: Mapping[str, object]) -> frozenset[str]:
    """Return the names of the fields that an answer can have."""
    found: set[str] = set()
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        found.update(map(str, properties))
    for word in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(word)
        for branch in branches if isinstance(branches, list | tuple) else ():
            if isinstance(branch, Mapping):
                found |= _fields(branch)
    return frozenset(found)


def _peeled(found: Read, known: frozenset[str]) -> Read:
    """Take away one wrapper around an answer, where nothing else is in it."""
    if len(found.answer) != 1 or known & set(found.answer):
        return found
    ((name, inner),) = found.answer.items()
    if name.lower() in WRAPPERS and isinstance(inner, dict) and known & set(inner):
        return Read(inner, (*found.warnings, f"it was wrapped in {name!r}"))
    return found
