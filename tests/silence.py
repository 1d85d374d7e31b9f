"""A run of tests that has fallen silent is ended, and tells first what it was at.

A test that never ends, or workers that wait for the one who deals tests while that one waits for
them, would else keep a machine until somebody looks. Only who hears of every test listens for
silence: not a worker. With ``--long`` a test may take its time, and nobody listens.

This is a plugin of pytest; the settings that hold for every test are in ``conftest``.
"""

import faulthandler
import os
import signal
import sys
import time
from threading import Event, Thread
from typing import Final

import pytest

from tools.postgres.processes import processes

SILENT_S: Final = 1200.0
ENDED: Final = 3
"""What pytest itself ends with when something went wrong in it."""

TELLING_S: Final = 2.0


class Listener:
    """Hears of tests; once nothing was heard for so long, it ends everything."""

    def __init__(self, silent_s: float, told: int, *, is_dealt: bool) -> None:
        """Listen from the first test on; ``told`` is where to tell it."""
        self._is_dealt = is_dealt
        self._silent_s = silent_s
        self._told = told
        self._heard = Event()
        self._is_listening = False
        self.under_way: dict[str, None] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Hear that a test begins."""
        self.under_way[nodeid] = None
        self._hear()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Hear that a test is over."""
        self.under_way.pop(nodeid, None)
        self._hear()

    def _hear(self) -> None:
        self._heard.set()
        if not self._is_listening:
            self._is_listening = True
            Thread(target=self._listen, name="silence", daemon=True).start()

    def _listen(self) -> None:
        while self._heard.wait(self._silent_s):
            self._heard.clear()
        lines = [f"Nothing was heard of any test for {self._silent_s:g} s. Under way:"]
        lines += [f"  {name}" for name in self.under_way] or ["  nothing"]
        os.write(self._told, "\n".join(["", *lines, ""]).encode())
        faulthandler.dump_traceback(self._told)
        workers = self._workers()
        for pid in workers:
            os.kill(pid, signal.SIGUSR1)
        time.sleep(TELLING_S if workers else 0)
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        # At once: whoever deals tests takes a worker that is gone for a test that has failed.
        os._exit(ENDED)

    def _workers(self) -> list[int]:
        """Return who works for us; whoever deals tests has no other children."""
        return [one.pid for one in processes() if self._is_dealt and one.parent == os.getpid()]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run be less patient."""
    parser.addoption("--silence", type=float, default=SILENT_S, help="end a run after so many s")


def pytest_configure(config: pytest.Config) -> None:
    """Listen; and as a worker tell when asked what every thread is doing."""
    told = os.dup(2 if sys.__stderr__ is None else sys.__stderr__.fileno())
    if hasattr(config, "workerinput"):
        faulthandler.register(signal.SIGUSR1, told, all_threads=True)
    elif not config.getoption("--long", default=False):
        is_dealt = bool(config.getoption("numprocesses", default=None))
        listener = Listener(config.getoption("--silence"), told, is_dealt=is_dealt)
        config.pluginmanager.register(listener)
