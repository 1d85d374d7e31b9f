"""What a worker is about to do, written down before it begins: who comes after a crash can end it.

An intent belongs to the worker that wrote it, as long as that lives: it holds a lock for that. What
dead workers have left is told by ``left``; whoever has dealt with it removes it by ``end``.
"""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

from interlock.worker.workspace.files import put_json, read_json, sync
from interlock.worker.workspace.locks import drop, taken

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")
ENDING: Final = ".json"
ALIVE: Final = ".alive"


class Intent(NamedTuple):
    """What is about to be done: which part of which unit, under which lease."""

    part: str
    lease: str = ""
    kind: str = ""
    unit: str = ""
    about: str = ""
    """What else is needed to end it, such as the name of a folder."""

    owner: str = ""
    """The worker that has written it."""


class Intents:
    """The intents in one folder, as one worker sees them."""

    def __init__(self, folder: Path, owner: str) -> None:
        """Say that the owner lives; raises ``ValueError`` for a name that is none."""
        self._folder = folder
        self._owner = _checked(owner)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._alive = taken(folder / f"{owner}{ALIVE}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, intent: Intent) -> None:
        """Write an intent down; it is on the disk when this returns. Raises ``OSError``."""
        put_json(self._path(intent.part), intent._replace(owner=self._owner)._asdict())

    def end(self, part: str) -> None:
        """Forget an intent, whoever had it."""
        with suppress(FileNotFoundError):
            self._path(part).unlink()
            sync(self._folder)

    def left(self) -> tuple[Intent, ...]:
        """Return what workers had begun that live no more."""
        found = tuple(one for one in read_intents(self._folder) if not self._lives(one.owner))
        self._forget_dead()
        return found

    def close(self) -> None:
        """Say that the owner has gone in good order."""
        if self._alive is not None:
            drop(self._folder / f"{self._owner}{ALIVE}", self._alive)
            self._alive = None

    def _lives(self, owner: str) -> bool:
        if owner == self._owner:
            return True
        path = self._folder / f"{owner}{ALIVE}"
        if not NAME.fullmatch(owner) or not path.exists():
            return False
        lock = taken(path)
        if lock is not None:
            os.close(lock)
        return lock is None

    def _forget_dead(self) -> None:
        for path in self._folder.glob(f"*{ALIVE}"):
            if path.name != f"{self._owner}{ALIVE}":
                drop(path)

    def _path(self, part: str) -> Path:
        return self._folder / f"{_checked(part)}{ENDING}"


def read_intents(folder: Path) -> tuple[Intent, ...]:
    """Return all intents of a folder, of whichever worker."""
    rows = (read_json(path) for path in sorted(folder.glob(f"*{ENDING}")))
    return tuple(
        Intent(**{name: str(row.get(name, "")) for name in Intent._fields}) for row in rows if row
    )


def _checked(name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be the name of a file")
    return name
