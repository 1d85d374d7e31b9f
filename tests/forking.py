"""Our command in a process of its own, at once: forked from one that has loaded everything.

Loading the program is a second of work, more than most of what is asked of it, and the tests start
hundreds of processes. A child of the fork is as real as any: it has its own id, surroundings, pipes
and signals, dies of a kill, and ends as a program does. Only how the program is loaded is not seen
this way; what looks at that, and all that our own code starts, is started from nothing.

A program of tests, a Python file with its words, is run in the same way: what it loads is mostly
what ours loads. With ``--long`` every process is started from nothing.
"""

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, NoReturn, Self, cast

PIPE: Final = subprocess.PIPE
ROOT: Final = Path(__file__).parents[1]
OURS: Final = [sys.executable, "-m", "interlock"]
LOADED: Final = (
    "interlock.cli.main", "interlock.site", "interlock.toolbox.remote", "uvloop", "uvicorn.logging",
    "mcp.server.mcpserver", "tests.warm",
)  # fmt: skip
"""What a command of ours and programs of tests load; what is missing is loaded by each child."""

Where = IO[Any] | int | None


class Nursery:
    """The process that forks, as whoever asks it sees it."""

    # Whether each child is to load everything by itself.
    is_slow = False

    def __init__(self) -> None:
        """Start it; it ends with us, and its children with it."""
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            line = [sys.executable, "-m", "tests.forking", str(theirs.fileno())]
            self._process = subprocess.Popen(line, cwd=ROOT, pass_fds=[theirs.fileno()])
        atexit.register(self._close)

    def fork(self, order: Mapping[str, object], pipes: list[int]) -> socket.socket:
        """Have a child made; it tells its id, and after its end how it ended."""
        ours, theirs = socket.socketpair()
        # On paper, as it may be of any length: surroundings are, and some words.
        with theirs, TemporaryFile() as paper:
            paper.write(json.dumps({**order, "is_slow": self.is_slow}).encode())
            paper.seek(0)
            socket.send_fds(self._ours, [b"!"], [*pipes, theirs.fileno(), paper.fileno()])
        return ours

    def _close(self) -> None:
        self._ours.close()
        self._process.wait()


@cache
def nursery() -> Nursery:
    """Return the nursery of this process."""
    return Nursery()


class Process:
    """A command of ours in a process, or a program of tests, used as a ``Popen`` of text is."""

    def __init__(
        self,
        line: list[str],
        env: Mapping[str, str] | None = None,
        *,
        stdin: Where = None,
        stdout: Where = None,
        stderr: Where = None,
    ) -> None:
        """Start it."""
        assert line[:3] == OURS or (line[0] == OURS[0] and line[1].endswith(".py")), line
        self.returncode: int | None = None
        around = os.environ if env is None else env
        order = {"line": line, "folder": str(Path.cwd()), "around": dict(around)}
        with ExitStack() as given:
            self.stdin, reads = _piped(given, stdin, 0)
            self.stdout, writes = _piped(given, stdout, 1)
            self.stderr, complains = _piped(given, stderr, 2)
            self.report = nursery().fork(order, [reads, writes, complains])
        self._lines = self.report.makefile()
        self.pid = int(self._lines.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                pipe.close()
        self.wait()

    def poll(self) -> int | None:
        """Return how it has ended, if it has."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and return how it ended."""
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Read to the end what it says, and wait for its own."""
        if self.stdin is not None:
            self.stdin.close()
        said: dict[int, str] = {}
        reading = [
            threading.Thread(target=_read, args=(pipe, said, place), daemon=True)
            for place, pipe in enumerate((self.stdout, self.stderr))
            if pipe is not None
        ]
        for one in reading:
            one.start()
        for one in reading:
            one.join(timeout)
            if one.is_alive():
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        self.wait(timeout)
        return said.get(0, ""), said.get(1, "")

    def send_signal(self, how: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, how)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it from outside."""
        self.send_signal(signal.SIGKILL)

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self.report], [], [], timeout)[0]:
            self.returncode = int(self._lines.readline())
            self._lines.close()
            self.report.close()
        return self.returncode


