"""Random questions to the door about what is not the caller's: nothing tells foreign from absent.

The matrix of ``tests/doors`` asks every command for one thing at a time. Here any field is filled
with any foreign or deleted id, several at once, in calls that are otherwise sound or not; each is
compared with the same call about what never was, and no answer may hold an id of the others.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import pytest
from mcp.client.client import Client

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.commands.verbs import LocalVerbs
from interlock.doors.mcp.tools import offered
from interlock.service.errors import NotFound
from interlock.store.sqlite import session
from interlock.store.statements import Statement, statements
from interlock.wire.envelope import Envelope
from tests.doors.matrix import Matrix, absent, answered, asking, drawn_of, ids_of, matrix, probes
from tests.doors.mcp import clients as mcp
from tests.doors.rest.calling import send
from tests.stage import AWAY, opened
from tests.torture.frame import Campaign, Leg, Tried
from tests.world import Document

SMALL: Final = 600
LONG: Final = 100_000
ROWS_SMALL: Final = 20
"""So many commands are tried by a leg that is too short for all of them."""

FINDINGS_MAX: Final = 5
ID: Final = re.compile(r"[0-9A-Za-z]{6,}")


@dataclass(slots=True)
class Strangers:
    """Names of what is not there for us: of others, and what was ours and is deleted."""

    foreign: dict[str, list[str]] = field(default_factory=dict)
    deleted: dict[str, list[str]] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)
    # What each command can be called with at home.
    told: dict[str, Document] = field(default_factory=dict)

    def learn(self, key: str, cases: Mapping[str, str]) -> None:
        """Remember the names of one field."""
        for kind in ("foreign", "deleted"):
            if kind in cases:
                getattr(self, kind).setdefault(key, []).append(cases[kind])
        self.drawn.add(drawn_of(cases["foreign"]))

    def any_of(self, chance: Random, key: str) -> tuple[str, str]:
        """Return a name, and whose it is: mostly one that fits the field."""
        kind = "deleted" if self.deleted and chance.random() < 0.3 else "foreign"
        names: dict[str, list[str]] = getattr(self, kind)
        fitting = names.get(key) if chance.random() < 0.8 else None
        return chance.choice(fitting or [one for some in names.values() for one in some]), kind


@dataclass(slots=True)
class Probing:
    """Who asks, and what they ask about."""

    around: Matrix
    tools: dict[bool, Client]
    strangers: Strangers
    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    async def probe(self, chance: Random, row: AnyCommand) -> str:
        """Ask once about strangers and once about nothing; return what tells the two apart."""
        fields = [*ids_of(row)]
        chosen = chance.sample(fields, chance.randint(1, len(fields)))
        there = self._sound(chance, row)
        nowhere = dict(there)
        for key in chosen:
            name, kind = self.strangers.any_of(chance, key)
            self.faults[kind] += 1
            there, nowhere = asking(row, key, there, name), asking(row, key, nowhere, absent(name))
        is_tool = row in offered() and chance.random() < 0.5
        ask = self._ask_tool if is_tool else self._ask_http
        said, other = await ask(row, there), await ask(row, nowhere)
        self.counts["probes"] += 1
        self.counts["as tools" if is_tool else "over HTTP"] += 1
        if said != other:
            return f"{row.name} tells {there} from {nowhere}: {said[:300]} and {other[:300]}"
        leaked = self.strangers.drawn & {*ID.findall(said)}
        return f"{row.name} tells {leaked.pop()} of another tenant" if leaked else ""

    def _sound(self, chance: Random, row: AnyCommand) -> Document:
        """Return what a command is called with; now and then something is left out."""
        told = dict(self.strangers.told[row.name])
        if told and chance.random() < 0.2:
            left = chance.choice([*told])
            if left not in row.in_path:
                del told[left]
        return told

    async def _ask_http(self, row: AnyCommand, given: Document) -> str:
        answer = await send(self.around.client(row), row, given)
        return _without(given, row, str(answered(answer, "nothing at all")))

    async def _ask_tool(self, row: AnyCommand, given: Document) -> str:
        client = self.tools[self.around.home.is_for_agents(row)]
        result = await client.call_tool(row.name, given)
        return _without(given, row, result.model_dump_json())


def _without(given: Document, row: AnyCommand, text: str) -> str:
    """Take the names that were asked for out of an answer, and what is drawn for each."""
    for key in ids_of(row):
        if isinstance(given.get(key), str):
            text = text.replace(drawn_of(given[key]), "*")
    text = re.sub(r"ref-[0-9a-z]+", "ref-*", text)
    return re.sub(r"untrusted-[0-9a-f]+", "untrusted-*", text)


@asynccontextmanager
async def probing(leg: Leg, rows: list[AnyCommand]) -> AsyncIterator[Probing]:
    """Settle two tenants, and make something of everything for both."""
    async with (
        opened(leg.folder / "tenants.db") as stage,
        matrix(stage) as around,
        mcp.on(stage, around.home.by) as persons,
        mcp.on(stage, around.home.agent) as agents,
    ):
        strangers = Strangers()
        for row, key in probes(rows):
            strangers.learn(key, await around.others(row, key))
        for row in rows:
            strangers.told[row.name] = await around.home.arguments(row)
        with planted_here(leg.bug):
            yield Probing(around, {False: persons, True: agents}, strangers)


def run(leg: Leg) -> Tried:
    """Ask so many times."""
    chance = Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    rows = [row for row in COMMANDS.values() if [*ids_of(row)]]
    if leg.bug == FORGETFUL:
        # What is written on such a read is never taken, and tried again for ever.
        rows = [row for row in rows if row.is_read]
    elif leg.amount <= SMALL:
        rows = chance.sample(rows, ROWS_SMALL)
    findings: list[str] = []

    async def story() -> Probing:
        async with probing(leg, rows) as asked:
            for _ in range(leg.amount):
                if wrong := await asked.probe(chance, chance.choice(rows)):
                    findings.append(wrong)
                if len(findings) >= FINDINGS_MAX:
                    break
        return asked

    with planted_below(leg.bug):
        asked = asyncio.run(story())
    return Tried({**asked.counts, "commands": len(rows)}, dict(asked.faults), findings)


# -- bugs --------------------------------------------------------------------------------------

FORGETFUL: Final = "a read that forgets the tenant"
HELPFUL: Final = "an error that tells a foreign id apart"
BUGS: Final = (FORGETFUL, HELPFUL)


@contextmanager
def planted_below(bug: str) -> Iterator[None]:
    """Plant a bug in the statements, before a store reads them."""
    with pytest.MonkeyPatch.context() as patch:
        if bug == FORGETFUL:
            known = dict(statements("sqlite"))
            one = known["load_unit"]
            sql = one.sql.replace("tenant = :tenant", ":tenant <> ''")
            assert sql != one.sql
            known["load_unit"] = Statement(one.name, sql, one.parameters)
            patch.setattr(session, "statements", lambda _: known)
        yield


@contextmanager
def planted_here(bug: str) -> Iterator[None]:
    """Plant a bug above the store, once all is settled."""
    with pytest.MonkeyPatch.context() as patch:
        if bug == HELPFUL:
            patch.setattr(LocalVerbs, "call", _explained)
        yield


plain_call: Final = LocalVerbs.call


async def _explained(self: Any, command: str, arguments: Any, version: Any = None) -> Envelope:  # noqa: ANN401 (passed on)
    """Say more than is good about what was not found."""
    try:
        return await plain_call(self, command, arguments, version)
    except NotFound as no:
        for value in arguments.values():
            unit = str(value).partition(".")[0]
            if await self._engine.store.whole(AWAY, unit) is not None:
                no._message += " It belongs to another organisation."
        raise


TENANTS: Final = Campaign("tenants", ("P20",), "probes", SMALL, LONG, 10_000, run)
