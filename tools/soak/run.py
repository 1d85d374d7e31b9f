"""One soak on one store: a server, a load on it, and a look at it every few seconds."""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from interlock.app import LOCAL, migrate, open_app
from interlock.config import Settings
from interlock.doors.cookies import SESSION
from interlock.kernel.rules import USER
from interlock.service.access import SCOPES, create_token
from interlock.service.people import FIRST
from interlock.service.sessions import let_in
from tools.bench.disk import folder, on_disk
from tools.bench.serving import Serving, started
from tools.postgres.server import Server
from tools.soak.fill import fill
from tools.soak.judge import Sample
from tools.soak.load import WARM, Door, Load, warm
from tools.soak.sample import Disk, PostgresDisk, SqliteDisk, sample

STORES: Final = ("sqlite", "postgres")
DATABASE: Final = "soak"
TOKEN: Final = "agent.token"  # noqa: S105 (the name of a file)


@dataclass(frozen=True, slots=True)
class Soak:
    """How long, how often to look, how many commands a second, which leak, what goes before.

    ``is_filled`` says whether a server is first given all that it will remember.
    """

    seconds: float
    every_s: float
    per_s: float
    leak: str = ""
    warm: int = WARM
    is_filled: bool = True


def soak(store: str, asked: Soak, say: Callable[[Sample], object]) -> list[Sample]:
    """Load a server on a store; return how it stood meanwhile."""
    with served(store, asked.leak) as (pid, door, disk):
        return soaked(pid, door, disk, asked, say)


@contextmanager
def served(store: str, leak: str = "") -> Iterator[tuple[int, Door, Disk]]:
    """Start a server on an empty store; return its process, how to get in, and what to look at."""
    with _place(store) as (settings, disk):
        asyncio.run(migrate(settings))
        gauge = secrets.token_urlsafe(24)
        with _serving(settings, leak, gauge) as served:
            cookie, person = asyncio.run(_let_in(settings))
            door = Door(served.port, _token(settings), cookie, person, gauge)
            yield served.pid, door, disk


def soaked(
    pid: int, door: Door, disk: Disk, asked: Soak, say: Callable[[Sample], object]
) -> list[Sample]:
    """Load a server that runs, and look at it from time to time."""
    if asked.is_filled:
        fill(door)
    warm(door, asked.warm)
    samples: list[Sample] = []
    begun = time.monotonic()
    with Load(door, asked.per_s) as load:
        while True:
            load.wait(asked.every_s)
            passed = time.monotonic() - begun
            samples.append(sample(passed, pid, disk, load.tally))
            say(samples[-1])
            if passed >= asked.seconds:
                return samples


@contextmanager
def _place(store: str) -> Iterator[tuple[Settings, Disk]]:
    """Make an empty database, on a disk."""
    with folder() as place:
        data = place / "data"
        if store == "sqlite":
            settings = Settings(data=data)
            yield settings, SqliteDisk(settings.sqlite_file)
            return
        # A server keeps its log up to this size; with its own default a soak is over before.
        with Server(parent=on_disk(), settings={"max_wal_size": "128MB"}) as server:
            server.create_database(DATABASE)
            yield Settings(data=data, database=server.url(DATABASE)), PostgresDisk(server, DATABASE)


@contextmanager
def _serving(settings: Settings, leak: str, gauge: str) -> Iterator[Serving]:
    around = {"INTERLOCK_METRICS_TOKEN": gauge}
    if settings.database:
        around["INTERLOCK_DATABASE"] = settings.database
    program = ("tools.soak.leaky", leak) if leak else ("interlock",)
    words = (*program, "--data", str(settings.data), "serve", "--port", "0")
    with started(*words, around=around) as served:
        yield served


def _token(settings: Settings) -> str:
    return (Path(settings.data) / TOKEN).read_text(encoding="ascii").strip()


async def _let_in(settings: Settings) -> tuple[str, str]:
    """Let the owner in, as a login would; return the cookie, and a token of theirs."""
    async with open_app(settings) as app:
        person = await app.engine.store.people.user(LOCAL, FIRST)
        if person is None:
            raise AssertionError("nobody owns the data")
        visit = await let_in(app.engine, person, "link")
        token, _ = await create_token(app.engine, app.owner(), "soak", USER, SCOPES)
    return f"{SESSION}={visit.secret}", token
