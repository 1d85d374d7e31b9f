"""A mission whose tool steps are to be run, a server for it, and workers in their own processes."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar, cast

from interlock.app import LOCAL, App
from interlock.commands.verbs import LocalVerbs
from interlock.kernel.rules import AGENT, WORKER
from interlock.service.access import create_token
from interlock.service.engine import Engine, Principal
from interlock.service.read import read_unit
from interlock.service.verify import verify
from interlock.toolbox.tool import Described
from interlock.wire.envelope import Envelope
from tests.doors.mcp.clients import command, environment
from tests.forking import PIPE, Process
from tests.missions import begin, build, design, execute
from tests.serving.farm import Base
from tests.stage import Stage
from tests.worker.acts import note

PATIENCE_S: Final = 60.0
NAP_S: Final = 0.02
LEASE_MS: Final = 1500
MODULE: Final = "tests.worker.acts"

T = TypeVar("T")
Arguments = Mapping[str, object]


def wait_for(what: Callable[[], object], told: str = "") -> None:
    """Wait until something is so; it must be within our patience."""
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until, f"it never came to be: {told}"
        time.sleep(NAP_S)


def is_alive(process: int) -> bool:
    """Say whether a process runs; one that was not buried yet does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


@dataclass(frozen=True, slots=True)
class Shop:
    """A database with one mission; whatever is asked about it is read anew."""

    base: Base
    folder: Path
    mission: str
    token: str

    @property
    def book(self) -> Path:
        """Where each run of a tool leaves a line."""
        return self.folder / "book"

    @property
    def go(self) -> Path:
        """What tools wait for."""
        return self.folder / "go"

    def runs(self) -> list[int]:
        """Return the processes in which tools have run, in their order."""
        return [int(line) for line in self.book.read_text().split()] if self.book.exists() else []

    def statuses(self) -> list[str]:
        """Say where the mission and its tool steps stand."""

        async def read(app: App) -> list[str]:
            found = await read_unit(app.engine, "local", self.mission)
            steps = [one for one in found.snapshot.parts if one.kind == "tool_step"]
            return [found.snapshot.unit.status, *(one.status for one in steps)]

        return self._ask(read)

    def error(self) -> dict[str, str]:
        """Return how the first tool step has failed."""

        async def read(app: App) -> dict[str, str]:
            found = await read_unit(app.engine, "local", self.mission)
            steps = [one for one in found.snapshot.parts if one.kind == "tool_step"]
            return cast("dict[str, str]", steps[0].fields["error"])

        return self._ask(read)

    def count(self, event: str) -> int:
        """Return how often the audit says that an event has happened; it must be proved."""

        async def read(app: App) -> int:
            assert not (await verify(app.engine, "local", self.mission)).findings
            rows = await app.engine.store.audit("local", self.mission, 0, 1000)
            bodies = [json.loads(row.link.body) for row in rows]
            return len({body["at"] for body in bodies if body["event"] == event})

        return self._ask(read)

    def made(self) -> tuple[int, int]:
        """Count the contents that the output was given, and how often it became ready."""

        async def read(app: App) -> tuple[int, int]:
            kept = await app.engine.store.artifacts("local", self.mission)
            rows = await app.engine.store.audit("local", self.mission, 0, 1000)
            bodies = [json.loads(row.link.body) for row in rows]
            ready = [
                one
                for one in bodies
                if one.get("target") == "READY" and f"{self.mission}.1" in one["ids"]
            ]
            return len([one for one in kept if one.part == 1]), len(ready)

        return self._ask(read)

    def order(self, command: str, **arguments: object) -> None:
        """Call a command as the person whose mission it is."""
        self._ask(lambda app: LocalVerbs(app.engine, app.owner()).call(command, arguments))

    def worker(self, url: str, *words: str, **around: str) -> Process:
        """Start a worker in a process of its own; the test ends it."""
        told = environment() | {
            "INTERLOCK_TOKEN": self.token, "INTERLOCK_TOOLS": MODULE, "INTERLOCK_LOG": "text",
            "INTERLOCK_WORKER_RETRY_MS": "10", **around,
        }  # fmt: skip
        # On a folder of its own: all it knows of the server is its address.
        line = command(self.folder / "worker", "worker", "--tools", "--server", url, *words)
        return Process(line, told, stderr=PIPE)

    @contextmanager
    def workers(self) -> Iterator[Callable[..., Process]]:
        """Yield what starts workers; whatever happens, all of them are gone at the end."""
        made: list[Process] = []

        def start(url: str, *words: str, **around: str) -> Process:
            made.append(self.worker(url, *words, **around))
            return made[-1]

        try:
            yield start
        finally:
            for one in made:
                one.kill()
                one.wait()
                if one.stderr is not None:
                    one.stderr.close()

    def _ask(self, work: Callable[[App], Awaitable[T]]) -> T:
        async def run() -> T:
            async with self.base.app() as app:
                return await work(app)

        return asyncio.run(run())


def open_shop(folder: Path, *calls: Arguments, database: str = "") -> Shop:
    """Make a mission whose hop executes, with a tool step for each of the calls."""

    async def work() -> tuple[str, str]:
        async with base.app() as app:
            token, _ = await create_token(app.engine, app.owner(), "worker", WORKER)
            return await _mission(app, folder, calls), token

    base = Base(folder / "data", database)
    return Shop(base, folder, *asyncio.run(work()))


async def _mission(app: App, folder: Path, calls: tuple[Arguments, ...]) -> str:
    """Have a mission proposed, accepted, resolved and executed by the commands of both sides."""
    agent = Principal(LOCAL, AGENT, "planner", frozenset({"read", "work"}))
    person = app.owner()
    stage = cast("Stage", Floor(app.engine))
    told = {"inputs": [], "outputs": [{"name": "a"}], "assets": []}
    unit = await begin(stage, agent, person, **told)
    await build(stage, unit, agent, person, inputs=[], output="a", is_final=True)
    usual = {"book": str(folder / "book")}
    steps = [
        {
            "tool": "note", "result_mapping": {"text": {"discard": True}},
            "parameter_mapping": {n: {"literal": one} for n, one in {**usual, **call}.items()},
        }
        for call in calls
    ]  # fmt: skip
    steps[-1] |= {"result_mapping": {"text": {"asset": f"{unit}.1"}}}
    await design(stage, unit, steps, agent)
    await execute(stage, unit, person)
    return unit


class Floor:
    """An engine that knows the tools of these tests, called in the way of a stage."""

    def __init__(self, engine: Engine) -> None:
        """Call commands of an engine."""
        self._engine = replace(engine, tools=self._tools)

    async def call(self, command: str, by: Principal, /, **arguments: object) -> Envelope:
        """Call a command by its name."""
        return await LocalVerbs(self._engine, by).call(command, arguments)

    async def _tools(self) -> Mapping[str, Described]:
        return {"note": note.described}
