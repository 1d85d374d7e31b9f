"""``interlock up`` in a process of its own, for browsers: started, stopped, started again."""

import asyncio
import json
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

from tests.doors.mcp.clients import command, environment
from tests.forking import PIPE, Process

PATIENCE_S: Final = 60


class Up:
    """A server on a data folder, that keeps its port when it is started again."""

    def __init__(self, folder: Path, around: Mapping[str, str] | None = None) -> None:
        """Serve a folder; nothing is started yet."""
        self.folder = folder
        self._around = {**environment(), **(around or {})}
        self.told: dict[str, Any] = {}
        self._port = 0
        self._process: Process | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        return str(self.told["url"])

    @property
    def token(self) -> str:
        """The token that was made for the agents of this machine."""
        return Path(self.told["token_file"]).read_text(encoding="utf-8").strip()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop(signal.SIGKILL)

    async def start(self) -> None:
        """Start it, and wait until it has said where it is."""
        line = command(self.folder, "up", "--no-worker", "--json", "--port", str(self._port))
        with (self.folder / "server.log").open("ab") as log:
            self._process = Process(line, self._around, stdout=PIPE, stderr=log)
        text = await asyncio.to_thread(_document, self._process)
        assert text, (self.folder / "server.log").read_text(encoding="utf-8")
        self.told = json.loads(text)
        self._port = int(self.url.rpartition(":")[2])

    async def stop(self, how: int = signal.SIGINT) -> None:
        """Stop it, and wait until it is gone."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        with process:
            await asyncio.to_thread(process.wait, PATIENCE_S)


def _document(process: Process) -> str:
    """Read the one document that is printed, or all that is said without one."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if text.endswith("}\n"):
            break
    return text
