"""What a server told, read piece by piece: what is missing or of another type is nothing."""

from collections.abc import Mapping
from typing import Any

Told = Mapping[str, Any]


def section(told: Told, name: str) -> Told:
    """Return an object within what was told; an empty one where there is none."""
    found = told.get(name)
    return found if isinstance(found, Mapping) else {}


def words(told: Told, name: str) -> tuple[str, ...]:
    """Return a list of texts within what was told."""
    found = told.get(name)
    return tuple(map(str, found)) if isinstance(found, list | tuple) else ()


def rows(told: Told, name: str) -> tuple[Told, ...]:
    """Return a list of objects within what was told."""
    found = told.get(name)
    every = found if isinstance(found, list | tuple) else ()
    return tuple(one for one in every if isinstance(one, Mapping))


def text(told: Told, name: str) -> str:
    """Return what was told as a text; an empty one where nothing was."""
    found = told.get(name)
    return "" if found is None else str(found)