def _read(pipe: IO[str], said: dict[int, str], place: int) -> None:
    with pipe:
        said[place] = pipe.read()


def _piped(given: ExitStack, where: Where, place: int) -> tuple[IO[str] | None, int]:
    """Return our end of a pipe, if one is wanted, and what the child is given."""
    if where == PIPE:
        ends = os.pipe()
        ours, theirs = ends if place else ends[::-1]
        given.callback(os.close, theirs)
        return cast("IO[str]", os.fdopen(ours, "r" if place else "w", encoding="utf-8")), theirs
    if where == subprocess.DEVNULL:
        nothing = os.open(os.devnull, os.O_RDWR)
        given.callback(os.close, nothing)
        return None, nothing
    if where is None:
        return None, place
    return None, where if isinstance(where, int) else where.fileno()


def serve(orders: socket.socket) -> dict[str, Any]:
    """Fork a child for each order until there are none; return in a child, with its order."""
    wakes, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken)
    reports: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([orders.fileno(), wakes], [], [])
        if wakes in ready:
            os.read(wakes, 1024)
            _bury(reports)
        if orders.fileno() not in ready:
            continue
        told, given, _, _ = socket.recv_fds(orders, 1, 5)
        if not told:
            _end(reports)
        paper = given.pop()
        report = socket.socket(fileno=given.pop())
        pid = os.fork()
        if not pid:
            _leave([orders, report, *reports.values()], given)
            for end in (*given, wakes, woken):
                os.close(end)
            with os.fdopen(paper, "rb") as order:
                return cast("dict[str, Any]", json.load(order))
        for pipe in (*given, paper):
            os.close(pipe)
        reports[pid] = report
        report.send(f"{pid}\n".encode())


def _leave(talks: list[socket.socket], pipes: list[int]) -> None:
    """Keep nothing of the nursery's in a child but what it has loaded."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for one in talks:
        one.close()
    for place, pipe in enumerate(pipes):
        os.dup2(pipe, place)


def _end(children: Iterable[int]) -> NoReturn:
    """Let no child outlive us."""
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    sys.exit(0)


def _bury(reports: dict[int, socket.socket]) -> None:
    """Tell of all children that have ended how they did."""
    while reports:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with reports.pop(pid) as report:
            try:
                report.send(f"{os.waitstatus_to_exitcode(status)}\n".encode())
            except BrokenPipeError:
                continue  # nobody waits for it any more


def be(order: dict[str, Any]) -> None:
    """Be a child: run the command as if this process had been started for it."""
    os.chdir(order["folder"])
    line = cast("list[str]", order["line"])
    if order["is_slow"]:
        os.execve(sys.executable, line, order["around"])  # noqa: S606 (ours)
    os.environ.clear()
    os.environ.update(order["around"])
    # Ours stand for what the nursery was given: a file has a place, and a pipe has none.
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)
    if line[:3] != OURS:
        sys.argv = line[1:]
        runpy.run_path(sys.argv[0], run_name="__main__")
        return
    sys.argv = [str(ROOT / "src" / "interlock" / "__main__.py"), *line[3:]]
    from interlock.__main__ import start  # noqa: PLC0415 (loaded by whoever forks, not by who asks)

    start()


def end(code: object) -> NoReturn:
    """End as a program does, but leave what was loaded as it lies: to take it apart is to copy it."""
    if code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
    threading._shutdown()  # type: ignore[attr-defined]  # as the interpreter does, in this order
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it any more, or it was closed
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def load() -> None:
    """Load what children run, and make beforehand what each of them would make for itself."""
    gc.disable()
    for name in LOADED:
        import_module(name)
    gc.freeze()  # what is loaded now is shared by all children
    gc.enable()


if __name__ == "__main__":
    load()
    try:
        be(serve(socket.socket(fileno=int(sys.argv[1]))))
    except SystemExit as ended:
        end(ended.code)
    end(None)
