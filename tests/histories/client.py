"""The process of a few clients who work on a few units at once, and note all that they see.

Each reads, claims, tells, releases, hands in, asks and decides, as chance has it. What it sends
is named in the log of the unit; the clock that notes are made by is the machine's.
"""

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.kernel.tally import tally
from interlock.service.engine import Engine, Principal
from interlock.service.errors import Conflict
from interlock.service.order import Asked, Emptied, Kept, Order
from interlock.service.run import advance
from interlock.store.errors import StoreBusy
from interlock.store.rows import dump
from interlock.store.script import Key
from tests.crash.intents import NAMED, TENANT, word
from tests.crash.telling import telling
from tests.histories.operation import READ, Operation, write_down
from tests.histories.places import open_careless
from tests.histories.planting import flows, plant

SHOWN: Final = "sha256:shown"
READS: Final = 0.6
KEYED: Final = 0.5
TWICE: Final = 0.2
"""How many of the commands that have a request id are sent twice at once."""
VERSIONED: Final = 0.3
"""How many signs of life are meant for the version that the client has last heard of."""
ZOMBIES: Final = 0.03
"""How often somebody acts on a part that is not theirs any more."""
PAUSE_S: Final = 0.01
MOVES: Final = ("heartbeat", "release", "submit", "request_review")
WEIGHTS: Final = (45, 37, 12, 6)
PEOPLE: Final = frozenset({"approve", "modify"})
STILL_MINE: Final = frozenset({"REVIEW_OPEN", "STALE_VERSION"})
OVER: Final = frozenset({"completed", "failed"})
SERVERS_FAULT: Final = 500


@dataclass(frozen=True, slots=True)
class Spec:
    """What a process is to do: so many operations of each client on these units."""

    place: str
    notes: str
    told: str
    # A file that appears when all processes are ready.
    go: str
    seed: int
    clients: tuple[str, ...]
    units: tuple[str, ...]
    operations: int
    bug: str = ""


class Told(NamedTuple):
    """What an answer says of a unit."""

    version: int = 0
    head: str = ""
    part: str = ""
    lease: str = ""
    refused: str = ""
    wrong: str = ""
    # The whole text of an answer, which all copies of a request must be given.
    text: str = ""


def main(spec: Spec) -> None:
    """Do what the spec says, write it down, and say that it is done."""
    with telling(spec.told) as tell:
        plant(spec.bug)
        write_down(Path(spec.notes), asyncio.run(_work(spec, lambda: tell({"is_ready": True}))))
        tell({"done": True})


async def _work(spec: Spec, get_ready: Callable[[], None]) -> list[Operation]:
    clock = SystemClock()
    store = await open_careless(spec.place, clock)
    engine = Engine(store, clock, flows(spec.bug))
    clients = [
        Client(name, engine, list(spec.units), random.Random(f"{spec.seed} {name}"))  # noqa: S311 (repeatable on purpose)
        for name in spec.clients
    ]
    get_ready()
    await asyncio.to_thread(_wait_for, Path(spec.go))
    try:
        async with asyncio.TaskGroup() as group:
            for client in clients:
                group.create_task(client.run(spec.operations))
    finally:
        await store.close()
    return [one for client in clients for one in client.notes]


def _wait_for(path: Path) -> None:
    """Wait for a file; whoever makes it ends us if there is none to come."""
    while not path.exists():
        time.sleep(PAUSE_S)


