"""Schemas as a model should read them: short, without references, true to what is checked.

The shapes in ``wire`` check the input; a schema only tells a client what they want. So whatever
costs tokens and helps nobody write a call is left out: titles, lengths, nulls.
"""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel

from interlock.wire.envelope import Asking

Schema = dict[str, object]

KEPT: Final = ("type", "enum", "const", "minimum", "maximum", "minItems")
"""What is said of a value, beside what it is made of; lengths are told when they are exceeded."""

LIMIT_TOLD: Final = 100
"""Up to which a largest number is said; nobody comes near a larger one by chance."""

OUTPUT: Final[Schema] = {
    "type": "object",
    "properties": {
        "status": {"type": "string"},
        "next_action": {"type": "string"},
        "data": {"type": "object"},
    },
    "required": ["status"],
}
"""The envelope of every answer. An error has the status ``error``, a code, a message and a fix."""


def input_schema(takes: type[BaseModel]) -> Schema:
    """Return what a command takes."""
    whole = takes.model_json_schema()
    shapes = whole.get("$defs", {})
    schema = _short(whole, shapes if isinstance(shapes, dict) else {})
    schema.pop("description", None)  # the tool has one of its own
    members = schema["properties"]
    if isinstance(members, dict):
        # What a call is about comes first; what any call may carry comes last.
        common = {name: members.pop(name) for name in Asking.model_fields if name in members}
        members.update(common)
    return schema


def _short(schema: Mapping[str, object], shapes: Mapping[str, Schema]) -> Schema:
    plain = _resolved(schema, shapes)
    short: Schema = {name: plain[name] for name in KEPT if name in plain}
    if isinstance(limit := short.get("maximum"), int | float) and limit > LIMIT_TOLD:
        del short["maximum"]
    if plain.get("default"):
        short["default"] = plain["default"]
    if isinstance(plain.get("description"), str):
        short["description"] = str(plain["description"]).replace("``", "").replace("\n", " ")
    inner = plain.get("items")
    if isinstance(inner, dict) and inner:
        short["items"] = _short(inner, shapes)
    choices = plain.get("anyOf")
    if isinstance(choices, list):
        short["anyOf"] = [_short(choice, shapes) for choice in choices]
    return short | _members(plain, shapes)


def _members(plain: Mapping[str, object], shapes: Mapping[str, Schema]) -> Schema:
    members = plain.get("properties")
    if not isinstance(members, dict):
        return {}
    found: Schema = {"properties": {name: _short(one, shapes) for name, one in members.items()}}
    return found | ({"required": plain["required"]} if "required" in plain else {})


def _resolved(schema: Mapping[str, object], shapes: Mapping[str, Schema]) -> Schema:
    """Return a schema in place of its reference, and without the choice of saying null."""
    choices = schema.get("anyOf")
    if isinstance(choices, list):
        real = [choice for choice in choices if choice.get("type") != "null"]
        if len(real) == 1:
            own = {name: value for name, value in schema.items() if name != "anyOf"}
            return _resolved({**real[0], **own}, shapes)
        return {**schema, "anyOf": real}
    place = schema.get("$ref")
    if isinstance(place, str):
        own = {name: value for name, value in schema.items() if name != "$ref"}
        return _resolved({**shapes[place.rpartition("/")[2]], **own}, shapes)
    return dict(schema)
