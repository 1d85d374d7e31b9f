"""A form made from the shape of a command: a field for each thing that it takes, and what is sent.

What names the unit or its part, and what only programs send, is filled in or left out; the rest a
person writes. Whether it is right is for the command to say.
"""

import json
from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, NamedTuple, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from interlock.doors.web.csrf import Form
from interlock.doors.web.outline import title
from interlock.service.errors import InvalidInput
from interlock.wire.envelope import Shape

UNIT: Final = frozenset({"id", "unit_id", "plan_id", "mission_id", "ticket_id"})
PART: Final = frozenset({"part_id", "step_id", "hop_id", "tool_step_id", "asset_id", "bead_id"})
SHOWN: Final = frozenset({"content_digest", "digest"})
PROGRAMS: Final = frozenset({"request_id", "session_id", "lease", "dry_run"})
"""Fields that name the unit, name its part, say what was shown at a gate (which only its page can),
and that no person fills in."""

LONG: Final = 500
"""Texts that may be longer than this have a field of several lines."""

Kind = Literal["line", "text", "number", "check", "choice", "json"]


class Field(NamedTuple):
    """One field of a form."""

    name: str
    label: str
    kind: Kind
    hint: str
    choices: tuple[str, ...]
    is_needed: bool


class About(NamedTuple):
    """What a form is about: a unit, and one of its parts or none."""

    unit: str
    part: str = ""


def fields(shape: type[Shape]) -> Iterator[Field]:
    """Yield the fields that a person fills in."""
    for name, info in shape.model_fields.items():
        if name in UNIT | PART | SHOWN | PROGRAMS:
            continue
        kind, choices = _kind(info)
        told = info.description or ""
        yield Field(name, title(name), kind, told, choices, info.is_required())


def _kind(info: FieldInfo) -> tuple[Kind, tuple[str, ...]]:
    plain = _plain(info.annotation)
    if get_origin(plain) is Literal:
        return "choice", tuple(map(str, get_args(plain)))
    simple: Mapping[object, Kind] = {bool: "check", int: "number", float: "number"}
    if plain in simple:
        return simple[plain], ()
    if plain is str:
        return ("text" if _length(info) > LONG else "line"), ()
    return "json", ()


def _plain(annotation: object) -> object:
    """Return a type without what is said about it, and without the possibility of none."""
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        others = [one for one in get_args(annotation) if one is not NoneType]
        return _plain(others[0]) if len(others) == 1 else annotation
    return annotation


def _length(info: FieldInfo) -> int:
    """Return how long a text may be; without a limit it may be long."""
    told = repr(info.metadata) + repr(info.annotation)
    _, _, rest = told.partition("max_length=")
    digits = rest.partition(")")[0].partition(",")[0]
    return int(digits) if digits.isdecimal() else LONG + 1


def read(shape: type[Shape], form: Form, about: About) -> dict[str, object]:
    """Return what is sent for a form; raises ``InvalidInput`` for what cannot be read."""
    sent: dict[str, object] = {}
    for name in shape.model_fields:
        if name in UNIT:
            sent[name] = about.unit
        elif name in PART and about.part:
            sent[name] = about.part
    for field in fields(shape):
        text = form.get(field.name, "")
        if field.kind == "check":
            sent[field.name] = text == "yes"
        elif text.strip():
            sent[field.name] = _value(field, text)
    return sent


def _value(field: Field, text: str) -> object:
    if field.kind not in ("number", "json"):
        return text
    try:
        value: object = json.loads(text)
    except ValueError as exc:
        what = "is no number" if field.kind == "number" else "is no JSON"
        message = f"{field.label} {what}."
        raise InvalidInput(message, fix="Correct it.", fields=((field.name, what),)) from exc
    return value
