"""The ground of a whole run of a ticket: a repository, a server, workers, in processes.

A ticket is begun, a person decides, and in the end its audit must be proved and the repository
must hold what was asked for.
"""

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from interlock.app import LOCAL, App
from interlock.cli.demo import feature
from interlock.client import Client
from interlock.kernel.rules import USER, WORKER
from interlock.service.access import create_token
from interlock.service.verify import verify
from tests.doors.mcp.clients import command, environment
from tests.planning.ground import entries
from tests.serving.farm import Base
from tests.worker.shop import wait_for

Told = dict[str, Any]
Popen = subprocess.Popen[str]
T = TypeVar("T")
QUICK: Final = {
    "INTERLOCK_WORKER_RETRY_MS": "10", "INTERLOCK_LOG": "text", "INTERLOCK_WORKER_HEARTBEAT_S": "1",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ground:
    """A data folder, a repository, and tokens for a person and for workers."""

    folder: Path
    base: Base
    person: str
    worker: str

    @property
    def bare(self) -> Path:
        """The repository."""
        return self.folder / "code" / "till.git"

    @property
    def room(self) -> Path:
        """The data folder of the worker."""
        return self.folder / "worker"

    def tell(self, script: Mapping[str, Any]) -> None:
        """Write down what the agent does and says."""
        self.room.mkdir(exist_ok=True)
        (self.room / "answers.json").write_text(json.dumps(script))
        table = f'[agents.{feature.AGENT}]\nkind = "scripted"\nfile = "answers.json"\n'
        (self.room / "interlock.toml").write_text(table)

    async def begin(self, url: str, limits: Mapping[str, int] | None = None) -> str:
        """Make a project and start a ticket in it, over HTTP; return its id."""
        told = feature.project(str(self.bare))
        told["limits"] |= limits or {}
        async with Client(url, self.person) as client:
            project = (await client.call("create_project", told)).data["project_id"]
            new = {"project_id": project, "title": feature.TITLE, "seed": feature.SEED}
            new["description"] = "Customers want receipts."
            name = str((await client.call("create_ticket", new)).data["ticket_id"])
            await client.call("start", {"ticket_id": name})
        return name

    def start(self, url: str, *words: str, number: int = 1) -> "Popen":
        """Start a worker; whoever does ends it."""
        line = command(self.room, "worker", "--server", url, "--slots", "2", "--agents", *words)
        told = environment() | QUICK | {"INTERLOCK_TOKEN": self.worker}
        with self.said(number).open("a") as said:
            return subprocess.Popen(line, env=told, stderr=said, text=True)

    def said(self, number: int = 1) -> Path:
        """What a worker says of itself."""
        return self.folder / f"worker-{number}.log"

    @contextmanager
    def working(self, url: str, *words: str, number: int = 1) -> Iterator["Popen"]:
        """Have a worker for as long as the block lasts; the block begins when it works."""
        self.said(number).write_text("")
        process = self.start(url, *words, number=number)
        try:
            wait_for(lambda: "works for" in self.said(number).read_text(), str(self.said(number)))
            yield process
        finally:
            process.kill()
            process.wait()

    def ask(self, work: Callable[[App], Awaitable[T]]) -> T:
        """Look at the database beside the server."""

        async def run() -> T:
            async with self.base.app() as app:
                return await work(app)

        return asyncio.run(run())

    def audit(self, ticket: str) -> list[Told]:
        """Read the entries of a ticket's audit; it must be proved."""

        async def read(app: App) -> list[Told]:
            assert not (await verify(app.engine, LOCAL, ticket)).findings
            return [json.loads(row.link.body) for row in await entries(app, ticket)]

        return self.ask(read)

    def git(self, *words: str) -> str:
        """Ask the repository."""
        return feature.read_git(self.bare, *words)


def open_ground(folder: Path, database: str = "") -> Ground:
    """Make the ground, on a file or on the database that is named."""

    async def tokens() -> tuple[str, str]:
        async with base.app() as app:
            person, _ = await create_token(app.engine, app.owner(), "pat", USER)
            worker, _ = await create_token(app.engine, app.owner(), "hands", WORKER)
            return person, worker

    base = Base(folder / "data", database)
    feature.make_repository(folder / "code")
    ground = Ground(folder, base, *asyncio.run(tokens()))
    ground.tell(feature.script())
    return ground
