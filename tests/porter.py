"""Our command, or a program of tests, for who starts programs: the nursery forks for a stand-in.

A client of the SDK is told a command line and starts it. Told the stand-in's, it starts a process
that loads nothing: it hands its pipes and surroundings in here, waits, and ends as the command
ended. Who kills it kills the command a moment later; where that moment matters, start the command
itself (see ``tests.forking``, whose ``Process`` is all that others need).
"""

import atexit
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Final

STAND_IN: Final = [sys.executable, "-S", "-E", __file__]
PIPES: Final = (0, 1, 2)


class Porter:
    """Takes in the stand-ins of this process."""

    def __init__(self) -> None:
        """Begin to listen."""
        self._folder = TemporaryDirectory(prefix="porter-")
        self.path = str(Path(self._folder.name) / "door")
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._door.bind(self.path)
        self._door.listen()
        Thread(target=self._take_in, name="porter", daemon=True).start()
        atexit.register(self._close)

    def _take_in(self) -> None:
        while True:
            try:
                stand_in, _ = self._door.accept()
            except OSError:
                return  # it was closed
            Thread(target=_serve, args=(stand_in,), name="stand-in", daemon=True).start()

    def _close(self) -> None:
        self._door.close()
        self._folder.cleanup()


@cache
def porter() -> Porter:
    """Return the porter of this process."""
    return Porter()


def stand_in(words: list[str]) -> list[str]:
    """Return a command line that does what ``interlock`` does with these words."""
    return stand_in_for(["-m", "interlock", *words])


def stand_in_for(words: list[str]) -> list[str]:
    """Return a command line that does what Python does with these words: a file, and its own."""
    return [*STAND_IN, porter().path, *words]


def _serve(stand_in: socket.socket) -> None:
    """Have a command run for a stand-in, and tell it how that ended."""
    # What a stand-in is loads none of this.
    from tests.forking import Process  # noqa: PLC0415 (as said)

    with stand_in:
        _, given, _, _ = socket.recv_fds(stand_in, 1, len(PIPES) + 1)
        with os.fdopen(given.pop(), encoding="utf-8") as paper:
            paper.seek(0)
            order = json.load(paper)
        reads, writes, complains = given
        line = [sys.executable, *order["words"]]
        process = Process(line, order["around"], stdin=reads, stdout=writes, stderr=complains)
        for pipe in given:
            os.close(pipe)
        ready, _, _ = select.select([stand_in, process.report], [], [])
        if stand_in in ready:  # it is gone: it never says more
            process.kill()
        code = process.wait()
        with suppress(BrokenPipeError):
            stand_in.sendall(f"{code}\n".encode())


def be(path: str, words: list[str]) -> None:
    """Be a stand-in: hand in all that we were given, and end as the command ends."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.connect(path)
        paper = os.memfd_create("order")
        os.write(paper, json.dumps({"words": words, "around": dict(os.environ)}).encode())
        socket.send_fds(door, [b"!"], [*PIPES, paper])
        for pipe in (*PIPES, paper):
            os.close(pipe)  # only the command holds them now
        code = int(door.makefile().readline() or "1")
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    be(sys.argv[1], sys.argv[2:])
