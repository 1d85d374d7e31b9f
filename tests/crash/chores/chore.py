"""What a process does beside commands, as something that is interrupted by a kill and done again.

A chore is prepared and judged by the parent; a child does it. It is judged twice: after the kill,
when nothing may be half of what it should be, and after another child has done it to its end.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.crash.points import Point


class Run(NamedTuple):
    """One time that a chore is done: where, watched by whom, and the how-manieth time."""

    folder: Path
    point: Point
    number: int

    @property
    def file(self) -> Path:
        """The database."""
        return file_of(self.folder)


def file_of(folder: Path) -> Path:
    """Return where the database of a chore lies."""
    return folder / "data" / "interlock.db"


Judge = Callable[[Path, bool], list[str]]
"""Takes the folder, and whether the chore was done to its end; returns what is wrong."""


@dataclass(frozen=True, slots=True)
class Chore:
    """Something to do, and the points in it with how often each is passed at least."""

    name: str
    turns: Mapping[str, int]
    prepare: Callable[[Path], None]
    do: Callable[[Run], None]
    judge: Judge
