"""Several processes on one port: a parent that opens it, and children that serve on it.

A child that dies is started again, the sooner the longer it had lived. A signal to the parent is
passed on to all of them; a parent that vanishes takes them along. What a child does is not known
here.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Final, NoReturn

from interlock.errors import InterlockError

BACKOFF_S: Final = 0.1
BACKOFF_MAX_S: Final = 10.0
SETTLED_S: Final = 10.0
"""A child that has lived for so long did not die of how it was started."""

NAP_S: Final = 0.05
STOPS: Final = (signal.SIGINT, signal.SIGTERM)

log = logging.getLogger("interlock.serve")

Work = Callable[[int, int], None]
"""What a child does, told its number and what it can read to its end once the parent is gone."""


class CannotShare(InterlockError):
    """This system cannot run several processes on one port."""

    code = "CANNOT_SHARE_PORT"
    http = 500


class Parent:
    """Starts children and keeps as many of them running."""

    def __init__(self, count: int, work: Work, grace_s: float, release: Callable[[], None]) -> None:
        """Take how many, what each does, how long they have to stop, and how to close the port."""
        self._count = count
        self._work = work
        self._grace_s = grace_s
        self._release = release
        self._children: dict[int, tuple[int, float]] = {}
        self._pauses = [BACKOFF_S] * count
        self._made = 0
        self._is_stopping = False
        # It is never written to: its end is what is waited for.
        self._reads, self._writes = os.pipe()

    def run(self) -> None:
        """Run until we were told to stop and all children have."""
        if not hasattr(os, "fork"):
            message = "This system cannot run several processes on one port."
            raise CannotShare(message, fix="Leave --processes out, and start more on other ports.")
        for number in STOPS:
            signal.signal(number, self._stop)
        signal.signal(signal.SIGALRM, self._kill)
        for place in range(self._count):
            self._start(place)
        while self._children:
            pid, status = os.wait()
            ended = self._children.pop(pid, None)
            if ended is not None and not self._is_stopping:
                self._again(*ended, status)

    def _again(self, place: int, begun: float, status: int) -> None:
        lived = time.monotonic() - begun
        pause = BACKOFF_S if lived >= SETTLED_S else self._pauses[place]
        self._pauses[place] = min(2 * pause, BACKOFF_MAX_S)
        code = os.waitstatus_to_exitcode(status)
        log.warning("a process of the server ended with %d; it is started again", code)
        until = time.monotonic() + pause
        while not self._is_stopping and time.monotonic() < until:
            time.sleep(NAP_S)
        if not self._is_stopping:
            self._start(place)

    def _start(self, place: int) -> None:
        # Between the two there must be no moment in which a signal is lost or meets our handler
        # in the child.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        try:
            self._made += 1
            pid = os.fork()
            if not pid:
                self._become(self._made)
            self._children[pid] = (place, time.monotonic())
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    def _become(self, made: int) -> NoReturn:
        """Be a child, and end with it: nothing of the parent's must happen twice."""
        code = 1
        try:
            # What is typed at a terminal goes to the parent alone, which passes it on once.
            os.setpgid(0, 0)
            for number in (*STOPS, signal.SIGALRM):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
            os.close(self._writes)
            self._work(made, self._reads)
            code = 0
        except InterlockError as error:
            sys.stderr.write(f"{error.code} {error.message}\n{error.fix}\n")
        except BaseException:  # noqa: BLE001  whatever it was, the parent must not run twice
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stderr.flush()
            os._exit(code)

    def _stop(self, number: int, _: object) -> None:
        """Pass a signal on; close our own hold of the port, or it would take calls for nobody."""
        if not self._is_stopping:
            self._release()
            signal.setitimer(signal.ITIMER_REAL, self._grace_s)
        self._is_stopping = True
        for pid in self._children:
            os.kill(pid, number)

    def _kill(self, *_: object) -> None:
        """End whoever has not stopped in time."""
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)
