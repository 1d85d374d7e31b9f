"""A worker that is killed: the command ``interlock worker``, with a watch on itself.

It writes down which work the server has taken from it, in a file that is there after its death, and
says through its pipe where it stands still.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from interlock.__main__ import start
from interlock.cli import main as _loaded_by_who_forks  # noqa: F401
from tests.crash.points import Point
from tests.crash.telling import teller
from tests.crash.workers.bugs import plant
from tests.crash.workers.watching import note_taken, watch


@dataclass(frozen=True, slots=True)
class Spec:
    """The words of a worker, what is around it, where it writes, and where it stands still."""

    told: str
    words: tuple[str, ...]
    around: Mapping[str, str]
    said: str
    taken: str
    point: str = ""
    turn: int = 1
    bug: str = ""


def main(spec: Spec) -> None:
    """Be a worker; the way out of it is a kill, or a signal to stop."""
    tell = teller(spec.told)
    said = os.open(spec.said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(said, 2)
    sys.stderr = os.fdopen(2, "w", 1, "utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(spec.around)
    note_taken(Path(spec.taken))
    plant(spec.bug)
    point = Point(spec.point, spec.turn, lambda name: tell({"point": name}))
    watch(point)
    sys.argv = ["interlock", *spec.words]
    start()
