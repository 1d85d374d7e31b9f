"""The demo's server: ``interlock serve`` in a process of its own, killed and started again."""

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Final, Self

from interlock.values import PREFIX

SERVES: Final = "serves at"


class WentWrong(Exception):
    """Something in the demo is not as it should be; the text says what."""


def surroundings() -> dict[str, str]:
    """Return the environment of a child: ours, without settings that lead it elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


class Server:
    """A server on a data folder; as a context it runs, and is gone at the end."""

    def __init__(self, folder: Path) -> None:
        """Serve a folder, on a free port that stays the same when it is started again."""
        self.folder = folder
        self.url = ""
        self._port = 0
        self._said: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._reader: Thread | None = None

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
        """Start the process and wait until it listens."""
        words = ["--data", str(self.folder), "serve", "--host", "127.0.0.1"]
        command = [sys.executable, "-m", "interlock", *words, "--port", str(self._port)]
        process = subprocess.Popen(  # noqa: S603  our own command
            command, stderr=subprocess.PIPE, text=True, env=surroundings()
        )
        self._process = process
        lines = process.stderr or ()
        first = next(iter(lines), "")
        self._said = [first]
        # Somebody must read what a server says, or it stops to wait for a reader.
        self._reader = Thread(target=lambda: self._said.extend(lines), daemon=True)
        self._reader.start()
        if SERVES not in first:
            self.kill()
            message = f"the server did not start: {''.join(self._said).strip()}"
            raise WentWrong(message)
        self.url = first.rpartition(" ")[2].strip()
        self._port = int(self.url.rpartition(":")[2])

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
