"""Documents as text: YAML written in one way only, and read with suspicion.

The writer is our own: equal documents must give equal bytes for ever, whatever version of a
library is installed, because a digest of the bytes is what people approve. What it writes any
reader of YAML reads the same. The reader takes a subset: no anchors, tags or second documents, no
key twice, nothing that JSON could not say. A plain word is text unless JSON would read it
otherwise, so nothing turns into a date or a "no" by itself.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Final, Never, Protocol

import yaml

from interlock.errors import InterlockError
from interlock.ticketing.checked import Json

BYTES_MAX: Final = 16 * 1024 * 1024
DEPTH_MAX: Final = 64
INDENT: Final = 2
KEY_MAX: Final = 200
DIGITS_MAX: Final = 300

# What a YAML stream may hold as it is; the rest is written as an escape.
UNPRINTABLE: Final = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
# The same, and what some reader takes for the end of a line or the start of a file.
ESCAPED: Final = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd"
                            "\U00010000-\U0010ffff]")  # fmt: skip
BROKEN: Final = re.compile("[\ud800-\udfff]")
PLAIN: Final = re.compile(r"[A-Za-z/](?:.*[^\s:])?")
HARMFUL: Final = re.compile(r": | #")
NOT_PLAIN: Final = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
"""Words that some reader of YAML takes for something else than text."""

INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)")
NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
ENDLESS: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
WORDS: Final[Mapping[str, object]] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip

# The parser in C reads twenty times as fast; both make the same events.
LOADER: Final = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


class DocumentInvalid(InterlockError):
    """A document cannot be read, or holds what no document can hold."""

    code = "DOCUMENT_INVALID"
    http = 422

    def __init__(self, why: str, line: int = 0, column: int = 0) -> None:
        """Say why, and where: lines and columns count from 1; 0 where there is no place."""
        place = f"Line {line}, column {column}: " if line else ""
        super().__init__(f"{place}{why}.", fix="Mend the document there, then send all of it.")
        self.why = why
        self.line = line
        self.column = column


def digest(text: str) -> str:
    """Return the SHA-256 of a document's bytes, in lower case."""
    return hashlib.sha256(text.encode()).hexdigest()


# -- writing -----------------------------------------------------------------------------------


def write(document: Json) -> str:
    """Write a document; raises ``DocumentInvalid`` for what JSON could not hold either."""
    lines: list[str] = []
    _put(lines, document, "", "")
    return "\n".join(lines) + "\n"


def _put(lines: list[str], value: object, lead: str, indent: str) -> None:
    """Add the lines of a value: the first begins with the lead, all others with the indent."""
    if not value or not isinstance(value, Mapping | list | tuple):
        _put_scalar(lines, value, lead, indent)
        return
    # One level is kept free for an empty list or object in the innermost one.
    if len(indent) > INDENT * (DEPTH_MAX - 2):
        raise DocumentInvalid(f"it is nested more than {DEPTH_MAX} deep")
    deeper = indent + " " * INDENT
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if inner and isinstance(inner, Mapping | list | tuple):
                lines.append(f"{lead}{_key(key)}:")
                _put(lines, inner, deeper, deeper)
            else:
                _put_scalar(lines, inner, f"{lead}{_key(key)}: ", deeper)
            lead = indent
    else:
        for one in value:
            _put(lines, one, f"{lead}- ", deeper)
            lead = indent


def _put_scalar(lines: list[str], value: object, lead: str, indent: str) -> None:
    """Add a value that has no parts; a block of lines stands under its lead."""
    if not isinstance(value, str) or not _is_block(value):
        lines.append(lead + _scalar(value))
        return
    mark = "|" if value.endswith("\n") else "|-"
    lines.append(f"{lead}{mark}")
    each = value.removesuffix("\n").split("\n")
    lines.extend(f"{indent}{line}" if line else line for line in each)


def _key(key: object) -> str:
    if not isinstance(key, str) or len(key) > KEY_MAX:
        raise DocumentInvalid(f"{str(key)[:40]!r} cannot be the name of a field")
    return _text(key)


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return _whole(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping | list | tuple):
        return "{}" if isinstance(value, Mapping) else "[]"
    raise DocumentInvalid(f"a {type(value).__name__} is nothing that a document can hold")


def _whole(value: int) -> str:
    if abs(value) >= 10**DIGITS_MAX:
        raise DocumentInvalid(f"a number has more than {DIGITS_MAX} digits")
    return str(value)


def _number(value: float) -> str:
    if not isfinite(value):
        raise DocumentInvalid(f"{value} is no number that a document can hold")
    return repr(value + 0.0)  # there is one zero


def _text(value: str) -> str:
    """Return a text on one line: as it is where every reader takes it for text."""
    if BROKEN.search(value):
        raise DocumentInvalid(f"{value[:40]!r} holds half of a character")
    if (
        PLAIN.fullmatch(value)
        and not HARMFUL.search(value)
        and not ESCAPED.search(value)
        and value.lower() not in NOT_PLAIN
    ):
        return value
    return ESCAPED.sub(_escape, json.dumps(value, ensure_ascii=False))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _is_block(value: str) -> bool:
    """Say whether a text can stand as a block of lines and be read as exactly itself."""
    lines = value.removesuffix("\n").split("\n")
    return (
        "\n" in value
        and bool(lines[0])
        and bool(lines[-1])
        and lines[0][0] not in " \t"
        and not any(line and not line.strip() for line in lines)
        and not any(ESCAPED.search(line) for line in lines)
    )


