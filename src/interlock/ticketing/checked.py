"""Looks into documents whose shape was checked before: typed, and never surprised.

What is missing reads as empty. Whether a shape is right is not asked here, but by a schema.
"""

from collections.abc import Mapping

Json = Mapping[str, object]


def text(document: Json, name: str) -> str:
    """Return a text without the blanks around it; empty where there is none."""
    value = document.get(name)
    return value.strip() if isinstance(value, str) else ""


def texts(document: Json, name: str) -> list[str]:
    """Return a list of texts without the blanks around them; those that are empty are left out."""
    value = document.get(name)
    found = value if isinstance(value, list | tuple) else ()
    return [one.strip() for one in found if isinstance(one, str) and one.strip()]


def rows(document: Json, name: str) -> list[Json]:
    """Return a list of objects."""
    value = document.get(name)
    found = value if isinstance(value, list | tuple) else ()
    return [one for one in found if isinstance(one, Mapping)]


def part(document: Json, name: str) -> Json:
    """Return an object within another."""
    value = document.get(name)
    return value if isinstance(value, Mapping) else {}
