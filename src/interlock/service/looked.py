"""Which units this process has looked at: as many as it could remember, the first forgotten first.

Whoever is forgotten here is looked at once more, which costs time and nothing else. How a unit is
looked at is told in ``resume``.
"""

from collections.abc import Iterator
from typing import Final

from interlock.store.memory import UNITS_MAX

LOOKED_MAX: Final = UNITS_MAX
"""Of more units than these nothing else is remembered either."""

Name = tuple[str, str]
"""A tenant, and a unit of it."""


class Looked:
    """Names of units, in the order in which they came."""

    __slots__ = ("_names",)

    def __init__(self) -> None:
        """Begin with none."""
        self._names: dict[Name, None] = {}

    def __contains__(self, name: Name) -> bool:
        """Say whether a unit was looked at, and is not forgotten."""
        return name in self._names

    def __iter__(self) -> Iterator[Name]:
        """Yield them all."""
        return iter(self._names)

    def add(self, name: Name) -> None:
        """Note that a unit was looked at just now."""
        self._names.pop(name, None)
        self._names[name] = None
        if len(self._names) > LOOKED_MAX:
            del self._names[next(iter(self._names))]

    def discard(self, name: Name) -> None:
        """Have a unit looked at again."""
        self._names.pop(name, None)
