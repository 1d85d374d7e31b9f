"""What a client writes down: an intent before it is sent, and what it was answered.

Each line is on the disk before the client goes on, so whoever reads the file after a kill knows
what may have happened and what must have. A line torn by the kill counts as not written.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from interlock.store.rows import dump
from tests.crash.intents import Intent


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an intent: the answer's text, or the code it was refused with."""

    text: str = ""
    refused: str = ""
    is_replay: bool = False
    # Told by a clock that all processes of a machine share.
    at_ns: int = 0


@dataclass(slots=True)
class Line:
    """An intent with its outcome; None as long as that is not known."""

    intent: Intent
    outcome: Outcome | None = None


class Journal:
    """A file that intents and outcomes are written to."""

    def __init__(self, path: Path) -> None:
        """Go on with a file, behind the last whole line."""
        self._file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        whole = path.read_bytes().rfind(b"\n") + 1
        os.ftruncate(self._file, whole)
        os.lseek(self._file, whole, os.SEEK_SET)

    def intend(self, intent: Intent) -> None:
        """Write down what is about to be sent."""
        self._write({"intent": asdict(intent)})

    def settle(self, name: str, outcome: Outcome) -> None:
        """Write down what was answered."""
        self._write({"id": name, "outcome": asdict(outcome)})

    def _write(self, line: dict[str, object]) -> None:
        os.write(self._file, dump(line).encode() + b"\n")
        os.fsync(self._file)


def read(*paths: Path) -> dict[str, Line]:
    """Read journals: every intent by its request id, in the order they were written."""
    found: dict[str, Line] = {}
    for path in paths:
        for line in _lines(path):
            take(found, line)
    return found


def take(found: dict[str, Line], line: dict[str, Any]) -> None:
    """Take a line into what was found so far."""
    if "intent" in line:
        intent = Intent(**line["intent"])
        found[intent.id] = Line(intent)
    else:
        found[str(line["id"])].outcome = Outcome(**line["outcome"])


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        *whole, _ = path.read_bytes().split(b"\n")
        yield from map(json.loads, whole)
