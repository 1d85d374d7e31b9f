"""The port of a server: opened, or refused with who has it already."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from interlock.config import Settings
from interlock.errors import InterlockError

PROC: Final = Path("/proc")
TABLES: Final = ("net/tcp", "net/tcp6")
LISTENS: Final = "0A"
"""How the kernel writes that a socket listens."""


class CannotListen(InterlockError):
    """The server cannot listen at this address."""

    code = "CANNOT_LISTEN"
    http = 500


@contextmanager
def listening(found: Settings) -> Iterator[socket.socket]:
    """Open the port; whoever cannot is told why, and who has it."""
    host = found.host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, found.port))
            bound.listen()  # who comes before we are ready waits, and is not turned away
        except OSError as exc:
            by = holder(found.port)
            why = f"{by} listens there already" if by else str(exc.strerror or exc)
            message = f"{found.host}:{found.port} cannot be listened on: {why}."
            fix = "Stop what listens there, or choose another port: --port 0 takes a free one."
            raise CannotListen(message, fix=fix) from exc
        yield bound


def holder(port: int, proc: Path = PROC) -> str:
    """Say which process listens on a port, as far as this system and our rights let us see."""
    sockets = {f"socket:[{inode}]" for inode in _inodes(port, proc)}
    for folder in sorted(proc.glob("[0-9]*"), key=lambda one: int(one.name)) if sockets else ():
        if sockets.intersection(_held(folder)):
            with suppress(OSError):
                name = (folder / "comm").read_text(encoding="utf-8", errors="replace").strip()
                return f"{name} (process {folder.name})"
    return "another process" if sockets else ""


def _held(folder: Path) -> Iterator[str]:
    """Yield what a process has open; nothing where it is somebody else's, or has just ended."""
    with suppress(OSError):
        for one in (folder / "fd").iterdir():
            with suppress(OSError):  # closed since
                yield str(one.readlink())


def _inodes(port: int, proc: Path) -> Iterator[str]:
    """Yield what the kernel calls the sockets that listen on a port."""
    for table in TABLES:
        try:
            lines = (proc / table).read_text(encoding="ascii").splitlines()[1:]
        except (OSError, UnicodeDecodeError):
            continue
        for words in (line.split() for line in lines):
            if words[1].endswith(f":{port:04X}") and words[3] == LISTENS:
                yield words[9]
