"""Bugs of workers that only a kill brings out; each is planted in the worker that is killed."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from interlock.wire.envelope import Envelope
from interlock.worker.execution import hands
from interlock.worker.execution.job import Job
from interlock.worker.execution.report import Report
from interlock.worker.work import HandIn
from interlock.worker.workspace.intents import Intent, Intents
from tests.crash.points import EFFECTED, RUNNING


class WorkerBug(NamedTuple):
    """A bug, and the point at which a kill brings it out."""

    point: str
    plant: Callable[[], None]


def plant(bug: str) -> None:
    """Plant a bug in this process; no name plants nothing."""
    if bug:
        BUGS[bug].plant()


def _intend_late() -> None:
    """Write down what is about to be done when it was done."""
    begin, submit = Intents.begin, hands._submit
    late: list[Callable[[], None]] = []

    def remember(self: Intents, intent: Intent) -> None:
        late.append(lambda: begin(self, intent))

    async def intend(hand_in: HandIn, job: Job, report: Report) -> Envelope:
        while late:
            late.pop()()
        return await submit(hand_in, job, report)

    Intents.begin = remember  # type: ignore[method-assign]  # that is the bug
    hands._submit = intend


def _leave_it_running() -> None:
    """Let a program have our end of the way to its supervisor: our death closes nothing then."""
    pair, start = socket.socketpair, asyncio.create_subprocess_exec
    ours: list[int] = []

    def noted(*told: Any) -> tuple[socket.socket, socket.socket]:  # noqa: ANN401 (handed on)
        ends = pair(*told)
        ours.append(ends[0].fileno())
        return ends

    async def given(*argv: Any, **more: Any) -> asyncio.subprocess.Process:  # noqa: ANN401 (handed on)
        if "pass_fds" in more:
            more["pass_fds"] = (*more["pass_fds"], ours[-1])
        return await start(*argv, **more)

    setattr(socket, "socketpair", noted)  # noqa: B010  a function, to whoever reads the module
    setattr(asyncio, "create_subprocess_exec", given)  # noqa: B010  as above


BUGS: Final[dict[str, WorkerBug]] = {
    "an intent is written after its effect": WorkerBug(EFFECTED, _intend_late),
    "a dead worker leaves its agent running": WorkerBug(RUNNING, _leave_it_running),
}
