"""Where workers are killed: a server with tickets to be planned, and workers on one site.

Every kill has a ticket of its own beside those that are left from before: it begins with hands,
goes on with a model, and rests when the person is asked. What is taken over is what a dead worker
had: by its lease, or because the next one on its site finds what it had begun.
"""

import asyncio
import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import apsw

from interlock.app import LOCAL
from interlock.client import Client
from interlock.kernel.rules import USER, WORKER
from interlock.service.access import create_token
from interlock.service.verify import verify
from interlock.worker.workspace.intents import read_intents
from tests.crash.nursery import Child, Nursery
from tests.crash.points import EFFECTED, INTENDED, REPORTED, RUNNING
from tests.crash.points import WORKER as WORKER_POINTS
from tests.crash.workers.child import Spec
from tests.doors.mcp.clients import command, environment
from tests.planning.ground import entries, past_of
from tests.serving.farm import Base, Running
from tests.tickets import SAID, new_project
from tests.worker.shop import NAP_S
from tests.worker.workspace.repositories import repository

LEASE_MS: Final = 3_000
SLOTS: Final = 2
LATEST_S: Final = 1.5
PATIENCE_S: Final = 180.0
BUG_PATIENCE_S: Final = 5.0
MEMBER: Final = "ann"
RESTS: Final = "WAITING_INTERVIEW_ANSWERS"
OPEN: Final = (
    "SELECT count(*) FROM parts WHERE gone_at IS NULL AND status IN ('offered', 'claimed')"
)
ANY_MOMENT: Final = "worker, any moment"
SERVER: Final = "server of workers, any moment"
# What an agent runs is to be seen first: later it has nothing to wait for.
ORDER: Final = (RUNNING, *(one for one in WORKER_POINTS if one != RUNNING), "")
KILLS: Final = len(ORDER) + 2
"""At each of these, and then of the server with its worker."""

INTENT: Final = frozenset({INTENDED, EFFECTED, REPORTED})
"""Points at which somebody who comes later must be able to know what was begun."""

BATCH: Final = {
    "questions": [
        {"id": "Q01", "question": "Which?", "phase": "foundation", "answer_type": "free_text"},
        {"id": "Q02", "question": "What about 2?", "phase": "structure", "answer_type": "free_text"},
    ],
    "commentary": "Let us begin.", "is_final": False,
}  # fmt: skip


