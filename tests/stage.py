"""A stage to play stories on: the whole engine behind its commands, on every kind of database.

A story is an ``async def`` test that takes a ``Stage``; ``staged`` plays it once on a SQLite file
and once on a PostgreSQL database of its own. The clock stands still; ``pass_ms`` lets time pass.
"""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, cast

import apsw
import asyncpg
import pytest

from interlock.commands.verbs import LocalVerbs
from interlock.errors import InterlockError
from interlock.kernel.rules import AGENT, USER
from interlock.service.access import SCOPES
from interlock.service.create import NewUnit, create
from interlock.service.engine import Engine, Principal
from interlock.service.order import Asked, Order
from interlock.service.run import advance
from interlock.store.port import Store, Whole
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from interlock.store.sqlite.store import SqliteStore
from interlock.wire.envelope import Envelope
from tests.ready import ready_file, ready_flows
from tests.still import START, StillClock
from tools.postgres.server import Server

P = ParamSpec("P")

HOME: Final = "home"
AWAY: Final = "away"
WORKS: Final = frozenset({"read", "work"})
ADA: Final = Principal(HOME, AGENT, "ada", WORKS)
BOB: Final = Principal(HOME, AGENT, "bob", WORKS)
PAT: Final = Principal(HOME, USER, "pat", frozenset(SCOPES))
EVE: Final = Principal(AWAY, USER, "eve", frozenset(SCOPES))
"""Two agents and a person at home; somebody else elsewhere."""

DAY_MS: Final = 24 * 3600 * 1000
_names = count(1)


@dataclass(slots=True)
class Stage:
    """An engine on a database that nobody else uses."""

    engine: Engine
    clock: StillClock
    # The file of a SQLite database, or the address of a PostgreSQL one.
    where: Path | str

    async def call(self, command: str, by: Principal = ADA, /, **arguments: object) -> Envelope:
        """Call a command by its name."""
        return await LocalVerbs(self.engine, by).call(command, arguments)

    async def refused(
        self, command: str, by: Principal = ADA, /, **arguments: object
    ) -> InterlockError:
        """Call a command that must be refused; return how."""
        with pytest.raises(InterlockError) as no:
            await self.call(command, by, **arguments)
        return no.value

    async def plan(self, steps: int = 2, by: Principal = ADA, /, **more: object) -> str:
        """Make a plan and return its id."""
        answer = await self.call("create_research_plan", by, **{**new_plan(steps), **more})
        return str(answer.data["plan_id"])

    async def claim(self, plan: str, by: Principal = ADA, /, **more: object) -> tuple[str, str]:
        """Claim the next step; return its id and the token of the lease."""
        answer = await self.call("get_next_step", by, plan_id=plan, **more)
        step = cast("dict[str, object]", answer.data["step"])
        return str(step["step_id"]), str(cast("dict[str, object]", step["lease"])["token"])

    async def whole(self, unit: str, tenant: str = HOME) -> Whole:
        """Read a unit as its rows stand."""
        found = await self.engine.store.whole(tenant, unit)
        assert found is not None
        return found

    async def standing(self, unit: str) -> str:
        """Say where a unit and its parts stand, as in ``executing: completed pending``."""
        whole = await self.whole(unit)
        return f"{whole.row.unit.status}: {' '.join(row.part.status for row in whole.parts)}"

    async def mark(self, unit: str, tenant: str = HOME) -> tuple[object, ...]:
        """Return what differs after any change to a unit, its leases or its artifacts."""
        whole = await self.whole(unit, tenant)
        kept = await self.engine.store.artifacts(tenant, unit)
        return whole.row.version, whole.row.head, whole.row.changed_at, dict(whole.due), kept

    async def audit(self, unit: str, tenant: str = HOME) -> list[dict[str, object]]:
        """Read the bodies of a unit's entries."""
        rows = await self.engine.store.audit(tenant, unit, 0, 1_000)
        return [json.loads(row.link.body) for row in rows]

    async def pass_ms(self, elapsed_ms: int) -> None:
        """Let time pass. PostgreSQL has a clock of its own: there everything becomes older."""
        if isinstance(self.where, Path):
            self.clock.pass_ms(elapsed_ms)
            return
        for column in (
            "parts SET due = due",
            "units SET due = due",
            "tokens SET expires_at = expires_at",
            "jobs SET due = due",
            "invitations SET expires_at = expires_at",
            "logins SET expires_at = expires_at",
            "sessions SET expires_at = expires_at",
            "sessions SET seen_at = seen_at",
            "sessions SET created_at = created_at",
        ):
            await self.sql(f"UPDATE {column} - {elapsed_ms}")

    async def sql(self, statement: str) -> None:
        """Change the database behind the engine's back, as its owner."""
        if isinstance(self.where, Path):
            with closing(apsw.Connection(str(self.where))) as file:
                file.execute(statement)
            return
        connection = await asyncpg.connect(self.where)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    async def ticket(self, members: int = 1, tags: tuple[str, ...] = ()) -> str:
        """Make a ticket and start it; return its id. Its phases do not end by the clock."""
        fields = {"members": members, "quorum": 1, "policy": "relay", "round_s": 100 * DAY_MS}
        new = NewUnit("ticket", fields, tags=tags)
        answer = await create(self.engine, PAT, new, lambda made: {"unit": made.unit.id})
        unit = str(answer.reply["unit"])
        order = Order(HOME, PAT.actor(), unit, (Asked("start"),), lambda _: {})
        await advance(self.engine, order)
        return unit

    async def council(self, members: int, tags: tuple[str, ...] = ()) -> str:
        """Bring a ticket to where its whole council is asked; return its id."""
        unit = await self.ticket(members, tags)
        file = {"path": "a.py", "rationale": "It is all.", "relevance": "high"}
        file |= {"likely_action": "modify", "content_preview": ""}
        for answer in ({}, {"files": [file]}):
            part = await self.work(workflow="ticket", tags=tags)
            await self.call("submit_work", part_id=part, answer=answer)
        return unit

    async def work(self, by: Principal = ADA, /, **filters: object) -> str:
        """Claim work of any workflow; return the part's id, or the empty string."""
        answer = await self.call("get_next_work", by, **filters)
        part = cast("dict[str, object]", answer.data.get("part", {}))
        return str(part.get("part_id", ""))