@dataclass(slots=True)
class Client:
    """One client; its name is its principal."""

    name: str
    engine: Engine
    units: list[str]
    chance: random.Random
    notes: list[Operation] = field(default_factory=list)
    over: set[str] = field(default_factory=set)
    # What it holds: the part, and the lease.
    held: tuple[str, str] | None = None
    # What it held before.
    lost: tuple[str, str] | None = None
    # By unit: the version it has last heard of, and the part that waits for a decision; the unit
    # itself where that is not known yet.
    heard: dict[str, int] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)

    async def run(self, operations: int) -> None:
        """Do so many operations, one after the other."""
        while len(self.notes) < operations:
            await self._one(self.chance.choice(self.units))

    async def _one(self, unit: str) -> None:
        asked = self.waiting.pop(unit, "")
        if asked == unit:
            await self._examine(unit)
        elif asked:
            decision = "approve" if self.chance.random() < 0.2 else "modify"
            await self._move(decision, asked, "")
        elif self.lost is not None and self.chance.random() < ZOMBIES:
            await self._move("heartbeat", *self.lost)
        elif self.chance.random() < READS or (self.held is None and unit in self.over):
            await self.chance.choice((self._look, self._follow, self._list))(unit)
        elif self.held is None:
            await self._send(unit, "claim", Asked("claim", kind="step"))
        else:
            (command,) = self.chance.choices(MOVES, WEIGHTS)
            await self._move(command, *self.held)

    # -- reads ---------------------------------------------------------------------------------

    async def _look(self, unit: str) -> None:
        """Read the row of a unit."""
        began = time.monotonic_ns()
        row = await self.engine.store.bare(TENANT, unit)
        told = Told(wrong="not found") if row is None else Told(row.version, row.head)
        self._note_read(unit, began, told)

    async def _follow(self, unit: str) -> None:
        """Read what was added to the log of a unit."""
        began = time.monotonic_ns()
        after = max(self.heard.get(unit, 1) - 1, 0)
        rows = await self.engine.store.audit(TENANT, unit, after, 1_000)
        told = Told(wrong=f"stale read: the version {after + 1} was heard of before")
        if rows:
            told = Told(rows[-1].link.sequence, rows[-1].link.hash)
        self._note_read(unit, began, told)

    async def _list(self, _: str) -> None:
        """Read the rows of all units: one operation on each of them."""
        began = time.monotonic_ns()
        for listed in await self.engine.store.units(TENANT, "", None, len(self.units)):
            row = listed.row
            self._note_read(row.id, began, Told(row.version, row.head, wrong=listed.wrong))

    async def _examine(self, unit: str) -> None:
        """Read a unit with its parts, and learn which of them waits for a decision."""
        began = time.monotonic_ns()
        whole = await self.engine.store.whole(TENANT, unit)
        if whole is None:
            return self._note_read(unit, began, Told(wrong="not found"))
        for row in whole.parts:
            if row.part.status == "awaiting_input":
                self.waiting[unit] = row.id
        is_torn = tally([row.part for row in whole.parts]) != whole.row.tally
        wrong = "torn read: the parts are not those that the unit counts" if is_torn else ""
        return self._note_read(unit, began, Told(whole.row.version, whole.row.head, wrong=wrong))

    def _note_read(self, unit: str, began: int, told: Told) -> None:
        self._note(Operation(self._name(), self.name, READ, unit, began, 0), told)

    # -- commands ------------------------------------------------------------------------------

    async def _move(self, command: str, part: str, lease: str) -> None:
        name = self._name()
        args: dict[str, object] = {"digest": SHOWN, "summary": "look", "feedback": "go on"}
        kept: tuple[Kept, ...] = ()
        if command == "submit":
            args = {"result": {"text": name}, "result_summary": name}
            kept = (Kept("result", dump(args).encode()),)
        asked = Asked(command, part, args=args, lease=lease, kept=kept)
        await self._send(part.partition(".")[0], command, asked)

    async def _send(self, unit: str, command: str, asked: Asked) -> None:
        """Send a command, some of them twice at once, and note what it came to."""
        name, version = self._name(), None
        if command == "heartbeat" and self.chance.random() < VERSIONED:
            version = self.heard.get(unit)
        kind = "user" if command in PEOPLE else "agent"
        caller = Principal(TENANT, kind, self.name)
        said = sha256(dump([name, command, asked.part, version]).encode()).hexdigest()
        key = Key(self.name, name, said) if self.chance.random() < KEYED else None
        asked = asked._replace(told={NAMED: name})
        order = Order(TENANT, caller.actor(), unit, (asked,), word, key, version)
        copies = 2 if key is not None and self.chance.random() < TWICE else 1
        began = time.monotonic_ns()
        answers = await asyncio.gather(*(self._ask(order) for _ in range(copies)))
        accepted = [one for one in answers if one.version and not one.refused]
        told = (accepted or answers)[0]
        if len({one.text for one in accepted}) > 1:
            told = told._replace(wrong=f"two answers to one request: {accepted}")
        if accepted and self.lost is not None and self.lost == (asked.part, asked.lease):
            told = told._replace(wrong=f"stale fence: {asked.lease} is over, and was accepted")
        about = command if accepted or not told.version else READ
        self._note(
            Operation(
                name, self.name, about, unit, began, 0, based_on=version or 0,
                part=asked.part or "",
            ),
            told,
        )  # fmt: skip
        if self.held == (asked.part, asked.lease) or command == "claim":
            self._learn_held(command, told)
        if told.refused == "REVIEW_OPEN":
            self.waiting[unit] = unit
        elif told.refused == "PLAN_TERMINAL":
            self.over.add(unit)

    async def _ask(self, order: Order) -> Told:
        while True:
            try:
                answer = await advance(self.engine, order)
            except Emptied as nothing:
                row = nothing.unit
                self._end(row.id, row.unit.status)
                return Told(row.version, row.head, refused="EMPTIED")
            except (Conflict, StoreBusy):
                await asyncio.sleep(self.engine.clock.jitter(PAUSE_S))
                continue
            except InterlockError as error:
                wrong = f"told {error.code}: {error}" if error.http >= SERVERS_FAULT else ""
                return Told(refused=error.code, wrong=wrong)
            reply = json.loads(answer.text)
            self._end(reply["unit"], reply["status"])
            receipt, (part,) = reply["receipt"], reply["parts"]
            return Told(
                receipt["sequence"], receipt["hash"], part["part"], part["lease"] or "",
                text=answer.text,
            )  # fmt: skip

    # -- what is known -------------------------------------------------------------------------

    def _name(self) -> str:
        return f"{self.name}-{len(self.notes)}"

    def _end(self, unit: str, status: str) -> None:
        if status in OVER:
            self.over.add(unit)

    def _note(self, one: Operation, told: Told) -> None:
        self.notes.append(
            Operation(
                one.name, one.client, one.command, one.unit, one.invoked_ns, time.monotonic_ns(),
                told.version, told.head, one.based_on, told.part or one.part, told.refused,
                told.wrong,
            )
        )  # fmt: skip
        if told.version:
            self.heard[one.unit] = told.version

    def _learn_held(self, command: str, told: Told) -> None:
        """Learn from the answer to a claim, or about the part that it holds."""
        if told.refused in STILL_MINE:
            return
        if command == "claim":
            self.held = (told.part, told.lease) if told.lease else None
        elif command != "heartbeat" or told.refused:
            self.lost, self.held = self.held, None
        if command == "request_review" and not told.refused:
            # Mostly somebody else is faster; else nobody would ever decide.
            self.waiting[told.part.partition(".")[0]] = told.part
