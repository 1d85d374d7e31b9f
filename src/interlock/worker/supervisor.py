"""The parent of one program: starts it, waits for it, and ends it with all that it has started.

A process of its own, started by ``process``, because only a process can adopt what a program
leaves behind without taking the worker's other children for it. It has one socket to the worker: a
byte on it means that the program is to end, and that it closes means that the worker is dead. How
the program ended is its last word there. It decides nothing else: no deadline, no limit of output.
"""

import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from typing import Final, NoReturn

from interlock.family import adopt, die_with_parent, end_kin, fetch_ended, gain_nothing, kin_of

GRACE_S: Final = 1.0
"""How long a program has to end by itself once it was asked to."""

LOOK_S: Final = 1.0
PROCESSES_MAX: Final = 1_000
"""How many processes one program may have: a limit of the kernel counts those of the whole user,
and none of root's, so the supervisor counts by itself."""

TOO_MANY: Final = "too many processes"
NOT_STARTED: Final = 127
NOT_ALLOWED: Final = 126
NICER: Final = 5
FIRST_TO_GO: Final = "500"
"""How gladly the kernel ends a program before the worker when there is no memory left."""


class Supervisor:
    """Watches over one program."""

    def __init__(self, way: int) -> None:
        """Speak to the worker over a socket."""
        self._way = way
        self._program = 0
        self._code: int | None = None
        self._is_told = False
        self._wake, wakes = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, self._tell)

    def _tell(self, *_: object) -> None:
        self._is_told = True

    def run(self, argv: list[str]) -> str:
        """Run a program to its end; return its code and why it was ended, if it was."""
        adopt()
        self._program = os.fork()
        if not self._program:
            _become(argv)
        # What the program reads and writes is between it and the worker alone.
        nothing = os.open(os.devnull, os.O_RDWR)
        for end in range(3):
            os.dup2(nothing, end)
        why = self._watch()
        is_clean = end_kin(os.getpid())
        self._fetch()
        return f"{'' if self._code is None else self._code}\n{why}\n{'' if is_clean else 'left'}\n"

    def _watch(self) -> str:
        """Wait until the program has ended, or is to be ended."""
        while self._code is None:
            heard = self._wait(LOOK_S)
            if heard is None or self._is_told:
                self._ask_to_end(has_worker=heard is not None)
                return ""
            if len(kin_of(os.getpid())) > PROCESSES_MAX:
                return TOO_MANY
        return ""

    def _ask_to_end(self, *, has_worker: bool) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._program, signal.SIGTERM)
        end = time.monotonic() + GRACE_S
        while has_worker and self._code is None and (left_s := end - time.monotonic()) > 0:
            has_worker = self._wait(left_s) is not None

    def _wait(self, limit_s: float) -> bool | None:
        """Wait for something to happen; say whether the worker said something, None: it is gone."""
        ready, _, _ = select.select([self._way, self._wake], [], [], limit_s)
        if self._wake in ready:
            os.read(self._wake, 4096)
        self._fetch()
        if self._way not in ready:
            return False
        self._is_told = bool(os.read(self._way, 1)) or self._is_told
        return True if self._is_told else None

    def _fetch(self) -> None:
        self._code = fetch_ended().get(self._program, self._code)


def _become(argv: list[str]) -> NoReturn:
    """Turn into the program."""
    try:
        os.setsid()
        die_with_parent()
        gain_nothing()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(NICER)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123 (pathlib takes long to load)
            file.write(FIRST_TO_GO)
        os.execvp(argv[0], argv)  # noqa: S606 (that is what we are for; no shell is meant)
    except OSError as exc:
        os.write(2, f"{argv[0]}: {exc.strerror}\n".encode())
        os._exit(NOT_ALLOWED if isinstance(exc, PermissionError) else NOT_STARTED)
    finally:
        os._exit(NOT_STARTED)


def main() -> None:
    """Run what the command line says: the number of the socket, then the program."""
    way = int(sys.argv[1])
    os.set_inheritable(way, False)  # noqa: FBT003 (its only argument)
    told = Supervisor(way).run(sys.argv[2:])
    with suppress(OSError):
        os.write(way, told.encode())
