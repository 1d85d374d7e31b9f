"""The process that carries programs out, and is killed: its clients go on where they were.

Whatever was answered is noted, with the answer. A client that is started again goes back a
little further than it would have to: what it sends once more must be answered as before.
"""

import asyncio
import json
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from interlock.clock import Clock, SystemClock
from interlock.errors import InterlockError
from interlock.service.create import NewPart, NewUnit, create
from interlock.service.engine import Engine, Principal
from interlock.service.errors import RequestIdReused
from interlock.service.order import Asked, Emptied, Kept, Order
from interlock.service.run import advance
from interlock.store.errors import StoreUnavailable
from interlock.store.port import Store
from interlock.store.rows import dump
from interlock.store.script import Key
from tests.crash.intents import NAMED, TENANT, word
from tests.crash.telling import telling
from tests.histories.places import open_careless
from tests.histories.planting import flows, plant
from tests.histories.program import Round, program

BACK_MAX: Final = 2
"""How many rounds a client goes back at most when it is started again."""
HOLD_AFTER: Final = 15
"""So many commands after its last mark a process takes no more: it is about to be killed."""
COPIES: Final = 4
PAUSE_S: Final = 0.01
PATIENCE_S: Final = 300.0
"""For how long a process works at most before that is a finding; with a bug many never end."""
PATIENCE_WITH_BUG_S: Final = 8.0
NOT_NOW: Final = frozenset({"REVIEW_OPEN", "EMPTIED", "CONFLICT"})
SERVERS_FAULT: Final = 500
LATE_CODES: Final = frozenset({"STALE_LEASE", "INVALID_TRANSITION"})
TOO_LATE: Final = frozenset({"INVALID_TRANSITION", "STALE_APPROVAL"})
"""What somebody is told whose decision comes second: also when something else is shown by then."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What a process is to do: the programs of these clients, as far as they have not been."""

    place: str
    notes: str
    told: str
    seed: int
    clients: tuple[str, ...]
    units: tuple[str, ...]
    commands: int
    # After so many new commands it says so; after the last of them it only waits for its end.
    marks: tuple[int, ...] = ()
    # How often it was started before.
    turn: int = 0
    bug: str = ""


def main(spec: Spec) -> None:
    """Do what the spec says; the way out of it is mostly a kill."""
    with telling(spec.told) as tell:
        plant(spec.bug)
        tell({"done": asyncio.run(_work(spec, tell))})


async def _work(spec: Spec, tell: Callable[[dict[str, object]], None]) -> bool:
    clock = SystemClock()
    store = await _opened(spec.place, clock)
    engine = Engine(store, clock, flows(spec.bug))
    notes = Notes(Path(spec.notes), spec.marks, tell)
    chance = random.Random(f"{spec.seed} {spec.clients} {spec.turn}")  # noqa: S311 (repeatable on purpose)
    try:
        patience = PATIENCE_WITH_BUG_S if spec.bug else PATIENCE_S
        async with asyncio.timeout(patience), asyncio.TaskGroup() as group:
            for name in spec.clients:
                worker = Worker(name, engine, spec.units, notes)
                rounds = program(spec.seed, name, spec.commands)
                back = chance.randint(0, BACK_MAX)
                group.create_task(worker.run(rounds, notes.begun(name) - back))
    except TimeoutError:
        return False
    finally:
        await store.close()
    return True


async def _opened(place: str, clock: Clock) -> Store:
    """Open a place, again where connections are cut just then."""
    while True:
        try:
            return await open_careless(place, clock)
        except StoreUnavailable:
            await asyncio.sleep(clock.jitter(PAUSE_S))


class Notes:
    """What was answered, on the disk before the next is sent; a torn line counts as not written."""

    def __init__(
        self, path: Path, marks: tuple[int, ...], tell: Callable[[dict[str, object]], None]
    ) -> None:
        """Go on with what is there."""
        self._known: dict[str, dict[str, Any]] = {one["name"]: one for one in read_notes(path)}
        whole = path.read_bytes().rfind(b"\n") + 1 if path.exists() else 0
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
        os.ftruncate(self._file, whole)
        os.lseek(self._file, whole, os.SEEK_SET)
        self._marks = marks
        self._tell = tell
        self._new = 0
        # Cleared when the process is about to be killed, and takes no more.
        self.go_on = asyncio.Event()
        self.go_on.set()

    def begun(self, client: str) -> int:
        """Return the number of the last round that a client has begun."""
        return max(
            (one["round"] for one in self._known.values() if one["client"] == client), default=0
        )

    def note(self, line: dict[str, Any]) -> None:
        """Note an answer; one that was noted before must be the same."""
        known = self._known.get(line["name"])
        if known is not None:
            if known["said"] != line["said"]:
                wrong = f"was answered with {known['said']}, and later with {line['said']}"
                self._write({**line, "wrong": wrong})
            return
        self._known[line["name"]] = line
        self._write(line)
        self._new += 1
        if self._new in self._marks:
            self._tell({"mark": self._new})
        if self._marks and self._new >= self._marks[-1] + HOLD_AFTER:
            self.go_on.clear()

    def _write(self, line: dict[str, Any]) -> None:
        os.write(self._file, dump(line).encode() + b"\n")


def read_notes(path: Path) -> list[dict[str, Any]]:
    """Read what was noted."""
    if not path.exists():
        return []
    *whole, _ = path.read_bytes().split(b"\n")
    return [json.loads(line) for line in whole]


