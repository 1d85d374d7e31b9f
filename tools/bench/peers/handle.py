"""A peer as a process of ours: started in its own environment, asked to play, ended.

Between two runs it is held still: some look for work a thousand times a second, and would be
measured in everybody else's runs.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import IO, Final, NamedTuple

from tools.bench.peers.roster import ROOT, Peer

PATIENCE_S: Final = 180.0
"""How long a peer may be silent beyond what it was given: it loads much, and makes tables."""


class PeerFailed(Exception):
    """A peer ended, fell silent or said what nobody understands."""


class Played(NamedTuple):
    """What a run came to; ``steps`` is less than what was asked where the time was over."""

    steps: int
    seconds: float

    @property
    def rate(self) -> float:
        """Steps a second."""
        return self.steps / self.seconds


class Handle:
    """A peer that runs."""

    def __init__(self, process: "subprocess.Popen[str]", log: Path) -> None:
        """Wait until it is ready."""
        self._process, self._log = process, log
        self._lines: queue.Queue[str] = queue.Queue()
        Thread(target=self._read, args=(process.stdout,), daemon=True).start()
        self.version = str(self._heard("ready", PATIENCE_S)["version"])
        process.send_signal(signal.SIGSTOP)

    def go(self, plans: int, steps: int, limit_s: float) -> Played:
        """Let it play so many plans of so many steps at the same time."""
        asked = {"plans": plans, "steps": steps, "limit_s": limit_s}
        if self._process.stdin is None:
            raise PeerFailed("it cannot be spoken to")
        self._process.send_signal(signal.SIGCONT)
        self._process.stdin.write(f"go {json.dumps(asked)}\n")
        self._process.stdin.flush()
        told = self._heard("done", limit_s + PATIENCE_S)
        self._process.send_signal(signal.SIGSTOP)
        played = Played(int(told["steps"]), float(told["seconds"]))
        if played.steps == plans * steps or played.seconds >= limit_s:
            return played
        raise PeerFailed(f"{played.steps} of {plans * steps} steps, and no reason")

    def _read(self, out: IO[str]) -> None:
        for line in out:
            self._lines.put(line)
        self._lines.put("")

    def _heard(self, word: str, patience_s: float) -> dict[str, float | str]:
        try:
            line = self._lines.get(timeout=patience_s)
        except queue.Empty:
            raise PeerFailed(f"silent for {patience_s:.0f} s; {self._end()}") from None
        said, _, told = line.partition(" ")
        if said != word:
            raise PeerFailed(f"{word} was expected, not {line!r}; {self._end()}")
        found: dict[str, float | str] = json.loads(told)
        return found

    def _end(self) -> str:
        return f"it said last: {self._log.read_text(encoding='utf-8', errors='replace')[-2_000:]}"


@contextlib.contextmanager
def started(command: list[str], folder: Path) -> Iterator[Handle]:
    """Start a peer by its command; it is killed at the end."""
    log = folder / "peer.log"
    # Nothing of ours, and nobody who is told of each run.
    around = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "PYTHONUNBUFFERED": "1",
              "LANGSMITH_TRACING": "false", "BURR_TELEMETRY": "0", "DO_NOT_TRACK": "1"}  # fmt: skip
    with (
        log.open("w", encoding="utf-8") as errors,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            cwd=ROOT, env=around,
        ) as process,
    ):  # fmt: skip
        try:
            yield Handle(process, log)
        finally:
            process.kill()
            process.wait()


def command(peer: Peer, mode: str, url: str) -> list[str]:
    """Return what starts a peer on a database."""
    return [str(peer.python), "-m", peer.module, mode, url]
