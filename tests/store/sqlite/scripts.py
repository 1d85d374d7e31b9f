"""Commands as scripts that a writer is given, and what stands in its file afterwards."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec

import apsw

from interlock.kernel.seen import Unit
from interlock.store.chain import Link
from interlock.store.migrate import migrate_sqlite
from interlock.store.rows import UnitRow
from interlock.store.script import Change, Key, Load, Loaded, Script
from interlock.store.sqlite.connect import connect
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.writer import Writer
from tests.still import START
from tests.store.sqlite.opened import HOME


def unit(name: str, version: int, status: str = "planning") -> UnitRow:
    return UnitRow(name, "plan", "d", Unit(status, {}), {}, version, "h", 0, "")


P = ParamSpec("P")
Making = Callable[[], Script]


def made(script: Callable[P, Script]) -> Callable[P, Making]:
    """Let a script be made as often as it is needed."""

    def make(*args: P.args, **kwargs: P.kwargs) -> Making:
        return lambda: script(*args, **kwargs)

    return make


@made
def make(name: str, key: Key | None = None, reply: str = "made") -> Script:
    """Make a unit."""
    yield from ()
    entries = (Link(1, 1, "{}", "a"),)
    return Change(HOME, 0, unit(name, 1), entries, 1, body="{}", key=key, reply=reply)


@made
def move(name: str, status: str) -> Script:
    """Move a unit on from wherever it stands."""
    loaded = yield Load(name)
    assert isinstance(loaded, Loaded)
    version = loaded.unit.version
    entries = (Link(version + 1, 2, "{}", "b"),)
    return Change(HOME, version, unit(name, version + 1, status), entries, 2, reply=status)


@made
def fail(error: BaseException) -> Script:
    """Write nothing and fail."""
    yield Load("nothing")
    raise error


@made
def stale(name: str) -> Script:
    """Write a unit's entry, then find that somebody was faster."""
    yield from ()
    return Change(HOME, 99, unit(name, 100), (), 2)


def new_file(folder: Path, vfs: str = "") -> tuple[Path, apsw.Connection]:
    path = folder / "interlock.db"
    connect(path, "off").close()
    connection = apsw.Connection(str(path), vfs=vfs or None)
    migrate_sqlite(connection, START)
    Session(connection, "").change("insert_tenant", {"id": HOME, "name": "", "at": 1})
    return path, connection


def stands(writer: Writer) -> dict[str, str]:
    """Read the file from outside: what is committed, and nothing else."""
    reader = apsw.Connection(str(writer._path))
    rows = reader.execute("SELECT id, status FROM units ORDER BY id").fetchall()
    reader.close()
    return {str(name): str(status) for name, status in rows}


def at_once(writer: Writer, *scripts: Making) -> list[object]:
    """Send scripts so that they wait together, and return what became of each."""

    async def send() -> list[object]:
        sent = [writer.run(HOME, one) for one in scripts]
        return list(await asyncio.gather(*sent, return_exceptions=True))

    return asyncio.run(send())
