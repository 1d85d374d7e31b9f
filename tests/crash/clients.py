"""Clients that work on units as agents and people do, write down what they do, and never give up.

Whatever a client knows it has from its journal, so one that is started again goes on where its
predecessor was killed: first it sends again what was not answered, with the same request id.
"""

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.order import Emptied
from interlock.service.run import Answer
from tests.crash.intents import BARE, Intent, perform
from tests.crash.journal import Journal, Line, Outcome

UNITS_OPEN = 8
NEW_SHARE = 0.05
PAUSE_S = 0.05
ENDED = frozenset({"completed", "failed"})
# A part is still ours when we are told this.
NOT_NOW = frozenset({"REVIEW_OPEN", "BLOCKED_BY", "LIMIT_REACHED"})
MOVES = ("submit", "pass_on", "heartbeat", BARE, "release", "request_review")
WEIGHTS = (40, 25, 10, 10, 5, 10)


@dataclass(slots=True)
class Board:
    """What the clients of one process know of the units they work on."""

    open: list[str] = field(default_factory=list)
    ended: set[str] = field(default_factory=set)

    def learn(self, unit: str, status: str) -> None:
        """Take a unit up, or strike it off once it has ended; what has ended stays so."""
        if status in ENDED:
            self.ended.add(unit)
        if unit in self.ended and unit in self.open:
            self.open.remove(unit)
        elif unit not in self.ended and unit not in self.open:
            self.open.append(unit)


@dataclass(slots=True)
class Client:
    """One client; its name is its principal."""

    name: str
    engine: Engine
    journal: Journal
    board: Board
    chance: random.Random
    number: int = 0
    # The parts it holds, with their leases, and the parts it has asked about, with what it showed.
    held: dict[str, str] = field(default_factory=dict)
    asking: dict[str, str] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    # Failures that did not say that the same may be sent again.
    stuck: list[str] = field(default_factory=list)
    rest_s: float = 0.0
    slowest_s: float = 0.0
    ask: Callable[[Engine, Intent], Awaitable[Answer]] = perform

    def remember(self, lines: Iterable[Line]) -> list[Intent]:
        """Learn what was done before; return what was not answered."""
        open_ends = []
        for intent, outcome in ((line.intent, line.outcome) for line in lines):
            self.number += 1
            if outcome is None:
                open_ends.append(intent)
            else:
                self._learn(intent, outcome)
        return open_ends

    async def run(self, open_ends: list[Intent], stop: asyncio.Event) -> None:
        """Send again what was not answered, then work until told to stop."""
        for intent in open_ends:
            await self._send(intent)
        while not stop.is_set():
            intent = self._next()
            self.journal.intend(intent)
            began = time.monotonic()
            await self._send(intent)
            self.slowest_s = max(self.slowest_s, time.monotonic() - began)
            await asyncio.sleep(self.rest_s)

    # -- what to do ----------------------------------------------------------------------------

    def _next(self) -> Intent:
        self.number += 1
        name = f"{self.name}-{self.number}"
        for part, shown in self.asking.items():
            return Intent(name, self.name, "approve", part.partition(".")[0], part, text=shown)
        for part, lease in self.held.items():
            (command,) = self.chance.choices(MOVES, WEIGHTS)
            text = f"{name} {self.chance.getrandbits(64):x}"
            return Intent(name, self.name, command, part.partition(".")[0], part, lease, text)
        if len(self.board.open) < UNITS_OPEN or self.chance.random() < NEW_SHARE:
            return Intent(name, self.name, "create")
        return Intent(name, self.name, "claim", self.chance.choice(self.board.open))

    async def _send(self, intent: Intent) -> None:
        """Send an intent until it is answered, however often the store fails."""
        while True:
            try:
                answer = await self.ask(self.engine, intent)
                outcome = Outcome(answer.text, is_replay=answer.is_replay)
            except Emptied as nothing:
                self.board.learn(intent.unit, nothing.unit.unit.status)
                outcome = Outcome(refused="EMPTIED")
            except InterlockError as error:
                if error.http >= 500 or error.retryable:
                    self.failures.append(error.code)
                    self.stuck += [] if error.retryable else [error.code]
                    await asyncio.sleep(self.engine.clock.jitter(PAUSE_S))
                    continue
                outcome = Outcome(refused=error.code)
            break
        outcome = Outcome(outcome.text, outcome.refused, outcome.is_replay, time.monotonic_ns())
        self.journal.settle(intent.id, outcome)
        self._learn(intent, outcome)

    def _learn(self, intent: Intent, outcome: Outcome) -> None:
        if outcome.refused in NOT_NOW:
            return
        if intent.command not in ("heartbeat", BARE) or outcome.refused:
            self.held.pop(intent.part, None)
            self.asking.pop(intent.part, None)
        if outcome.refused:
            if outcome.refused == "PLAN_TERMINAL":
                self.board.learn(intent.unit, "completed")
            return
        reply = json.loads(outcome.text)
        self.board.learn(reply["unit"], reply["status"])
        if intent.command == "request_review":
            self.asking[intent.part] = intent.text
        for told in reply["parts"]:
            if told["lease"]:
                self.held[told["part"]] = told["lease"]
