"""A server as a process: started with a command of ours or another one, killed at the end."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Thread
from typing import Final, NamedTuple

SERVES: Final = "serves at"
NOTHING: Final[Mapping[str, str]] = {}


class Serving(NamedTuple):
    """A server that runs."""

    port: int
    pid: int


@contextmanager
def started(*words: str, around: Mapping[str, str] = NOTHING) -> Iterator[Serving]:
    """Start a module that says where it serves; ``around`` are settings of its own."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("INTERLOCK_")
    }
    # One caller calls as fast as it can here, which a server that is open to others would refuse.
    environment |= {"INTERLOCK_RATE_PRINCIPAL": "0", "INTERLOCK_RATE_TENANT": "0"}
    # The floors have no log of requests either.
    environment |= {"INTERLOCK_LOG_LEVEL": "warning", **around}
    with subprocess.Popen(
        [sys.executable, "-m", *words], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        lines = process.stderr or ()
        first = next(iter(lines), "")
        reader = Thread(target=lambda: list(lines), daemon=True)
        reader.start()
        try:
            if SERVES not in first:
                message = f"{' '.join(words)} did not start: {first}"
                raise AssertionError(message)
            yield Serving(int(first.rpartition(":")[2]), process.pid)
        finally:
            process.kill()
            process.wait()
            reader.join()
