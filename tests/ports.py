"""Ports for servers that are told theirs: chosen now, listened on later, and again after a kill."""

import random
import socket
from typing import Final

QUIET: Final = range(20_000, 30_000)
"""Below all that systems hand out by themselves: meanwhile nobody is given one of these."""


def quiet_port() -> int:
    """Return a port that nobody listens on, nor will by chance."""
    while True:
        port = random.choice(QUIET)  # noqa: S311 (any will do)
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)):
                return port
