"""Checks of workflows that somebody asked for on a page: one at a time each, beside the server.

A check takes seconds of computing, so it runs in a process of its own, at low priority and within
a time limit. What it found is kept in the memory of this process, for the tables it was made of.
"""

import asyncio
import json
import logging
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryFile
from typing import IO, Final, NamedTuple, cast

from markupsafe import Markup

from interlock.doors.web.drawing import drawing
from interlock.kernel.workflow import Workflow
from interlock.service.engine import Running
from interlock.workflows.built_in import BUILT_IN

LIMIT_S: Final = 180.0
NICENESS: Final = 10
CANNOT: Final = "✕"
"""What a report says of where a unit stands after a call that could not be carried out."""

Report = Mapping[str, object]

log = logging.getLogger("interlock.web")


@dataclass(slots=True)
class Check:
    """One check: since when, how far, and what came of it."""

    bound: str
    most: int
    since: int
    # What it said last of how far it is.
    said: str = ""
    report: Report | None = None
    # Why there is no report, where it has ended without one.
    problem: str = ""
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def is_under_way(self) -> bool:
        """Say whether it has not ended yet."""
        return self.report is None and not self.problem


class Bounds(NamedTuple):
    """How far a check may be asked to go: the word of it, and the numbers."""

    word: str
    usual: int
    numbers: tuple[int, ...]


def bounds_of(name: str) -> Bounds | None:
    """Return how large a check of a workflow may be from a page; None where none can be made."""
    built = BUILT_IN.get(name)
    if built is None:
        return None
    return Bounds(built.bound, built.usual, tuple(range(1, built.usual + 1)))


NONE: Final[Mapping[str, Check]] = {}


class Checks:
    """The checks that this process knows of, by the digest of the tables."""

    def __init__(self, limit_s: float = LIMIT_S, known: Mapping[str, Check] = NONE) -> None:
        """Begin with those that are known already, by the digest of their tables."""
        self._limit_s = limit_s
        self._known = dict(known)

    def of(self, running: Running) -> Check | None:
        """Return the last check of a workflow as it is now."""
        return self._known.get(running.digest)

    def begin(self, running: Running, most: int, now: int) -> Check:
        """Begin a check, unless one is under way; return the one that is."""
        last = self.of(running)
        if last is not None and last.is_under_way:
            return last
        bounds = bounds_of(running.flow.name)
        check = Check(bounds.word if bounds else "", most, now)
        self._known[running.digest] = check
        check.task = asyncio.create_task(self._run(running.flow.name, check))
        return check

    async def _run(self, name: str, check: Check) -> None:
        """Run a check to its end; whatever goes wrong is what came of it."""
        try:
            async with asyncio.timeout(self._limit_s):
                check.report = await _explored(name, check)
        except TimeoutError:
            check.problem = f"It took longer than {self._limit_s:.0f} s and was stopped."
        except (OSError, ValueError) as bug:
            log.warning("a check of %s could not be made", name, exc_info=bug)
            check.problem = "The check could not be run; the log of the server says why."
        finally:
            if check.is_under_way:
                check.problem = "The server was stopped before it had ended."


async def _explored(name: str, check: Check) -> Report:
    """Run the command line's own check beside us; return its report."""
    with TemporaryFile() as kept:
        process = _started(name, check, kept)
        try:
            # In a thread: a loop that ends while it starts a process of its own waits for ever.
            await asyncio.to_thread(_listen, process, check)
        finally:
            process.kill()  # does nothing where it has ended; else the thread sees to the rest
        kept.seek(0)
        return cast("Report", json.load(kept))


def _started(name: str, check: Check, kept: IO[bytes]) -> Popen[str]:
    """Start a check that writes its report into a file."""
    words = ["workflow", "check", name, "--json", f"--{check.bound}", str(check.most)]
    process = Popen(  # noqa: S603  our own program, with words of ours
        [sys.executable, "-m", "interlock", *words], stdin=DEVNULL, stdout=kept, stderr=PIPE,
        text=True, errors="replace",
    )  # fmt: skip
    with suppress(OSError):  # it may have ended already
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    return process


def _listen(process: Popen[str], check: Check) -> None:
    """Keep what the check says last about how far it is, until it ends."""
    with process:
        for line in cast("IO[str]", process.stderr):
            check.said = line.partition(":")[2].strip()


def picture(flow: Workflow, finding: Mapping[str, object]) -> Markup:
    """Return a machine with the way to a finding marked, or with the status it is about."""
    where = str(finding["where"])
    label = f"The way to this: {where}"
    standing = str(finding["state"]).split(" ", 1)[0]
    if not standing:
        kind, name, *_ = [*where.split(), ""]
        machine = flow.machine(kind) if kind in {one.name for one in flow.machines()} else flow.unit
        return drawing(machine, name if name in machine.names() else "", label=label)
    calls = cast("list[Mapping[str, str]]", finding["trace"])
    stood = [str(finding["start"]).split(" ", 1)[0], *(call["after"] for call in calls)]
    way = tuple(status for status, _ in groupby(stood) if status != CANNOT)
    return drawing(flow.unit, standing, label=label, trace=way, groups=flow.groups)
