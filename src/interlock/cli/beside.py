"""A worker beside a server, as a child process of it: started, started again, and taken along.

It is the same worker that others run elsewhere, and speaks to the server in the same way. It
leaves first, while the server still answers: what it runs is handed in or given back.
"""

import asyncio
import logging
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from interlock.app import App
from interlock.cli.files import write_secret
from interlock.cli.worker import BESIDE_GRACE_S, TOKEN_FILE
from interlock.config import Settings
from interlock.kernel.rules import WORKER
from interlock.service.access import authenticate, create_token
from interlock.service.errors import Unauthenticated
from interlock.sources import variable
from interlock.worker.loop import RELEASE_S

BACKOFF_S: Final = 0.5
BACKOFF_MAX_S: Final = 60.0
SETTLED_S: Final = 10.0
LEAVE_S: Final = BESIDE_GRACE_S + RELEASE_S + 5
"""How long it has to leave before it is ended."""

HIDDEN: Final = ("database", "oidc_client_secret", "metrics_token", "server", "host")
"""What a worker has no use for."""

log: Final = logging.getLogger("interlock.serve")


class Beside:
    """A worker that runs for as long as the server does."""

    def __init__(self, settings: Settings, url: str, token: str) -> None:
        """Work for the server at an address."""
        self._settings = settings
        self._url = url
        self._token = token
        self._child: asyncio.subprocess.Process | None = None
        self._is_leaving = asyncio.Event()

    async def run(self) -> None:
        """Keep one running until it is told to leave."""
        pause_s = BACKOFF_S
        while not self._is_leaving.is_set():
            begun = time.monotonic()
            why = await self._lived()
            if self._is_leaving.is_set():
                return
            if time.monotonic() - begun > SETTLED_S:
                pause_s = BACKOFF_S
            log.warning("the worker %s; it is started again", why)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_leaving.wait(), pause_s)
            pause_s = min(2 * pause_s, BACKOFF_MAX_S)

    async def leave(self) -> None:
        """Have it stop in good order, and wait until it is gone."""
        self._is_leaving.set()
        child = self._child
        if child is None or child.returncode is not None:
            return
        if child.stdin is not None:
            child.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(child.wait(), LEAVE_S)
        await self.end()

    async def end(self) -> None:
        """End it where it stands, if it is still there; what it runs ends with it."""
        self._is_leaving.set()
        child = self._child
        if child is not None and child.returncode is None:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()

    async def _lived(self) -> str:
        """Start one and wait until it has ended; return how."""
        try:
            child = self._child = await self._start()
        except OSError as exc:
            return f"could not be started: {exc.strerror}"
        if self._is_leaving.is_set():  # told so while it was being started
            await self.leave()
        return f"ended with {await child.wait()}"

    async def _start(self) -> asyncio.subprocess.Process:
        words = ["--data", str(self._settings.data), "worker", "--tools", "--beside"]
        if self._settings.agents:
            words.append("--agents")
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "interlock", *words,
            # It ends when this closes: also if we are killed.
            stdin=asyncio.subprocess.PIPE, env=self._environment(),
            # What is typed at a terminal is for us: we pass it on in our own time.
            start_new_session=True,
        )  # fmt: skip

    def _environment(self) -> dict[str, str]:
        hidden = {variable(name) for name in HIDDEN}
        ours = {name: value for name, value in os.environ.items() if name not in hidden}
        told = {"server": self._url, "token": self._token, "profile": self._settings.profile,
                "log": self._settings.log, "log_level": self._settings.log_level}  # fmt: skip
        return ours | {variable(name): value for name, value in told.items() if value}


async def worker_token(app: App) -> str:
    """Return the token of the worker of this machine; made anew where it is not good any more."""
    path = app.settings.data / TOKEN_FILE
    known = _read(path)
    if known:
        with suppress(Unauthenticated):
            await authenticate(app.engine, known)
            return known
    secret, _ = await create_token(app.engine, app.owner(), "worker of this machine", WORKER)
    with suppress(OSError):
        path.unlink()
    write_secret(path, secret)
    return secret


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
