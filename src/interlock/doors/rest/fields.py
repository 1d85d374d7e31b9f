"""What a command takes from a query, read off the schema of its shape.

A shape within a shape is laid flat: ``filter.status`` is asked as ``status``. A list is a
parameter that is repeated. Values are read as the schema says, and never guessed at.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Final, NamedTuple

from interlock.commands.row import AnyCommand
from interlock.service.errors import InvalidInput

Schema = dict[str, object]
Mistakes = tuple[tuple[str, str], ...]

WHOLE: Final = re.compile(r"-?[0-9]{1,30}")
DECIMAL: Final = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?")
YES_NO: Final = {"true": True, "false": False}


class Field(NamedTuple):
    """One parameter of a query: its name, where it goes, and the schema of its value."""

    name: str
    place: tuple[str, ...]
    schema: Schema
    is_required: bool
    # What one value of it is: string, integer, number or boolean.
    kind: str
    is_list: bool


@cache
def fields_of(row: AnyCommand) -> tuple[Field, ...]:
    """Return the parameters of a read, without those that stand in its path."""
    schema = row.takes.model_json_schema()
    shapes = schema.get("$defs", {})
    return tuple(field for field in _fields(schema, shapes) if field.name not in row.in_path)


def _fields(
    schema: Schema, shapes: Mapping[str, Schema], within: tuple[str, ...] = ()
) -> Iterator[Field]:
    needed = schema.get("required", [])
    members = schema["properties"]
    for name, one in members.items() if isinstance(members, dict) else ():
        plain = resolved(one, shapes)
        if "properties" in plain:
            yield from _fields(plain, shapes, (*within, name))
            continue
        is_list = plain.get("type") == "array"
        item = plain["items"] if is_list else plain
        kind = str(item.get("type", "string")) if isinstance(item, dict) else "string"
        is_needed = isinstance(needed, list) and name in needed and not within
        yield Field(name, (*within, name), plain, is_needed, kind, is_list)


def resolved(schema: Mapping[str, object], shapes: Mapping[str, Schema]) -> Schema:
    """Return a schema in place of its reference, and without the choice of saying null."""
    choices = schema.get("anyOf")
    if isinstance(choices, list):
        (real,) = [choice for choice in choices if choice.get("type") != "null"]
        own = {name: value for name, value in schema.items() if name not in ("anyOf", "default")}
        return resolved({**real, **own}, shapes)
    place = schema.get("$ref")
    if isinstance(place, str):
        own = {name: value for name, value in schema.items() if name != "$ref"}
        return resolved({**shapes[place.rpartition("/")[2]], **own}, shapes)
    return dict(schema)


def read_query(row: AnyCommand, pairs: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Return the arguments that a query names; raises with every mistake beside its field."""
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value)
    known = {field.name: field for field in fields_of(row)}
    mistakes = [(name[:80], _unknown(name, known)) for name in given if name not in known]
    arguments: dict[str, object] = {}
    for name, values in given.items():
        field = known.get(name)
        if field is None:
            continue
        if len(values) > 1 and not field.is_list:
            mistakes.append((name, "is given more than once"))
            continue
        try:
            read = [_value(field.kind, value) for value in values]
        except ValueError as wrong:
            mistakes.append((name, str(wrong)))
            continue
        _put(arguments, field.place, read if field.is_list else read[0])
    if mistakes:
        told = "; ".join(f"{ascii(name)[1:-1]}: {what}" for name, what in mistakes)
        names = ", ".join(known) or "no parameters"
        raise InvalidInput(
            f"{row.name} cannot be asked like that: {told}.",
            fix=f"Correct what is named; {row.name} takes {names}.",
            fields=tuple(mistakes),
        )
    return arguments


def as_asked(row: AnyCommand, mistakes: Mistakes) -> Mistakes:
    """Return mistakes beside the names that the caller used, not those of our shapes."""
    names = {".".join(field.place): field.name for field in fields_of(row)} if row.is_read else {}
    return tuple((names.get(where, where), what) for where, what in mistakes)


def _unknown(name: str, known: Mapping[str, Field]) -> str:
    near = get_close_matches(name[:80], known, n=1)
    return f"is no parameter; did you mean {near[0]}?" if near else "is no parameter"


def _value(kind: str, text: str) -> object:
    """Read one value; raises ValueError with what it should be."""
    if kind == "integer":
        if not WHOLE.fullmatch(text):
            raise ValueError("should be a whole number")
        return int(text)
    if kind == "number":
        if not DECIMAL.fullmatch(text):
            raise ValueError("should be a number")
        return float(text)
    if kind == "boolean":
        if text not in YES_NO:
            raise ValueError("should be true or false")
        return YES_NO[text]
    return text


def _put(arguments: dict[str, object], place: tuple[str, ...], value: object) -> None:
    *within, name = place
    for outer in within:
        inner = arguments.setdefault(outer, {})
        if isinstance(inner, dict):
            arguments = inner
    arguments[name] = value
