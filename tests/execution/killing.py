"""Kills in a whole run: server and worker are ended with SIGKILL where a plan says so.

The run is watched by reading its database, which changes nothing. A visit is one stay of the ticket
in a phase; in CODING each bead is a stay of its own. At its boundary means: as soon as it has begun;
inside means: while somebody holds its work.
"""

import asyncio
import json
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import apsw

from interlock.cli.demo.person import ENDED, Person
from interlock.client import Client
from tests.execution.ground import Ground
from tests.planning.killing import suppress_away
from tests.serving.farm import Running

SERVER: Final = "server"
WORKER: Final = "worker"
BOUNDARY: Final = "boundary"
INSIDE: Final = "inside"
LEASE_MS: Final = 6_000
NAP_S: Final = 0.01
RETRIES_MAX: Final = 3

MOVES: Final = "SELECT body FROM audit WHERE unit = ? AND sequence > ? ORDER BY sequence"
STATUS: Final = "SELECT status FROM units WHERE id = ?"
HELD: Final = (
    "SELECT count(*) FROM parts WHERE unit = ? AND gone_at IS NULL"
    " AND status IN ('claimed', 'in_progress')"
)


class Moment(NamedTuple):
    """Where in a run somebody is killed."""

    phase: str
    # Which stay in that phase, from 1.
    stay: int
    where: str
    whom: str


@dataclass(slots=True)
class Seen:
    """How a ticket stands, by its rows."""

    phases: list[str] = field(default_factory=lambda: ["DRAFT"])
    status: str = "DRAFT"
    is_held: bool = False

    @property
    def stay(self) -> int:
        """Which stay in its phase it is, from 1."""
        return self.phases.count(self.status)


class Watch:
    """Reads how a ticket stands."""

    def __init__(self, connection: apsw.Connection, ticket: str) -> None:
        """Look at one ticket."""
        self._connection = connection
        self._ticket = ticket
        self._sequence = 0
        self.seen = Seen()

    def look(self) -> Seen:
        """Read what is new."""
        with self._connection:
            for (body,) in self._connection.execute(MOVES, (self._ticket, self._sequence)):
                one = json.loads(body)
                self._sequence = one["sequence"]
                if one["change"] == "move" and one.get("unit"):
                    self.seen.phases.append(one["target"])
            self.seen.status = next(self._connection.execute(STATUS, (self._ticket,)))[0]
            self.seen.is_held = bool(next(self._connection.execute(HELD, (self._ticket,)))[0])
        return self.seen


class Run:
    """A run with a server and a worker that are killed and started again."""

    def __init__(self, ground: Ground, plan: Sequence[Moment], stack: ExitStack) -> None:
        """Kill by a plan; what was started ends with the stack."""
        self._ground = ground
        self._plan = list(plan)
        self._stack = stack
        self._port = 0
        self._worker: subprocess.Popen[str] | None = None
        self._retries = 0
        self.server = self._serve()
        self.kills: list[Moment] = []

    def _serve(self) -> Running:
        words = ("--port", str(self._port)) if self._port else ()
        around = {"INTERLOCK_LEASE_MS": str(LEASE_MS)}
        found = self._stack.enter_context(self._ground.base.serving(*words, **around))
        self._port = found.port
        return found

    def work(self) -> None:
        """Start the worker."""
        self._worker = self._stack.enter_context(self._ground.working(self.server.url))

    def leave(self) -> None:
        """Have the worker stop in good order."""
        assert self._worker is not None
        self._worker.terminate()
        self._worker.wait(30)

    async def play(self, ticket: str) -> dict[str, Any]:
        """Be the person, and kill, until the ticket has ended; return how it stands."""
        path = str(self._ground.base.settings.sqlite_file)
        with closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            connection.set_busy_timeout(5_000)
            watch = Watch(connection, ticket)
            async with Client(self.server.url, self._ground.person) as client:
                person = Person(client.call, ticket)
                while True:
                    seen = watch.look()
                    self._kill_now(seen)
                    if seen.status in ENDED or self._retries > RETRIES_MAX:
                        return await person.told()
                    if _is_the_persons(seen) and not self._waits_for(seen):
                        await self._decide(person)
                    await asyncio.sleep(NAP_S)

    async def _decide(self, person: Person) -> None:
        with suppress_away():
            told = await person.told()
            if told["phase"]["name"] == "BLOCKED_ERROR":
                self._retries += 1
                await person.retry()
            else:
                await person.step(told)

    def _waits_for(self, seen: Seen) -> bool:
        """Whether somebody is to be killed at the boundary of where the ticket stands."""
        return any(
            (one.phase, one.stay, one.where) == (seen.status, seen.stay, BOUNDARY)
            for one in self._plan
        )

    def _kill_now(self, seen: Seen) -> None:
        for one in [*self._plan]:
            is_here = (one.phase, one.stay) == (seen.status, seen.stay)
            if is_here and (one.where == BOUNDARY or seen.is_held):
                self._plan.remove(one)
                self.kills.append(one)
                self._kill(one.whom)
                return

    def _kill(self, whom: str) -> None:
        if whom == SERVER:
            self.server.process.kill()
            self.server.process.wait()
            self.server = self._serve()
            return
        assert self._worker is not None
        self._worker.kill()
        self._worker.wait()
        self.work()


def _is_the_persons(seen: Seen) -> bool:
    return seen.status.startswith(("WAITING", "BLOCKED"))
