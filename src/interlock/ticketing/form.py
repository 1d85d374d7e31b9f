"""Pieces of JSON Schemas, so that a schema reads like what it describes.

Every object is closed and every field of it required, unless it is named as optional.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from interlock.ticketing.checked import Json

LINE_MAX: Final = 500
TEXT_MAX: Final = 20_000
LIST_MAX: Final = 200
# Blanks as Python strips them: a text of nothing else would be empty afterwards.
SOME_CHARACTER: Final = r"[^\s\x1c-\x1f]"


def shape(fields: Mapping[str, Json], optional: Collection[str] = ()) -> Json:
    """Return the schema of an object with these fields and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name in fields if name not in optional],
        "properties": dict(fields),
    }


def described(schema: Json, about: str) -> Json:
    """Return a schema with a sentence about it."""
    return {**schema, "description": about}


def line(about: str, most: int = LINE_MAX) -> Json:
    """Return the schema of a text that says something."""
    return {
        "type": "string", "minLength": 1, "maxLength": most, "pattern": SOME_CHARACTER,
        "description": about,
    }  # fmt: skip


def prose(about: str) -> Json:
    """Return the schema of a longer text that says something."""
    return line(about, TEXT_MAX)


def remark(about: str) -> Json:
    """Return the schema of a text that may be empty."""
    return {"type": "string", "maxLength": TEXT_MAX, "description": about}


def listed(items: Json, about: str, least: int = 0, most: int = LIST_MAX) -> Json:
    """Return the schema of a list."""
    return {
        "type": "array", "minItems": least, "maxItems": most, "items": items,
        "description": about,
    }  # fmt: skip


def lines(about: str, least: int = 0, most: int = LIST_MAX) -> Json:
    """Return the schema of a list of texts."""
    item = {"type": "string", "minLength": 1, "maxLength": TEXT_MAX, "pattern": SOME_CHARACTER}
    return listed(item, about, least, most)


def choice(words: Sequence[str], about: str) -> Json:
    """Return the schema of one of some words."""
    return {"type": "string", "enum": list(words), "description": about}


def number(least: int, most: int, about: str) -> Json:
    """Return the schema of a whole number."""
    return {"type": "integer", "minimum": least, "maximum": most, "description": about}


def flag(about: str) -> Json:
    """Return the schema of yes or no."""
    return {"type": "boolean", "description": about}