@dataclass(slots=True)
class Place:
    """A server, its tickets, and workers that come and are killed."""

    nursery: Nursery
    folder: Path
    chance: random.Random
    bug: str = ""
    kills: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    _tickets: list[str] = field(default_factory=list)
    _server: Running | None = None
    _stack: ExitStack = field(default_factory=ExitStack)
    _project: str = ""
    _tokens: tuple[str, str] = ("", "")

    @contextmanager
    def open(self) -> Iterator["Place"]:
        """Start the server; it and every worker are gone at the end."""
        repository(self.folder / "shop")
        self._write_script()
        self._tokens = asyncio.run(self._make_tokens())
        with ExitStack() as self._stack:
            self._stack.callback(self._end_orphans)
            self._serve()
            yield self

    def _serve(self) -> None:
        """Start a server, where one was before if there was one."""
        words = ("--port", str(self._server.port)) if self._server else ()
        around = {"INTERLOCK_LEASE_MS": str(LEASE_MS)}
        self._server = self._stack.enter_context(self._base.serving(*words, **around))

    @property
    def _url(self) -> str:
        assert self._server is not None
        return self._server.url

    @property
    def _base(self) -> Base:
        return Base(self.folder / "data")

    @property
    def _room(self) -> Path:
        return self.folder / "worker"

    @property
    def _go(self) -> Path:
        """What an agent waits for: until it is there, whatever it runs goes on for minutes."""
        return self.folder / "go"

    # -- before ----------------------------------------------------------------------------------

    async def _make_tokens(self) -> tuple[str, str]:
        async with self._base.app() as app:
            person, _ = await create_token(app.engine, app.owner(), "pat", USER)
            worker, _ = await create_token(app.engine, app.owner(), "hands", WORKER)
            return person, worker

    def _write_script(self) -> None:
        def usual(name: str) -> dict[str, Any]:
            return {"answer": SAID[name]({"prompt": {"text": ""}})}

        runs = f"test -e {self._go} || exec sleep 300"
        said = {
            "scan": {**usual("scan"), "run": runs},
            "interview/draft": usual("interview_draft"),
            "interview/refine": usual("interview_refine"),
            "interview/batch": {"answer": BATCH},
        }
        self._room.mkdir()
        (self._room / "answers.json").write_text(json.dumps({"members": {MEMBER: said}}))
        table = '[agents.scripted]\nkind = "scripted"\nfile = "answers.json"\n'
        (self._room / "interlock.toml").write_text(table)

    async def _begin_ticket(self) -> None:
        async with Client(self._url, self._tokens[0]) as client:
            if not self._project:
                told = new_project(
                    (MEMBER,), repository=str(self.folder / "shop"), limits={"tries_max": 20}
                )
                made = await client.call("create_project", told)
                self._project = str(made.data["project_id"])
            new = {"project_id": self._project, "title": "Sell apples", "seed": "apples"}
            new["description"] = "People want apples."
            made = await client.call("create_ticket", new)
            self._tickets.append(str(made.data["ticket_id"]))
            await client.call("start", {"ticket_id": self._tickets[-1]})

    def _start(self, point: str = "") -> Child:
        words = command(
            self._room, "worker", "--server", self._url, "--slots", str(SLOTS), "--agents"
        )[3:]
        around = environment() | {
            "INTERLOCK_TOKEN": self._tokens[1], "INTERLOCK_LOG": "text",
            "INTERLOCK_WORKER_RETRY_MS": "10", "INTERLOCK_WORKER_HEARTBEAT_S": "1",
        }  # fmt: skip
        told, said, taken = (str(self.folder / name) for name in ("told", "said", "taken"))
        return self.nursery.start(
            Spec(told, tuple(words), around, said, taken, point, bug=self.bug)
        )

    # -- kills -----------------------------------------------------------------------------------

    def kill_all(self) -> None:
        """Kill at every point and at any moment, then let everything come to its end."""
        for point in ORDER:
            self.kill(point)
        self.kill_server()
        self.finish()

    def kill(self, point: str = "") -> None:
        """Begin a ticket, start a worker and kill it: at a point, or at any moment."""
        asyncio.run(self._begin_ticket())
        if point != RUNNING:
            self._go.touch()
        child = self._start(point)
        if point:
            said = child.told()
            assert said == {"point": point}, f"{point} is never reached: {said}"
        else:
            assert child.told(self.chance.uniform(0, LATEST_S)) is None
        assert child.kill() == -signal.SIGKILL
        self.kills[point or ANY_MOMENT] += 1
        if point in INTENT and not read_intents(self._room / "intents"):
            self.findings.append(f"{point}: nobody can know what was begun")
        left = self._wait_for_orphans()
        self.findings += [f"{point or ANY_MOMENT}: {one} outlives its worker" for one in left]
        self._go.touch()

    def kill_server(self) -> None:
        """Kill the server under a worker, start it again, and let the worker go on with it."""
        asyncio.run(self._begin_ticket())
        self._go.touch()
        child = self._start()
        assert child.told(self.chance.uniform(0, LATEST_S)) is None
        assert self._server is not None
        self._server.process.kill()
        assert self._server.process.wait() == -signal.SIGKILL
        self._serve()
        self.kills[SERVER] += 1
        assert child.told(self.chance.uniform(0, LATEST_S)) is None
        assert child.kill() == -signal.SIGKILL
        self.kills[ANY_MOMENT] += 1

    def finish(self) -> None:
        """Let a last worker do what is left, and stop in good order."""
        # It is told to stop after it has done something: before that it may not be listening yet.
        asyncio.run(self._begin_ticket())
        child = self._start()
        try:
            self._wait_for(self._is_at_rest)
            if not self._is_at_rest():
                self.findings.append("there is work that nobody does")
        finally:
            with suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGTERM)
            code = child.end()
        if code:
            self.findings.append(f"a worker that was told to stop ended with {code}")

    def _is_at_rest(self) -> bool:
        path = str(self._base.settings.sqlite_file)
        with closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)) as file:
            file.set_busy_timeout(5_000)
            statuses = {status for (status,) in file.execute("SELECT status FROM units")}
            ((work,),) = file.execute(OPEN).fetchall()
        return statuses <= {RESTS, "BLOCKED_ERROR"} and not work

    # -- what is found ---------------------------------------------------------------------------

    def judge(self) -> tuple[dict[str, int], list[str]]:
        """Count what was done, and say what was lost, done twice, or left behind."""
        return asyncio.run(self._judge())

    async def _judge(self) -> tuple[dict[str, int], list[str]]:
        found = [*self.findings]
        counts = Counter({"pieces of work": 0, "leases that ran out": 0, "given back": 0})
        async with self._base.app() as app:
            found += [str(one) for one in (await verify(app.engine, LOCAL)).findings]
            taken: Counter[str] = Counter()
            for ticket in self._tickets:
                audit = [json.loads(row.link.body) for row in await entries(app, ticket)]
                counts.update(_counted(audit))
                phases = past_of(audit).phases
                if (not self.bug and phases[-1] != RESTS) or len(phases) != len({*phases}):
                    found.append(f"{ticket} went through {', '.join(phases)}")
                taken.update(_submitted(audit))
        found += [
            f"{part} was handed in {often} times" for part, often in taken.items() if often > 1
        ]
        acked = self._acked()
        found += [f"{part} was handed in and is lost" for part in sorted(acked - taken.keys())]
        if not self.bug and read_intents(self._room / "intents"):
            found.append("something is still intended")
        return dict(counts), found

    def _acked(self) -> set[str]:
        """Return what workers were told that it was taken; a line that was torn was not read."""
        path = self.folder / "taken"
        *lines, _ = path.read_text().split("\n") if path.exists() else [""]
        return {*lines}

    def _wait_for_orphans(self) -> list[str]:
        """Wait until nothing lives that dead workers have started; return what does all the same."""
        self._wait_for(lambda: not self._orphans())
        return [*self._orphans().values()]

    def _wait_for(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so; who judges finds what never came to be."""
        # What a planted bug leaves it leaves for ever; that need not be waited for as long.
        until = time.monotonic() + (BUG_PATIENCE_S if self.bug else PATIENCE_S)
        while not is_so() and time.monotonic() < until:
            time.sleep(NAP_S)

    def _orphans(self) -> dict[int, str]:
        """Return what runs in our folder, or about it, and is no server."""
        sought = str(self.folder)
        found = {}
        for one in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                line = (one / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if line and (sought in line or str((one / "cwd").readlink()).startswith(sought)):
                    found[int(one.name)] = line[:100]
        return found

    def _end_orphans(self) -> None:
        for process in self._orphans():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def _counted(audit: list[dict[str, Any]]) -> Counter[str]:
    """Count what became of the work of a ticket, by the entries of its audit."""
    events = Counter(str(one["event"]) for one in audit if one.get("ids"))
    return Counter({
        "pieces of work": len(_submitted(audit)),
        "leases that ran out": sum(n for name, n in events.items() if name.startswith("lapse")),
        "given back": sum(n for name, n in events.items() if name.startswith("release")),
    })  # fmt: skip


def _submitted(audit: list[dict[str, Any]]) -> list[str]:
    """Return the parts that were handed in and taken, by the entries of an audit."""
    return [
        part
        for one in audit
        if one["change"] == "move" and one.get("signal") == "submit" and not one.get("unit")
        for part in one.get("ids", ())
    ]
