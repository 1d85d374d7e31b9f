"""Kills in a planning run: server and worker are ended with SIGKILL where a plan says so.

The run is watched by reading its database, which changes nothing: no process of ours sweeps or
takes work. A visit is one stay in a phase. At its boundary means: as soon as it has begun; inside
means: while somebody holds its work, in a round of the council while some have answered and some
have not; or while the person's decision is on its way.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import apsw

from interlock.client import Client
from interlock.errors import InterlockError
from interlock.workflows.ticket.phases import ROUNDS
from tests.forking import Process
from tests.planning.ground import Ground
from tests.planning.person import Person, is_planned
from tests.planning.script import NAMES
from tests.serving.farm import Running

SERVER: Final = "server"
WORKER: Final = "worker"
BOUNDARY: Final = "boundary"
INSIDE: Final = "inside"
LEASE_MS: Final = 1_500
NAP_S: Final = 0.02
ON_ITS_WAY_S: Final = 0.004
"""How long a decision is under way when the server is killed."""

READ: Final = "SELECT status, version FROM units WHERE id = ?"
MOVES: Final = "SELECT body FROM audit WHERE unit = ? AND sequence > ? ORDER BY sequence"
WORK: Final = (
    "SELECT status, count(*) FROM parts WHERE unit = ? AND kind = 'assignment'"
    " AND gone_at IS NULL GROUP BY status"
)


class Moment(NamedTuple):
    """Where in a run somebody is killed."""

    visit: int
    where: str
    whom: str


@dataclass(slots=True)
class Seen:
    """How a ticket stands, by its rows."""

    phases: list[str] = field(default_factory=lambda: ["DRAFT"])
    version: int = 0
    status: str = "DRAFT"
    is_held: bool = False

    @property
    def visit(self) -> int:
        """Which stay it is, from 0."""
        return len(self.phases) - 1


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
            rows = [*self._connection.execute(READ, (self._ticket,))]
            self.seen.status, self.seen.version = rows[0]
            for (body,) in self._connection.execute(MOVES, (self._ticket, self._sequence)):
                one = json.loads(body)
                self._sequence = one["sequence"]
                if one["change"] == "move" and one.get("unit"):
                    self.seen.phases.append(one["target"])
            work = dict(self._connection.execute(WORK, (self._ticket,)))
            is_begun = "submitted" in work or self.seen.status not in ROUNDS
            self.seen.is_held = "claimed" in work and is_begun
        return self.seen


class Run:
    """A run with a server and a worker that are killed and started again."""

    def __init__(self, ground: Ground, plan: Sequence[Moment], stack: ExitStack) -> None:
        """Kill by a plan; what was started ends with the stack."""
        self._ground = ground
        self._plan = list(plan)
        self._stack = stack
        self._port = 0
        self._worker: Process | None = None
        self.server = self._serve()
        self.kills: list[Moment] = []

    def _serve(self) -> Running:
        around = {"INTERLOCK_LEASE_MS": str(LEASE_MS)}
        words = ("--port", str(self._port)) if self._port else ()
        found = self._stack.enter_context(self._ground.base.serving(*words, **around))
        self._port = found.port
        return found

    def work(self) -> None:
        """Start the worker."""
        self._worker = self._stack.enter_context(self._ground.working(self.server.url))

    async def play(self, ticket: str) -> dict[str, Any]:
        """Be the person, and kill, until the ticket is planned; return how it stands."""
        path = str(self._ground.base.settings.sqlite_file)
        with closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            connection.set_busy_timeout(5_000)
            watch = Watch(connection, ticket)
            async with Client(self.server.url, self._ground.person) as client:
                person = Person(client.call, ticket)
                while True:
                    await self._kill_now(watch, person)
                    is_theirs = self._is_the_persons(watch.look())
                    if is_theirs and (told := await self._said(person)):
                        return told
                    await asyncio.sleep(NAP_S)

    def _is_the_persons(self, seen: Seen) -> bool:
        """Whether the person may go on: it is their turn, and nobody is to be killed before."""
        if any(one.visit == seen.visit for one in self._plan):
            return False
        return seen.status.startswith(("WAITING", "PRE_FLIGHT", "BLOCKED"))

    async def _said(self, person: Person) -> dict[str, Any]:
        """Let the person say what there is to say; return how a planned ticket stands."""
        with suppress_away():
            told = await person.told()
            if is_planned(told):
                return told
            await person.step(told)
        return {}

    async def _kill_now(self, watch: Watch, person: Person) -> None:
        """Kill whoever is to be killed now; what was missed is taken off the plan."""
        seen = watch.look()
        missed = [one for one in self._plan if one.visit < seen.visit]
        for one in missed:
            self._plan.remove(one)
        for one in [one for one in self._plan if one.visit == seen.visit]:
            is_gate = seen.status.endswith("_APPROVAL")
            if one.where == INSIDE and not (seen.is_held or is_gate):
                continue
            self._plan.remove(one)
            if one.where == INSIDE and is_gate and one.whom == SERVER:
                await self._kill_under_way(one, watch, person)
            else:
                self._kill(one, watch)
            return

    async def _kill_under_way(self, moment: Moment, watch: Watch, person: Person) -> None:
        """Kill the server while the person's decision is on its way to it."""
        told = await person.told()
        deciding = asyncio.create_task(self._step(person, told))
        await asyncio.sleep(ON_ITS_WAY_S)
        self._kill(moment, watch)
        await deciding

    async def _step(self, person: Person, told: dict[str, Any]) -> None:
        with suppress_away():
            await person.step(told)

    def _kill(self, moment: Moment, watch: Watch) -> None:
        process = self.server.process if moment.whom == SERVER else self._worker
        assert process is not None
        process.kill()
        process.wait()
        dead = watch.look().visit
        if moment.whom == SERVER:
            self.server = self._serve()
        else:
            self.work()
        assert watch.look().visit >= dead, "it has gone back"
        self.kills.append(moment)


@contextmanager
def suppress_away() -> Iterator[None]:
    """Bear a server that is away, or a ticket that has gone on while nobody could be told."""
    with suppress(TimeoutError):
        try:
            yield
        except InterlockError as error:
            if not error.retryable and error.http < 500 and error.code not in GONE_ON:
                raise


GONE_ON: Final = frozenset(
    {"WRONG_PHASE", "STALE_BATCH", "STALE_APPROVAL", "STALE_EDIT", "CONFLICT"}
)


def slowly(tasks: Mapping[str, Any], delay_s: float) -> dict[str, Any]:
    """Return what everybody says, each after a while of their own: there is time to kill."""
    return {
        member: {key: {**said, "delay_s": delay_s * place} for key, said in tasks.items()}
        for place, member in enumerate(NAMES, 1)
    }
