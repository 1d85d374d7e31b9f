"""Jobs: what waits for the writer, what it is told besides, and how everyone is answered."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interlock.store.sqlite.writer import Writer


@dataclass(slots=True)
class Job:
    """What waits for its turn, mostly a command. ``play`` runs inside the transaction."""

    play: "Callable[[Writer], object]"
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[object]"
    is_command: bool = False
    outcome: object = None
    error: Exception | None = None


class Sign(Enum):
    """What the thread is told besides jobs."""

    LOG = "the log has grown"
    END = "nothing more will come"


def deliver(group: list[Job]) -> None:
    """Answer everyone, with one call for each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Job]] = {}
    for job in group:
        by_loop.setdefault(job.loop, []).append(job)
    for loop, jobs in by_loop.items():
        with suppress(RuntimeError):  # the loop has closed, and with it everyone who waited in it
            loop.call_soon_threadsafe(settle, jobs)


def settle(jobs: list[Job]) -> None:
    """Answer those who ask in this event loop and still wait."""
    for job in jobs:
        if job.future.done():
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.outcome)
