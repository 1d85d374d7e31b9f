"""Bugs for power cuts and failing disks, by name: in the program, or a disk that lies."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import apsw

from interlock.store.sqlite.jobs import Job
from interlock.store.sqlite.writer import Writer
from tests.planted import in_child

NORMAL: Final = "synchronous normal"
GOES_ON: Final = "the writer goes on after a failed sync"
QUIET: Final = "a failed checkpoint is kept quiet"
YES_MEN: Final = "a failed commit is answered as done"
EARLY: Final = "answered before the commit is synced"

LIES: Final = {
    "the log is not synced": "-wal",
    "a checkpoint does not sync the file": ".db",
    "the folder of the file is not synced": "/data",
    "the name of a new folder is not synced": "/root0",
}
"""A sync that is not done, and the ending of the files that it is not done for."""


def plant(bug: str) -> None:
    """Plant a bug in this process; one of a disk needs nothing here."""
    if bug in BUGS:
        BUGS[bug]()


def _go_on() -> None:
    begin = Writer._begin

    def begin_anyway(self: Writer) -> None:
        self._broken = None
        begin(self)

    Writer._begin = begin_anyway  # type: ignore[method-assign]  # that is the bug


def _keep_quiet() -> None:
    def checkpoint(self: Writer) -> None:
        with suppress(apsw.Error):
            if self._pages and not self.is_broken:
                self.connection.wal_checkpoint("main")

    Writer._checkpoint = checkpoint  # type: ignore[method-assign]  # that is the bug


def _say_yes() -> None:
    def fail_some(self: Writer, group: list[Job], exc: BaseException) -> None:
        self._undo()
        for job in group:
            job.error = self._told(exc) if job.outcome is None else None

    Writer._fail = fail_some  # type: ignore[method-assign]  # that is the bug


BUGS: Final[dict[str, Callable[[], None]]] = {
    GOES_ON: _go_on,
    QUIET: _keep_quiet,
    YES_MEN: _say_yes,
    EARLY: lambda: in_child.plant(in_child.ACK_BEFORE_COMMIT),
}
