"""The demo's server and its worker, each in a process of its own, killed and started again."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Final, Self

from interlock.values import PREFIX

SERVES: Final = "serves at"
WORKS: Final = "works for"
ALONE: Final[Mapping[str, str]] = {}


class WentWrong(Exception):
    """Something in the demo is not as it should be; the text says what."""


def surroundings() -> dict[str, str]:
    """Return the environment of a child: ours, without settings that lead it elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


def settings(around: Mapping[str, str]) -> dict[str, str]:
    """Return settings as an environment has them."""
    return {f"{PREFIX}{name.upper()}": value for name, value in around.items()}


class Program:
    """A command of ours that runs until it is killed; as a context it is gone at the end."""

    name = "program"
    sign = ""
    """What its first line says when it has started."""

    def __init__(self, folder: Path, around: Mapping[str, str] = ALONE) -> None:
        """Run on a data folder, with some settings of its own."""
        self.folder = folder
        self.around = settings(around)
        self._said: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._reader: Thread | None = None

    def words(self) -> list[str]:
        """Return the command."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        """Start it."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it, whatever has happened."""
        self.kill()

    def start(self) -> None:
        """Start the process and wait until it says that it has begun."""
        command = [sys.executable, "-m", "interlock", "--data", str(self.folder), *self.words()]
        environment = surroundings() | self.around
        process = subprocess.Popen(  # noqa: S603  our own command
            command, stderr=subprocess.PIPE, text=True, env=environment
        )
        self._process = process
        lines = process.stderr or ()
        self._said = []
        # It may have something to say before: what it found left by the one that was killed.
        for line in lines:
            self._said.append(line)
            if self.sign in line:
                break
        # Somebody must read what it says, or it stops to wait for a reader.
        self._reader = Thread(target=lambda: self._said.extend(lines), daemon=True)
        self._reader.start()
        sign = next((line for line in self._said if self.sign in line), None)
        if sign is None:
            self.kill()
            message = f"the {self.name} did not start: {''.join(self._said).strip()}"
            raise WentWrong(message)
        self.begun(sign)

    def begun(self, sign: str) -> None:
        """Take from the line that says so what is to be known."""

    def kill(self) -> int:
        """Kill it from outside, as a power cut would; return how it ended."""
        process, reader = self._process, self._reader
        if process is None:
            return 0
        process.kill()
        code = process.wait()
        if reader is not None:
            reader.join()
        if process.stderr is not None:
            process.stderr.close()
        self._process = None
        return code


class Server(Program):
    """``interlock serve``, on a free port that stays the same when it is started again."""

    name, sign = "server", SERVES

    def __init__(self, folder: Path, around: Mapping[str, str] = ALONE) -> None:
        """Serve a folder."""
        super().__init__(folder, around)
        self.url = ""
        self._port = 0

    def words(self) -> list[str]:
        """Return the command."""
        return ["serve", "--host", "127.0.0.1", "--port", str(self._port)]

    def begun(self, sign: str) -> None:
        """Take the address from that line."""
        self.url = sign.rpartition(" ")[2].strip()
        self._port = int(self.url.rpartition(":")[2])


class Worker(Program):
    """``interlock worker --tools``: it knows its server only by the address."""

    name, sign = "worker", WORKS

    def __init__(self, folder: Path, url: str, around: Mapping[str, str] = ALONE) -> None:
        """Work for a server."""
        super().__init__(folder, around)
        self.url = url

    def words(self) -> list[str]:
        """Return the command."""
        return ["worker", "--tools", "--server", self.url]


class Hands(Worker):
    """``interlock worker --agents``: it works on tickets, in a folder of its own."""

    def words(self) -> list[str]:
        """Return the command."""
        return ["worker", "--agents", "--server", self.url]
