"""The side of a peer: lines on standard input and output, and a watch over what is played.

    ready {"version": "1.2.3"}                          said once, when everything is loaded
    go {"plans": 1, "steps": 100, "limit_s": 60}        asked, as often as somebody likes
    done {"steps": 100, "seconds": 0.83}                answered; fewer steps: the time was over

Standard library only: this runs in the environment of whoever is measured. What a plan needs
before its first step is made before the clock runs.
"""

import json
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import IO, Final, Protocol

FULL: Final = 2
"""What SQLite calls a commit that is on the disk when it returns."""


class OutOfTime(Exception):
    """A run has lasted as long as it may."""


class Watch:
    """Counts the steps of a run, and ends one that takes too long."""

    def __init__(self, limit_s: float) -> None:
        """Begin to watch."""
        self.steps = 0
        self._lock = threading.Lock()
        self._end = time.monotonic() + limit_s

    def step(self) -> None:
        """Count a step that is done."""
        with self._lock:
            self.steps += 1
        if time.monotonic() > self._end:
            raise OutOfTime


Play = Callable[[Watch], None]
"""Plays one plan to its end; the watch is told of every step."""


class Peer(Protocol):
    """Somebody who is measured."""

    package: str

    def prepare(self, plans: int, steps: int) -> Sequence[Play]:
        """Make ready so many plans; return what plays each of them."""

    def finish(self) -> None:
        """Let go of connections: a server has only so many, and others wait for their turn."""


def where(url: str) -> Path | None:
    """Return the file of a SQLite address, made so that it is durable and quick; else nothing."""
    if not url.startswith("sqlite:"):
        return None
    path = Path(url.removeprefix("sqlite:"))
    file = sqlite3.connect(path)
    file.execute("PRAGMA journal_mode = WAL")
    if file.execute("PRAGMA synchronous").fetchone()[0] != FULL:
        raise AssertionError("this Python's SQLite is not durable by itself")
    file.close()
    return path


def play(plays: Sequence[Play], limit_s: float) -> tuple[int, float]:
    """Play all of them at the same time; return the steps that were done, and the seconds."""
    watch = Watch(limit_s)
    begun = time.perf_counter()
    if len(plays) == 1:
        _until_over(plays[0], watch)
    else:
        with ThreadPoolExecutor(len(plays)) as pool:
            list(pool.map(lambda one: _until_over(one, watch), plays))
    return watch.steps, time.perf_counter() - begun


def _until_over(one: Play, watch: Watch) -> None:
    try:
        one(watch)
    except OutOfTime:
        return


def answer(peer: Peer, line: str) -> str:
    """Answer what is asked in a line."""
    word, _, told = line.partition(" ")
    if word != "go":
        raise ValueError(line)
    asked = json.loads(told)
    plays = peer.prepare(asked["plans"], asked["steps"])
    steps, seconds = play(plays, asked["limit_s"])
    peer.finish()
    return f"done {json.dumps({'steps': steps, 'seconds': seconds})}"


def serve(make: Callable[[str, str], Peer]) -> None:
    """Take the mode and the address from the command line, then answer until nobody asks."""
    # What a library prints goes where errors go: the pipe is for the protocol alone.
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    mode, url = sys.argv[1:]
    converse(make(mode, url), sys.stdin, out)
    # Threads of a library that wait for something would keep us from leaving.
    os._exit(0)


def converse(peer: Peer, asked: IO[str], out: IO[str]) -> None:
    """Say that we are ready, and answer line by line."""
    print(f"ready {json.dumps({'version': version(peer.package)})}", file=out, flush=True)
    for line in asked:
        print(answer(peer, line), file=out, flush=True)