def new_plan(steps: int = 2) -> dict[str, object]:
    """Return what makes a plan."""
    told = [{"instructions": f"find out {place}"} for place in range(1, steps + 1)]
    return {"name": "A plan", "research_question": "What is so?", "steps": told}


def staged(
    story: Callable[Concatenate[Stage, P], Awaitable[None]],
) -> Callable[..., None]:
    """Make a test of a story: it is played on every kind of database."""

    def play(request: pytest.FixtureRequest, *args: P.args, **others: P.kwargs) -> None:
        async def run(where: Path | str) -> None:
            async with opened(where) as stage:
                await story(stage, *args, **others)

        with _place(request, str(others.pop("dialect"))) as where:
            asyncio.run(run(where))

    _, *more = inspect.signature(story).parameters.values()
    own = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for name in ("request", "dialect")
    ]
    told = {"__name__": getattr(story, "__name__", ""), "__module__": story.__module__}
    told |= {"__doc__": story.__doc__, "__signature__": inspect.Signature([*own, *more])}
    for name, value in told.items():
        setattr(play, name, value)
    play.__dict__["pytestmark"] = list(getattr(story, "pytestmark", ()))
    return pytest.mark.parametrize("dialect", ["sqlite", "postgres"])(play)


@contextmanager
def _place(request: pytest.FixtureRequest, dialect: str) -> Iterator[Path | str]:
    folder = cast("Path", request.getfixturevalue("tmp_path"))
    with placed(request, dialect, folder) as where:
        yield where


@contextmanager
def placed(request: pytest.FixtureRequest, dialect: str, folder: Path) -> Iterator[Path | str]:
    """Make a database of a kind: a file in a folder, or one on the server of all tests."""
    if dialect == "sqlite":
        yield folder / "interlock.db"
        return
    server = cast("Server", request.getfixturevalue("postgres_server"))
    name = f"staged_{next(_names)}"
    server.create_database(name, _template(server))
    try:
        yield server.url(name)
    finally:
        server.drop_database(name)


@cache
def _template(server: Server) -> str:
    """Make the database that all others of a server are copied from."""
    name = "staged"
    server.create_database(name)
    asyncio.run(PostgresStore.migrate(server.url(name), START))
    return name


@asynccontextmanager
async def opened(where: Path | str) -> AsyncIterator[Stage]:
    """Open an engine on a database, with its tenants."""
    clock = StillClock()
    store: Store
    if isinstance(where, Path):
        store = SqliteStore(ready_file(where), clock, synchronous="off")
    else:
        store = await PostgresStore.open(where, clock, Options(allow_degraded=True))
    try:
        for tenant in (HOME, AWAY):
            await store.add_tenant(tenant, tenant, store.now())
        yield Stage(Engine(store, clock, ready_flows()), clock, where)
    finally:
        await store.close()
