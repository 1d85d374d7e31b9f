"""The process that does a chore, and is killed where it was told to stand still."""

from dataclasses import dataclass
from pathlib import Path

from tests.crash.chores.bugs import plant
from tests.crash.chores.chore import Run
from tests.crash.chores.every import CHORES
from tests.crash.points import Point
from tests.crash.telling import telling
from tests.crash.watching import watch


@dataclass(frozen=True, slots=True)
class Spec:
    """Which chore is to be done where, the how-manieth time, and where to stand still."""

    told: str
    chore: str
    folder: str
    number: int
    point: str = ""
    turn: int = 1
    bug: str = ""


def main(spec: Spec) -> None:
    """Do a chore; the way out of it is a kill, or its end."""
    with telling(spec.told) as tell:
        plant(spec.bug)
        point = Point(spec.point, spec.turn, lambda name: tell({"point": name}))
        watch(point)
        CHORES[spec.chore].do(Run(Path(spec.folder), point, spec.number))
        tell({"done": {}})
