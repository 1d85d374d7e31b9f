"""A process and all that it has started, daemons that left its group included: they end together.

A process that has adopted gets every orphan below it as a child, so the tree below it is whole,
however they fork and whatever sessions they make. Tools and agents are ended with this, and
nothing else ends processes of others. Only Linux tells us such a tree; elsewhere the process group
is ended, and a daemon that has left it is not found.

Only the standard library is imported here, and little of it: a supervisor has to start fast.
"""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

SET_DEATH_SIGNAL: Final = 1
SET_SUBREAPER: Final = 36
SET_NO_NEW_PRIVILEGES: Final = 38

PROC: Final = "/proc"
AGAIN_S: Final = 0.005
END_S: Final = 10.0
"""How long killed processes are waited for: one that hangs in the kernel may never end."""

SOON_S: Final = 2.0
"""The same where others would be held up meanwhile."""

GONE: Final = frozenset("ZX")
"""The states of a process that has ended and was not fetched yet."""


def can_adopt() -> bool:
    """Say whether this machine shows us the tree of processes."""
    return sys.platform == "linux" and os.path.exists(f"{PROC}/self/stat")  # noqa: PTH110 (pathlib takes as long to load as all the rest)


def adopt() -> bool:
    """Become the parent of every orphan below us; say whether that could be done."""
    return can_adopt() and _control(SET_SUBREAPER, 1)


def die_with_parent() -> bool:
    """Have the kernel kill us when the thread that started us has ended."""
    return can_adopt() and _control(SET_DEATH_SIGNAL, signal.SIGKILL)


def gain_nothing() -> bool:
    """Give up sudo and the like: a process of another user could not be ended by us."""
    return can_adopt() and _control(SET_NO_NEW_PRIVILEGES, 1)


def _control(option: int, value: int) -> bool:
    words = (ctypes.c_ulong(value), *(ctypes.c_ulong(0) for _ in range(3)))
    return bool(ctypes.CDLL(None).prctl(option, *words) == 0)


def kin_of(root: int) -> list[int]:
    """Return the processes below one that have not ended, as far as this machine tells."""
    parents: dict[int, list[int]] = {}
    gone: set[int] = set()
    for pid, parent, state in _processes():
        parents.setdefault(parent, []).append(pid)
        if state in GONE:
            gone.add(pid)
    found: list[int] = []
    ahead = [root]
    while ahead:
        children = parents.get(ahead.pop(), [])
        found += children
        ahead += children
    return [pid for pid in found if pid not in gone]


def marked(mark: str) -> list[int]:
    """Return the processes that have a setting like ``NAME=value`` around them."""
    wanted = mark.encode()
    found = []
    for pid, _, state in _processes():
        with suppress(OSError), open(f"{PROC}/{pid}/environ", "rb") as file:  # noqa: PTH123 (as above)
            if state not in GONE and wanted in file.read().split(b"\0"):
                found.append(pid)
    return found


def _processes() -> list[tuple[int, int, str]]:
    """Return every process with its parent and its state."""
    if not can_adopt():
        return []
    found = []
    for name in os.listdir(PROC):  # noqa: PTH208 (as above)
        if not name.isdigit():
            continue
        with suppress(OSError, IndexError), open(f"{PROC}/{name}/stat", "rb") as file:  # noqa: PTH123 (as above)
            # The name in parentheses is the process's own, and may hold anything.
            state, parent = file.read().rpartition(b")")[2].split()[:2]
            found.append((int(name), int(parent), state.decode()))
    return found


def end_kin(root: int, limit_s: float = END_S) -> bool:
    """End all below a process that has adopted, but not itself; say whether nothing is left."""
    return _end(lambda: kin_of(root), limit_s)


def end_marked(mark: str, limit_s: float = END_S) -> bool:
    """End all that have a setting around them; say whether nothing is left."""
    return _end(lambda: marked(mark), limit_s)


def _end(look: Callable[[], list[int]], limit_s: float) -> bool:
    """Kill whoever is found until nobody is.

    Who forks while we look is found the next time: killed ones fork no more, so it comes to an end.
    """
    end = time.monotonic() + limit_s
    while found := look():
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > end:
            return False
        time.sleep(AGAIN_S)
    return True


def end_family(leader: int) -> None:
    """End the leader of a process group, its group, and all below it."""
    end_kin(leader, SOON_S)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def fetch_ended() -> dict[int, int]:
    """Fetch our children that have ended, so that they are gone; return how each did."""
    found: dict[int, int] = {}
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            found[ended[0]] = os.waitstatus_to_exitcode(ended[1])
    return found
