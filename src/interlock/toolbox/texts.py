"""Tools that need nothing around them: a value as it was given, and a text with names filled in."""

import json
import re
from collections.abc import Mapping
from typing import Final

from interlock.toolbox.around import Around
from interlock.toolbox.tool import VALIDATION, ToolFailure, tool

# Doubled braces stand for themselves; whatever else has a brace in it is a mistake.
PIECE: Final = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}|[{}]")


@tool(
    name="literal",
    doc="Return a value as it was given.",
    parameters={
        "type": "object",
        "properties": {"value": {"description": "Any JSON value."}},
        "required": ["value"],
        "additionalProperties": False,
    },
    result={
        "type": "object",
        "properties": {"value": {"description": "The same value."}},
        "required": ["value"],
    },
)
def literal(arguments: Mapping[str, object], around: Around) -> object:
    """Return the value."""
    del around
    return {"value": arguments["value"]}


@tool(
    name="template",
    doc=(
        "Fill values into a text. {name} stands for a value by that name, {{ and }} for braces;"
        " there are no expressions. Lists and objects are written as JSON."
    ),
    parameters={
        "type": "object",
        "properties": {
            "template": {"type": "string", "description": "A text with {name} in it."},
            "values": {"type": "object", "description": "The values by their names."},
        },
        "required": ["template", "values"],
        "additionalProperties": False,
    },
    result={
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The text, filled in."}},
        "required": ["text"],
    },
)
def template(arguments: Mapping[str, object], around: Around) -> object:
    """Return the text with the values in their places."""
    del around
    values = arguments["values"]
    given = values if isinstance(values, Mapping) else {}
    return {"text": fill(str(arguments["template"]), given)}


def fill(text: str, values: Mapping[str, object]) -> str:
    """Return a text with its names filled in; a name that has no value fails as a whole."""
    missing = {name for name in PIECE.findall(text) if name and name not in values}
    if missing:
        named = ", ".join(sorted(missing))
        message = f"The template names what has no value: {named}."
        raise ToolFailure(VALIDATION, message, detail=f"There are: {', '.join(values) or 'none'}.")

    def put(found: re.Match[str]) -> str:
        name, whole = found[1], found[0]
        if name is None and whole in "{}":
            message = f"The template has a brace that opens or closes no name, at {found.start()}."
            raise ToolFailure(VALIDATION, message, detail="Write {{ or }} for a brace itself.")
        return whole[0] if name is None else shown(values[name])

    return PIECE.sub(put, text)


def shown(value: object) -> str:
    """Return a value as it stands in a text: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
