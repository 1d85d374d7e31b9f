"""One mapping of a tool step: where a parameter comes from, where a result goes, what fits what.

Nothing here knows of chains or stores. A path leads into a value by its dots: ``rows.0.name``.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from interlock.outside.schema import InvalidSchema, Schema, read_schema
from interlock.store.rows import dump

Json = Mapping[str, object]
DEFS: Final = ("$defs", "definitions")
"""Where a schema keeps what it refers to."""


class NoSuchPath(Exception):
    """There is nothing at the end of a path."""


def at_path(value: object, path: str) -> object:
    """Follow a path into a value; raises ``NoSuchPath``. The empty path is the value itself."""
    for word in path.split(".") if path else ():
        if isinstance(value, Mapping) and word in value:
            value = value[word]
        elif isinstance(value, list | tuple) and word.isascii() and word.isdigit():
            if int(word[:9]) >= len(value):
                raise NoSuchPath(path)
            value = value[int(word[:9])]
        else:
            raise NoSuchPath(path)
    return value


def schema_at(schema: Json | None, path: str) -> Json | None:
    """Follow a path into what a schema says; None where it does not say."""
    for word in path.split(".") if path else ():
        inner: object = None
        if schema is not None:
            properties = schema.get("properties")
            inner = properties.get(word) if isinstance(properties, Mapping) else None
            if inner is None and word.isascii() and word.isdigit():
                inner = schema.get("items")
        schema = inner if isinstance(inner, Mapping) else None
    return schema


def part_of(schema: Json, name: str) -> Json | None:
    """Return the schema of one property, with what it may refer to; None where there is none."""
    properties = schema.get("properties")
    found = properties.get(name) if isinstance(properties, Mapping) else None
    if not isinstance(found, Mapping):
        return None
    return {word: schema[word] for word in DEFS if word in schema} | dict(found)


def names_of(schema: Json) -> tuple[str, ...] | None:
    """Return the properties that a schema of an object names; None where any name will do."""
    properties = schema.get("properties")
    is_open = schema.get("additionalProperties") not in (None, False)
    if is_open or not isinstance(properties, Mapping):
        return None
    return tuple(properties)


def required_of(schema: Json) -> tuple[str, ...]:
    """Return the properties that must be there."""
    required = schema.get("required")
    return tuple(map(str, required)) if isinstance(required, list | tuple) else ()


def wrong_with(value: object, schema: Json | None) -> list[str]:
    """Return what is wrong with a value by a schema; nothing where the schema cannot be used."""
    found = None if schema is None else _read(dump(schema))
    return [] if found is None else found.wrong(value)


@lru_cache(maxsize=256)
def _read(text: str) -> Schema | None:
    try:
        return read_schema(json.loads(text))
    except InvalidSchema:
        return None


def is_unlike(given: Json | None, wanted: Json | None) -> bool:
    """Say whether what one schema gives can never be what another one wants, by their types."""
    has, takes = _types(given), _types(wanted)
    if has is None or takes is None:
        return False
    if "number" in takes:
        takes |= {"integer"}
    if "number" in has:
        has |= {"integer"}
    return has.isdisjoint(takes)


def _types(schema: Json | None) -> frozenset[str] | None:
    said = None if schema is None else schema.get("type")
    if isinstance(said, str):
        return frozenset({said})
    return frozenset(map(str, said)) if isinstance(said, list | tuple) and said else None


def types_told(schema: Json | None) -> str:
    """Tell the types of a schema."""
    return " or ".join(sorted(_types(schema) or ())) or "anything"


def only_word(told: Json, words: tuple[str, ...]) -> str:
    """Return the one of these words that a mapping says; empty where it says none or several."""
    said = [word for word in words if word in told]
    return said[0] if len(said) == 1 else ""


def assets_of(mapping: Mapping[str, Json]) -> Iterator[str]:
    """Yield the assets that a mapping names."""
    for told in mapping.values():
        if isinstance(told.get("asset"), str):
            yield str(told["asset"])
