"""Where the command line writes: results on standard output, everything else on standard error.

With ``--json`` exactly one document goes to standard output. Long work shows its progress on
standard error once it has taken a second: a bar for people, plain lines without a terminal.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.status import Status
from rich.text import Text

from interlock.errors import InterlockError
from interlock.kernel.check.explore import Progress

PATIENCE_S: Final = 1.0
LINE_EVERY_S: Final = 5.0

out: Final = Console(highlight=False, soft_wrap=True)
err: Final = Console(stderr=True, highlight=False, soft_wrap=True)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines with rich's markup; on a terminal a long one goes on under its own indent."""
    for line in lines:
        text = Text.from_markup(line)
        indent = len(text.plain) - len(text.plain.lstrip())
        if out.is_terminal and indent < out.width // 2:
            out.print(Padding(text[indent:], (0, 0, 0, indent)), soft_wrap=False)
        else:
            out.print(text)


def print_text(text: str) -> None:
    """Print plain text in the same way."""
    print_lines(escape(line) for line in text.splitlines())


def print_json(document: object) -> None:
    """Print one JSON document and nothing else."""
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def print_error(error: InterlockError) -> None:
    """Say what is wrong and what would be right."""
    # A pipe gets whole lines; a terminal gets them wrapped between words.
    is_whole = not err.is_terminal
    mistakes = list(_mistakes(error))
    message = "This does not fit:" if mistakes else error.message
    err.print(f"[red]{error.code}[/red] {escape(message)}", soft_wrap=is_whole)
    for line in mistakes:
        err.print(line, soft_wrap=is_whole)
    if error.fix:
        err.print(error.fix, markup=False, soft_wrap=is_whole)


def _mistakes(error: InterlockError) -> Iterator[str]:
    """Tell what is wrong with a document place by place, where an error knows that."""
    found = error.details.get("errors")
    for one in found if isinstance(found, list | tuple) else ():
        if isinstance(one, Mapping) and "path" in one:
            said = f"expected {one['expected']}, found {one['found']}"
            yield f"  [bold]{escape(_clean(one['path']))}[/bold]  {escape(_clean(said))}"


def _clean(text: object) -> str:
    return "".join(one if one.isprintable() else " " for one in str(text))


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """Show how far an exploration is, if it takes longer than a second."""
    meter = _Meter(what)
    try:
        yield meter.tell
    finally:
        meter.close()


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Show in words how far something is, if it takes longer than a second."""
    meter = _Meter("")
    try:
        yield meter.say
    finally:
        meter.close()


class _Meter:
    """Says on standard error how far something is."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.begun = time.monotonic()
        self.told = self.begun
        self.status: Status | None = None

    def tell(self, states: int, left: int) -> None:
        """Report that so many states are done and so many known ones are left."""
        self.say(f"{self.what}: {states:,} states explored, {left:,} more to visit")

    def say(self, words: str) -> None:
        """Report how far it is."""
        now = time.monotonic()
        if now - self.begun < PATIENCE_S:
            return
        if err.is_terminal:
            if self.status is None:
                self.status = err.status(words)
                self.status.start()
            self.status.update(words)
        elif now - self.told >= LINE_EVERY_S:
            self.told = now
            err.print(words)

    def close(self) -> None:
        """Take the display away."""
        if self.status is not None:
            self.status.stop()
