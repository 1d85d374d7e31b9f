"""A bar for work whose end is known: on a terminal one that moves, elsewhere plain lines.

It is shown on standard error once the work has taken a second, like all progress.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from interlock.cli.screen import LINE_EVERY_S, PATIENCE_S, err


@contextmanager
def bar() -> Iterator[Callable[[str, int, int], None]]:
    """Yield what is told how far something is: what, how much is done, how much there is."""
    shown = _Bar()
    try:
        yield shown.tell
    finally:
        shown.close()


class _Bar:
    """Says on standard error how far something is."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.told = self.begun
        self.shown: Progress | None = None
        self.task: TaskID | None = None

    def tell(self, what: str, done: int, total: int) -> None:
        """Report that so much of the whole is done."""
        now = time.monotonic()
        if now - self.begun < PATIENCE_S:
            return
        if not err.is_terminal:
            if now - self.told >= LINE_EVERY_S:
                self.told = now
                err.print(f"{what}: {done:,} of {total:,}")
            return
        if self.shown is None or self.task is None:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
            self.shown = Progress(*columns, console=err, transient=True)
            self.task = self.shown.add_task(what, total=total)
            self.shown.start()
        self.shown.update(self.task, description=what, completed=done, total=total)

    def close(self) -> None:
        """Take the display away."""
        if self.shown is not None:
            self.shown.stop()
