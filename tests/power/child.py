"""The process whose files are watched: a service with its store, and the clients that use it.

The journal of the clients lies below the watched folder too, so the log tells in one order what was
written, what was synced, and who had been answered by then. Started as a module it takes one spec a
line and forks for each, so loading is paid for once.
"""

import asyncio
import atexit
import json
import os
import random
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, NoReturn

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.run import Answer
from interlock.store.sqlite import writer
from interlock.store.sqlite.store import SqliteStore
from interlock.store.statements import statements
from tests.crash.child import RUNNING
from tests.crash.clients import Board, Client
from tests.crash.intents import TENANT, Intent, perform
from tests.crash.journal import Journal, read
from tests.native import built
from tests.power.library import SOURCE, hits
from tests.power.planted import plant

ROOT: Final = Path(__file__).parents[2]
FILE: Final = "data/interlock.db"
JOURNAL: Final = "clients"
CLIENTS: Final = 6
PAGES_BEFORE_CHECKPOINT: Final = 40
REFUSED_ENOUGH: Final = 3
"""So often each client is refused before a store counts as one that takes nothing more."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What a child is to do: so many commands in each of its lives on one file."""

    root: str
    seed: int
    commands: int
    lives: int = 1
    synchronous: str = "full"
    bug: str = ""
    # After a fault nothing may be taken any more.
    is_to_stop: bool = False
    # Closes its store in the end; else it is simply gone.
    is_closing: bool = True
    around: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Told:
    """What became of a child."""

    asked: int = 0
    hits: int = 0
    # The codes of errors that clients met.
    errors: list[str] = field(default_factory=list)
    # Requests that were sent after the fault and taken all the same.
    taken: list[str] = field(default_factory=list)


class Work:
    """What the clients of one life do, and when it is enough."""

    def __init__(self, spec: Spec, told: Told) -> None:
        """Take where to write down what happens."""
        self.spec = spec
        self.told = told
        self.left = spec.commands
        self.stop = asyncio.Event()
        self.over = asyncio.Event()

    async def ask(self, engine: Engine, intent: Intent) -> Answer:
        """Ask as clients do; see that nothing is taken after a fault."""
        was_hit = self.spec.is_to_stop and hits() > 0
        self.told.asked += 1
        self.left -= 1
        if self.left <= 0:
            self.stop.set()
        try:
            answer = await perform(engine, intent)
        except InterlockError as error:
            if error.http >= 500 or error.retryable:
                self.told.errors.append(error.code)
                if self.spec.is_to_stop and len(self.told.errors) >= REFUSED_ENOUGH * CLIENTS:
                    self.over.set()
            raise
        if was_hit:
            self.told.taken.append(intent.id)
            self.over.set()
        return answer


def main(spec: Spec) -> Told:
    """Do what the spec says."""
    told = Told()
    plant(spec.bug)
    writer.CHECKPOINT_PAGES = PAGES_BEFORE_CHECKPOINT  # type: ignore[misc]  # here it is to come often
    for life in range(spec.lives):
        asyncio.run(live(spec, life, told))
    return told


async def live(spec: Spec, life: int, told: Told) -> None:
    """Open the store, let clients work until it is enough, and close it."""
    root, clock = Path(spec.root), SystemClock()
    store = SqliteStore(root / FILE, clock, spec.synchronous)
    await store.add_tenant(TENANT, "Acme", clock.now())
    engine = Engine(store, clock, RUNNING)
    lines = read(root / JOURNAL).values()
    journal, board, work = Journal(root / JOURNAL), Board(), Work(spec, told)
    at_work: list[asyncio.Task[Any]] = []
    for number in range(CLIENTS):
        chance = random.Random(f"{spec.seed} {life} {number}")  # noqa: S311 (repeatable on purpose)
        name = f"client{number}"
        client = Client(name, engine, journal, board, chance, ask=work.ask)
        open_ends = client.remember(line for line in lines if line.intent.client == name)
        at_work.append(asyncio.create_task(client.run(open_ends, work.stop)))
    over = asyncio.create_task(work.over.wait())
    while at_work and not over.done():
        done, _ = await asyncio.wait([*at_work, over], return_when=asyncio.FIRST_COMPLETED)
        for task in done - {over}:
            at_work.remove(task)
            task.result()
    for task in (*at_work, over):
        task.cancel()
    if spec.is_closing:
        await asyncio.gather(*at_work, over, return_exceptions=True)
        await store.close()


# -- the process that forks ------------------------------------------------------------------------


class Nursery:
    """The parent's side of the process that forks."""

    def __init__(self) -> None:
        """Start it; it ends when it is told no more."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.power.child"], cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "LD_PRELOAD": str(built(SOURCE))},
        )  # fmt: skip
        atexit.register(self._close)

    def run(self, spec: Spec) -> Told:
        """Have a child do what a spec says, and return what became of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(asdict(spec)), file=self._process.stdin, flush=True)
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        return Told(**told)

    def _close(self) -> None:
        self._process.communicate()


@cache
def nursery() -> Nursery:
    """Return the nursery of this process; it ends with us."""
    return Nursery()


def serve() -> None:
    """Take specs until there are no more; each has a process of its own, and ends in it."""
    statements("sqlite")
    for line in sys.stdin:
        reads, writes = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reads)
            _be(Spec(**json.loads(line)), writes)
        os.close(writes)
        with os.fdopen(reads) as said:
            answer = said.read()
        os.waitpid(pid, 0)
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


def _be(spec: Spec, pipe: int) -> NoReturn:
    """Be a child: watched from here on, and gone without a farewell."""
    os.environ.update(spec.around)
    try:
        told = main(spec)
    except InterlockError as error:
        # It could not even open its file.
        told = Told(errors=[error.code])
    told.hits = hits()
    os.write(pipe, json.dumps(asdict(told)).encode())
    os._exit(0)


if __name__ == "__main__":
    serve()
