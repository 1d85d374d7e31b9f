"""A process that starts children at once: it has loaded everything and only needs to fork.

Fifty kills need fifty processes, and loading the program takes longer than the work it does
before it is killed. Started as a module it reads one order a line and answers each with a line.
What a child does is the ``main`` of the module that its spec comes from.
"""

import gc
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import Field, asdict
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Protocol

from interlock.store.statements import statements

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120.0
CHUNK = 65536


class Spec(Protocol):
    """What a child is told to do: a dataclass of a module that has a ``main`` for it."""

    __dataclass_fields__: ClassVar[dict[str, "Field[Any]"]]

    @property
    def told(self) -> str:
        """The pipe that it talks through."""


class Gone(Exception):
    """The child has ended, and with it the pipe."""


class Child:
    """A child, as its parent sees it."""

    def __init__(self, nursery: "Nursery", pid: int, pipe: int) -> None:
        """Take the pipe that it talks through."""
        self.pid = pid
        self._nursery = nursery
        self._pipe = pipe
        self._unread = b""

    def told(self, timeout_s: float = PATIENCE_S) -> dict[str, Any] | None:
        """Return the child's next message; None when it says nothing for so long."""
        while b"\n" not in self._unread:
            if not select.select([self._pipe], [], [], timeout_s)[0]:
                return None
            more = os.read(self._pipe, CHUNK)
            if not more:
                raise Gone(self.pid)
            self._unread += more
        line, self._unread = self._unread.split(b"\n", 1)
        message: dict[str, Any] = json.loads(line)
        if "trouble" in message:
            raise AssertionError(message["trouble"])
        return message

    def leave(self, timeout_s: float = PATIENCE_S) -> dict[str, Any] | None:
        """Have the child end its work in peace; return what it reports, or None if it does not."""
        os.kill(self.pid, signal.SIGTERM)
        told: dict[str, Any] | None = {}
        while told is not None and "done" not in told:
            told = self.told(timeout_s)
        if told is None:
            self.kill()
            return None
        self.end()
        report: dict[str, Any] = told["done"]
        return report

    def kill(self) -> int:
        """Kill the child and return how it ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return self.end()

    def end(self) -> int:
        """Wait for the child's end and return how it ended."""
        os.close(self._pipe)
        code: int = self._nursery.ask({"wait": self.pid})["code"]
        return code


class Nursery:
    """The parent's side of the process that forks."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        """Take the process."""
        self._process = process

    def start(self, spec: Spec) -> Child:
        """Start a child."""
        Path(spec.told).unlink(missing_ok=True)
        os.mkfifo(spec.told)
        pipe = os.open(spec.told, os.O_RDONLY | os.O_NONBLOCK)
        order: dict[str, object] = {"start": asdict(spec), "of": type(spec).__module__}
        return Child(self, self.ask(order)["pid"], pipe)

    def ask(self, order: dict[str, object]) -> dict[str, int]:
        """Give an order and return the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(order), file=self._process.stdin, flush=True)
        answer: dict[str, int] = json.loads(self._process.stdout.readline())
        return answer


@contextmanager
def nursery(around: Mapping[str, str] | None = None) -> Iterator[Nursery]:
    """Start the process that forks, with more around it; it ends with the block, children too."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **(around or {})},
    ) as process:
        yield Nursery(process)
        assert process.stdin is not None
        process.stdin.close()


def serve() -> None:
    """Take orders until there are no more, then let no child outlive us."""
    statements("sqlite")
    statements("postgres")
    children: set[int] = set()
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            _, status = os.waitpid(order["wait"], 0)
            children.discard(order["wait"])
            _answer(code=os.waitstatus_to_exitcode(status))
            continue
        if order["of"] not in sys.modules:
            import_module(order["of"])
            gc.freeze()  # what is loaded now is shared by all children
        pid = os.fork()
        if not pid:
            _be(order["of"], order["start"])
        children.add(pid)
        _answer(pid=pid)
    for pid in children:
        os.kill(pid, signal.SIGKILL)


def _answer(**answer: int) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _be(module: str, told: dict[str, Any]) -> None:
    """Be a child: nothing of the nursery's is ours, and we never go back there."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        of = sys.modules[module]
        lists = {name: tuple(one) for name, one in told.items() if isinstance(one, list)}
        of.main(of.Spec(**{**told, **lists}))
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve()
