"""The ground of a planning run: a repository, a server, workers, in processes of their own.

What the ticket has been through is read from its audit, which must be whole and proved.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from interlock.app import LOCAL, App
from interlock.client import Client
from interlock.kernel.rules import USER, WORKER
from interlock.service.access import create_token
from interlock.service.verify import verify
from interlock.store.port import Whole
from tests.doors.mcp.clients import command, environment
from tests.forking import Process
from tests.planning.script import NAMES, SEED
from tests.serving.farm import Base
from tests.tickets import new_project
from tests.worker.shop import wait_for
from tests.worker.workspace.repositories import repository

Told = dict[str, Any]
T = TypeVar("T")
PAGE: Final = 1_000
QUICK: Final = {"INTERLOCK_WORKER_RETRY_MS": "10", "INTERLOCK_LOG": "text"}


class Vote(NamedTuple):
    """A vote: the sums by place, the place of who has won, and how many votes were counted."""

    totals: tuple[int, ...]
    winner: int
    counted: int


class Past(NamedTuple):
    """What a ticket has been through."""

    phases: tuple[str, ...]
    votes: tuple[Vote, ...]


@dataclass(frozen=True, slots=True)
class Ground:
    """A data folder, a repository, and tokens for a person and for workers."""

    folder: Path
    base: Base
    person: str
    worker: str

    def tell(self, members: Mapping[str, object]) -> None:
        """Write down what scripted members say."""
        (self.folder / "worker").mkdir(exist_ok=True)
        (self.folder / "worker" / "answers.json").write_text(json.dumps({"members": members}))
        self.agents('[agents.scripted]\nkind = "scripted"\nfile = "answers.json"\n')

    def agents(self, toml: str) -> None:
        """Write down which agents a worker has."""
        (self.folder / "worker").mkdir(exist_ok=True)
        (self.folder / "worker" / "interlock.toml").write_text(toml)

    async def begin(self, url: str, seed: str = SEED, **limits: int) -> str:
        """Make a project and start a ticket in it, over HTTP; return its id."""
        told = new_project(NAMES, repository=str(self.folder / "shop"), limits=limits)
        async with Client(url, self.person) as client:
            project = (await client.call("create_project", told)).data["project_id"]
            new = {"project_id": project, "title": "Sell apples", "seed": seed}
            new["description"] = "People want apples."
            name = str((await client.call("create_ticket", new)).data["ticket_id"])
            await client.call("start", {"ticket_id": name})
        return name

    def start(self, url: str, *words: str) -> Process:
        """Start a worker; whoever does ends it."""
        line = command(self.folder / "worker", "worker", "--server", url, "--slots", "3", *words)
        told = environment() | QUICK | {"INTERLOCK_TOKEN": self.worker}
        with self.said.open("w") as said:
            return Process(line, told, stderr=said)

    @property
    def said(self) -> Path:
        """What the worker says of itself."""
        return self.folder / "worker.log"

    @contextmanager
    def working(self, url: str, *words: str) -> Iterator[Process]:
        """Have a worker for as long as the block lasts; the block begins when it works."""
        process = self.start(url, *(words or ("--agents",)))
        try:
            wait_for(lambda: "works for" in self.said.read_text(), str(self.said))
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

    def whole(self, ticket: str) -> Whole:
        """Read a ticket as its rows stand."""

        async def read(app: App) -> Whole:
            found = await app.engine.store.whole(LOCAL, ticket)
            assert found is not None
            return found

        return self.ask(read)

    def audit(self, ticket: str) -> list[Told]:
        """Read the entries of a ticket's audit; it must be proved."""

        async def read(app: App) -> list[Told]:
            assert not (await verify(app.engine, LOCAL, ticket)).findings
            return [json.loads(row.link.body) for row in await entries(app, ticket)]

        return self.ask(read)


async def entries(app: App, ticket: str) -> list[Any]:
    """Read all entries of an audit."""
    found: list[Any] = []
    while page := await app.engine.store.audit(LOCAL, ticket, len(found), PAGE):
        found += page
    return found


def open_ground(folder: Path, database: str = "") -> Ground:
    """Make the ground, on a file or on the database that is named."""

    async def tokens() -> tuple[str, str]:
        async with base.app() as app:
            person, _ = await create_token(app.engine, app.owner(), "pat", USER)
            worker, _ = await create_token(app.engine, app.owner(), "hands", WORKER)
            return person, worker

    base = Base(folder / "data", database)
    repository(folder / "shop")
    return Ground(folder, base, *asyncio.run(tokens()))


def past_of(audit: list[Told]) -> Past:
    """Return what a ticket has been through."""
    phases: list[str] = []
    votes: list[Vote] = []
    known: Told = {"totals": (), "winner": 0}
    voted = 0
    for one in audit:
        is_move = one["change"] == "move"
        known |= one.get("set", {}) if one.get("unit") else {}
        if is_move and not one.get("unit"):
            voted += one["signal"] == "submit"
        elif is_move:
            if one["signal"] == "WINNER_SELECTED":
                votes.append(Vote(tuple(known["totals"]), known["winner"], voted))
            phases.append(one["target"])
            voted = 0
    return Past(tuple(phases), tuple(votes))