# -- reading -----------------------------------------------------------------------------------


def read(text: str) -> dict[str, object]:
    """Read a document; raises ``DocumentInvalid`` with the line and column of what is wrong."""
    if len(text) > BYTES_MAX or len(text.encode(errors="replace")) > BYTES_MAX:
        raise DocumentInvalid(f"it has more than {BYTES_MAX:,} bytes")
    strange = UNPRINTABLE.search(text)
    if strange:
        before = text[: strange.start()].split("\n")
        why = f"the character U+{ord(strange[0]):04X} can only stand as an escape in quotes"
        raise DocumentInvalid(why, len(before), len(before[-1]) + 1)
    building = _Building()
    try:
        for event in yaml.parse(text, Loader=LOADER):
            building.take(event)
    except yaml.MarkedYAMLError as exc:
        mark = exc.problem_mark or exc.context_mark
        why = " ".join(str(exc.problem or exc.context or "it is no YAML").split())
        raise DocumentInvalid(why, *_place(mark)) from exc
    except yaml.YAMLError as exc:
        raise DocumentInvalid(" ".join(str(exc).split())) from exc
    return building.document()


class _Mark(Protocol):
    """A place in a text, as either parser tells it; both count from 0."""

    line: int
    column: int


def _place(mark: _Mark | None) -> tuple[int, int]:
    return (0, 0) if mark is None else (mark.line + 1, mark.column + 1)


def _refuse(event: yaml.Event, why: str) -> Never:
    raise DocumentInvalid(why, *_place(event.start_mark))


NOTHING: Final = object()


@dataclass(slots=True)
class _Open:
    """A mapping or list that is still being read; ``key`` is the field whose value comes next."""

    value: dict[str, object] | list[object]
    key: object = NOTHING


@dataclass(slots=True)
class _Building:
    """Puts a document together from the events of a parser; no recursion, so depth is no risk."""

    stack: list[_Open] = field(default_factory=list)
    whole: object = NOTHING

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.AliasEvent):
            _refuse(event, f"*{event.anchor} refers to another place; write the value out")
        if isinstance(event, yaml.DocumentStartEvent) and self.whole is not NOTHING:
            _refuse(event, "a second document begins")
        if isinstance(event, yaml.NodeEvent):
            self._check(event)
            self._node(event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self.stack.pop()

    def document(self) -> dict[str, object]:
        if not isinstance(self.whole, dict):
            found = "nothing" if self.whole in (NOTHING, None) else "no fields"
            raise DocumentInvalid(f"a document of fields was expected, {found} found", 1, 1)
        return self.whole

    def _check(self, event: yaml.NodeEvent) -> None:
        if event.anchor is not None:
            _refuse(event, f"&{event.anchor} names a place; nothing can refer to one")
        tag = getattr(event, "tag", None)
        if tag is not None:
            _refuse(event, f"the tag {tag} says a type; only plain values are taken")

    def _node(self, event: yaml.NodeEvent) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._put(event, _value(event))
            return
        made: dict[str, object] | list[object]
        made = {} if isinstance(event, yaml.MappingStartEvent) else []
        if len(self.stack) >= DEPTH_MAX:
            _refuse(event, f"it is nested more than {DEPTH_MAX} deep")
        self._put(event, made)
        self.stack.append(_Open(made))

    def _put(self, event: yaml.NodeEvent, value: object) -> None:
        if not self.stack:
            self.whole = value
            return
        top = self.stack[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is NOTHING:
            top.key = self._name(event, top.value)
        else:
            top.value[str(top.key)] = value
            top.key = NOTHING

    def _name(self, event: yaml.NodeEvent, taken: dict[str, object]) -> str:
        """Return the name of a field: its text as it was written, though it look like a number."""
        if not isinstance(event, yaml.ScalarEvent):
            _refuse(event, "the name of a field must be text")
        name = str(event.value)
        if len(name) > KEY_MAX:
            _refuse(event, f"the name of a field has more than {KEY_MAX} characters")
        if name in taken:
            _refuse(event, f"the field {name!r} is there twice")
        return name


def _value(event: yaml.ScalarEvent) -> object:
    text = str(event.value)
    if not event.implicit[0]:  # in quotes, or a block: text, whatever it looks like
        return text
    if text in WORDS:
        return WORDS[text]
    if ENDLESS.fullmatch(text):
        _refuse(event, f"{text} is no number that a document can hold")
    if not NUMBER.fullmatch(text):
        return text
    if len(text) > DIGITS_MAX:
        _refuse(event, f"a number has more than {DIGITS_MAX} digits")
    if INTEGER.fullmatch(text):
        return int(text)
    if not isfinite(float(text)):
        _refuse(event, f"{text} is too large for a number")
    return float(text)
