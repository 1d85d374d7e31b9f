"""The table of processes, and waiting for what processes do.

Linux has it as files; elsewhere ``ps`` is asked.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tools.postgres.account import Account, NoServer, run

PATIENCE_S = 60
POLL_S = 0.005


class Process(NamedTuple):
    """A line of the table of processes."""

    pid: int
    parent: int
    state: str


def until(is_so: Callable[[], bool], otherwise: str, poll_s: float = POLL_S) -> None:
    """Wait for something to become true, with an end to our patience."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > deadline:
            raise NoServer(otherwise)
        time.sleep(poll_s)


def processes() -> list[Process]:
    """Return all processes we can see."""
    table = Path("/proc")
    return _from_proc(table) if (table / "self" / "stat").exists() else _from_ps()


def _from_proc(table: Path) -> list[Process]:
    rows = []
    for entry in table.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended while we looked
            # The name stands in brackets and may hold anything, brackets too.
            state, parent = entry.read_text(errors="replace").rpartition(")")[2].split()[:2]
            rows.append(Process(int(entry.parent.name), int(parent), state))
    return rows


def _from_ps() -> list[Process]:
    said = run(["ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "stat="], Account(), Path("/"))
    lines = (line.split() for line in said.splitlines())
    return [Process(int(pid), int(parent), state[0]) for pid, parent, state in lines]


def is_alive(pid: int) -> bool:
    """Ask whether a process still does anything; one that only waits to be buried does not."""
    return any(one.pid == pid and one.state != "Z" for one in processes())


def is_held(pid: int) -> bool:
    """Ask whether a process was stopped by a signal."""
    return any(one.pid == pid and one.state == "T" for one in processes())


def hold_family(parent: int) -> list[int]:
    """Stop a process and its children by a signal; return them all, the parent first."""
    os.kill(parent, signal.SIGSTOP)
    # Held still first, so that no child is born between looking and stopping.
    until(lambda: is_held(parent), f"process {parent} does not hold still")
    children = [one.pid for one in processes() if one.parent == parent]
    for pid in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    return [parent, *children]


def kill_family(parent: int) -> list[int]:
    """Kill a process and its children from outside, as a crash would; return the children."""
    held = hold_family(parent)
    for pid in held:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    until(lambda: not any(map(is_alive, held)), "children outlive their kill")
    return held[1:]