@dataclass(slots=True)
class Worker:
    """One client with its program; its name is its principal.

    Its request ids are those of all others, too: they count from the same number.
    """

    name: str
    engine: Engine
    units: tuple[str, ...]
    notes: Notes
    part: str = ""
    lease: str = ""
    # Whether the last answer had been given before.
    is_replay: bool = False

    async def run(self, rounds: tuple[Round, ...], first: int) -> None:
        """Carry a program out from a round on."""
        for one in rounds[max(0, first) :]:
            self.part = self.lease = ""
            for place, command in enumerate(one.commands):
                await self.notes.go_on.wait()
                request = f"{one.number}.{place}"
                if not await self._command(one, request, command):
                    break

    async def _command(self, one: Round, request: str, command: str) -> bool:
        """Send a command until it is answered, and note that; say whether to go on."""
        if command in ("approve", "modify"):
            orders = [self._order(one, f"{request}.{who}", command, who) for who in ("x", "y")]
            answers = await asyncio.gather(*(self._ask(order) for order in orders))
            said = sorted(text for code, text in answers if code == "OK")
            refused = {code for code, _ in answers if code != "OK"}
            is_good = len(said) == 1 and refused <= TOO_LATE
            wrong = "" if is_good else f"two decided at once and were told {answers}"
        else:
            copies = COPIES if command in ("submit copies", "late") else 1
            order = self._order(one, request, command)
            answers = await asyncio.gather(*(self._ask(order) for _ in range(copies)))
            said, wrong = self._judge(command, answers)
        line = {"name": f"{self.name} {request}", "client": self.name, "round": one.number}
        is_unheard = len(answers) == 1 and self.is_replay
        self.notes.note({**line, "said": said, "wrong": wrong, "is_unheard": is_unheard})
        return not wrong

    def _judge(self, command: str, answers: list[tuple[str, str]]) -> tuple[list[str], str]:
        """Compare what copies of a command were told with each other and with what they must be."""
        codes = {code for code, _ in answers}
        if command == "late":
            return [], "" if codes <= LATE_CODES else f"came late and was told {answers}"
        if command == "reuse":
            return [], "" if codes == {RequestIdReused.code} else f"used an id twice: {answers}"
        texts = {text for _, text in answers}
        if codes != {"OK"} or len(texts) != 1:
            return [], f"sent {command} and was told {answers}"
        (text,) = texts
        reply = json.loads(text)
        if command == "claim":
            self.part, self.lease = reply["parts"][0]["part"], reply["parts"][0]["lease"]
        return [sha256(text.encode()).hexdigest()], ""

    # -- asking --------------------------------------------------------------------------------

    def _order(self, one: Round, request: str, command: str, who: str = "") -> Order | NewUnit:
        """Return what is sent: an order, or a unit that is to be made."""
        told = {NAMED: f"{self.name} {request}"}
        if command == "create":
            return NewUnit("plan", {"name": request}, (NewPart("step"),), told=told)
        event = {"submit copies": "submit", "late": "submit", "reuse": "submit"}.get(
            command, command
        )
        unit, text = self.units[one.unit], f"{self.name} {request} {command}"
        shown = f"sha256:{self.name}.{one.number}"
        args: dict[str, object] = {"digest": shown, "feedback": "go on", "reason": "no source"}
        kept: tuple[Kept, ...] = ()
        if event == "submit":
            args = {"result": {"text": text}, "result_summary": text}
            kept = (Kept("result", dump(args).encode()),)
        if command == "claim":
            asked = Asked("claim", kind="step", told=told)
        else:
            lease = "" if who or event in ("fail_step", "retry_step") else self.lease
            asked = Asked(event, self.part, args=args, lease=lease, kept=kept, told=told)
        kind = "user" if who else "agent"
        actor = Principal(TENANT, kind, self.name + who).actor()
        key = self._key(one, request, command, self.name + who)
        return Order(TENANT, actor, unit, (asked,), word, key)

    def _key(self, one: Round, request: str, command: str, principal: str) -> Key:
        if command == "reuse":
            # The id of the command before, for something else.
            request = f"{one.number}.1"
        asked = [command, self.units[one.unit], self.part]
        return Key(principal, request, sha256(dump(asked).encode()).hexdigest())

    async def _ask(self, order: Order | NewUnit) -> tuple[str, str]:
        """Ask until there is an answer that says something; return its code and its text."""
        while True:
            code, text, is_final = await self._once(order)
            if is_final:
                return code, text
            await asyncio.sleep(self.engine.clock.jitter(PAUSE_S))

    async def _once(self, order: Order | NewUnit) -> tuple[str, str, bool]:
        try:
            if isinstance(order, NewUnit):
                request = str(order.fields["name"])
                key = Key(self.name, request, "create")
                caller = Principal(TENANT, "agent", self.name)
                answer = await create(self.engine, caller, order, word, key)
            else:
                answer = await advance(self.engine, order)
        except Emptied:
            return "EMPTIED", "", False
        except InterlockError as error:
            is_later = error.code in NOT_NOW or (error.http >= SERVERS_FAULT and error.retryable)
            return error.code, str(error), not (is_later or self._is_paused(order, error))
        self.is_replay = answer.is_replay
        return "OK", answer.text, True

    def _is_paused(self, order: Order | NewUnit, error: InterlockError) -> bool:
        """A part that has failed can be tried again only while no decision is waited for."""
        return (
            isinstance(order, Order)
            and order.asked[0].event == "retry_step"
            and error.code == "INVALID_TRANSITION"
        )
