"""The process that copies and is killed on the way: it forks a child for each copy it is asked for.

An order is one line of JSON, and so is the answer. A child counts the statements that it sends to
PostgreSQL and kills itself at one of them, before it is sent or after it was answered; or it has a
bug planted. Nothing of a child is left but what the databases have.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import asyncpg

from interlock.app import copy_database
from interlock.config import Settings
from interlock.errors import InterlockError
from interlock.service import copy
from interlock.store import moving
from interlock.store.postgres import target
from interlock.store.postgres.target import PostgresTarget
from interlock.store.sqlite import source
from interlock.store.sqlite.source import SqliteSource
from interlock.store.tables import OWN, Row, Table

ROOT = Path(__file__).parents[2]
ROWS = 10
Sends = Callable[..., Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Order:
    """A copy: from which folder, to which database, killed at which statement; 0 is none."""

    folder: str
    to: str
    kill_at: int = 0
    is_after: bool = False
    # A table in the middle of which it is killed.
    kill_in: str = ""
    bug: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a copy ended: a negative code is the signal; else what it said."""

    code: int
    said: str


class Copier:
    """The process that forks, as whoever asks it sees it."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def copy(self, order: Order) -> Ended:
        """Have a copy made by a child; return how it ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(asdict(order)), file=self._process.stdin, flush=True)
        return Ended(**json.loads(self._process.stdout.readline()))


@contextmanager
def copier() -> Iterator[Copier]:
    """Start the process that forks; it ends with the block."""
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        yield Copier(process)
        assert process.stdin is not None
        process.stdin.close()


def serve() -> None:
    """Take orders until there are no more."""
    for line in sys.stdin:
        order = Order(**json.loads(line))
        reads, writes = os.pipe()
        pid = os.fork()
        if not pid:
            _be(order, writes)
        os.close(writes)
        with os.fdopen(reads, encoding="utf-8") as pipe:
            said = pipe.read()
        _, status = os.waitpid(pid, 0)
        told = {"code": os.waitstatus_to_exitcode(status), "said": said}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def _be(order: Order, pipe: int) -> None:
    """Be a child, and never go back."""
    code = 1
    try:
        # So that there are many places to be killed at.
        setattr(moving, "ROWS_MAX", ROWS)  # noqa: B010  a constant, to whoever reads the module
        plant(order.bug)
        if order.kill_at:
            _arm(order.kill_at, is_after=order.is_after)
        if order.kill_in:
            _arm_in(order.kill_in)
        settings = Settings(data=Path(order.folder))
        asyncio.run(copy_database(settings, order.to, lambda *_: None))
        code = 0
    except InterlockError as no:
        os.write(pipe, f"{no.code}: {no.message}".encode())
    except BaseException as exc:  # noqa: BLE001  whatever it is, the parent must hear of it
        os.write(pipe, repr(exc).encode())
    finally:
        os._exit(code)


def _arm(kill_at: int, *, is_after: bool) -> None:
    """Die at a statement."""
    sent = 0
    for name in ("execute", "fetch", "fetchrow", "fetchval"):
        real: Sends = getattr(asyncpg.Connection, name)

        async def counted(*args: object, _real: Sends = real, **more: object) -> object:
            nonlocal sent
            sent += 1
            if sent == kill_at and not is_after:
                os.kill(os.getpid(), signal.SIGKILL)
            answer = await _real(*args, **more)
            if sent == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        setattr(asyncpg.Connection, name, counted)


def _arm_in(name: str) -> None:
    """Die when some batches of a table have been written, and not all."""
    real = PostgresTarget.add

    async def add(self: PostgresTarget, table: Table, rows: Sequence[Row], place: int) -> None:
        await real(self, table, rows, place)
        if table.name == name and place > ROWS:
            os.kill(os.getpid(), signal.SIGKILL)

    setattr(PostgresTarget, "add", add)  # noqa: B010  as above


def plant(bug: str) -> None:
    """Plant a bug in this process."""
    if bug:
        BUGS[bug]()


def _skip_a_table() -> None:
    own = OWN | {"feedback"}
    for module in (source, target):
        setattr(module, "OWN", own)  # noqa: B010  a constant, to whoever reads the module


def _resume_too_far() -> None:
    real = SqliteSource.rows

    def rows(self: SqliteSource, table: Table, skip: int = 0) -> Iterator[Row]:
        return real(self, table, skip + 1 if skip else 0)

    setattr(SqliteSource, "rows", rows)  # noqa: B010  same


def _forget_places() -> None:
    real = copy._moved

    async def moved(
        here: copy.Source, there: copy.Target, table: Table, batch: list[Row]
    ) -> list[Row]:
        await real(here, there, table, batch)
        return batch

    setattr(copy, "_moved", moved)  # noqa: B010  same


BUGS: dict[str, Callable[[], None]] = {
    "copy skips a table": _skip_a_table,
    "copy resumes one row too far": _resume_too_far,
    "copy keeps the places of hooks": _forget_places,
}


if __name__ == "__main__":
    serve()
