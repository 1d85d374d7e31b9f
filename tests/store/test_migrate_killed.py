"""Migrators that are killed, and many that start at once: real processes on real files.

The file must open, be sound, and stand at one version exactly; the next migrator ends the work.
"""

import json
import random
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from interlock.store.migrate import Migration, backup_file, read_migrations
from tests.store.made import INDEX, MAKE, REBUILD, look, migrate, write

# Started with: file, folder of migrations, journal mode, number of the statement that kills it.
CHILD = """
import itertools, json, os, pathlib, signal, sys
import apsw
from interlock.store.migrate import migrate_sqlite, read_migrations

path, folder, mode, fatal = sys.argv[1:]
known = read_migrations("sqlite", pathlib.Path(folder))
connection = apsw.Connection(path)
connection.set_busy_timeout(60000)
connection.pragma("journal_mode", mode)
count = itertools.count(1)

def trace(*_):
    if next(count) == int(fatal):
        os.kill(os.getpid(), signal.SIGKILL)
    return True

connection.exec_trace = trace
print("ready", flush=True)
sys.stdin.readline()
print(json.dumps(migrate_sqlite(connection, 1, known)))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three migrations for SQLite."""
    return write(tmp_path / "made", make_tables=MAKE, add_index=INDEX, rebuild_units=REBUILD)


def child(path: Path, folder: Path, mode: str, fatal: int = 0) -> subprocess.Popen[str]:
    """Start a process that migrates as soon as it is told to."""
    command = [sys.executable, "-c", CHILD, str(path), str(folder), mode, str(fatal)]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    return started


def versions(tmp_path: Path, known: tuple[Migration, ...]) -> list[tuple[int, str, object]]:
    """Return how a file looks before any migration, after the first, and so on."""
    seen = []
    for number in range(len(known) + 1):
        path = tmp_path / f"version{number}.db"
        migrate(path, known[:number])
        seen.append(look(path))
    return seen


@pytest.mark.parametrize("first", [0, 1])
def test_killed_at_any_statement_the_file_is_the_old_or_the_new_version(
    tmp_path: Path, folder: Path, first: int
) -> None:
    known = read_migrations("sqlite", folder)
    expected = versions(tmp_path, known)
    seen = set()
    for fatal in count(1):
        path = tmp_path / f"killed{fatal}.db"
        migrate(path, known[:first])
        with child(path, folder, "wal", fatal) as started:
            started.communicate("go\n")
        after = look(path)
        seen.add(after[0])

        assert after in expected
        if started.returncode == 0:
            break
        assert started.returncode == -signal.SIGKILL
        migrate(path, known)
        assert look(path) == expected[-1]
    assert seen == {*range(first, 4)}


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_killed_at_any_moment_the_file_is_the_old_or_the_new_version(
    tmp_path: Path, folder: Path, mode: str
) -> None:
    known = read_migrations("sqlite", folder)
    expected = versions(tmp_path, known)
    chance = random.Random(mode)  # noqa: S311 (repeatable on purpose)
    for number in range(10):
        path = tmp_path / f"killed{number}.db"
        migrate(path, known[:1])
        with child(path, folder, mode) as started:
            with suppress(subprocess.TimeoutExpired):
                started.communicate("go\n", timeout=chance.uniform(0, 0.01))
            started.kill()

        assert look(path) in expected
        migrate(path, known)
        assert look(path) == expected[-1]
        assert look(backup_file(path, 1)) == expected[1] or look(backup_file(path, 2))[0] == 2


@pytest.mark.parametrize(("mode", "first"), [("delete", 0), ("wal", 1)])
def test_of_many_who_start_at_once_each_migration_is_applied_by_one(
    tmp_path: Path, folder: Path, mode: str, first: int
) -> None:
    path = tmp_path / "crowded.db"
    migrate(path, read_migrations("sqlite", folder)[:first])
    started = [child(path, folder, mode) for _ in range(5)]
    for one in started:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    done = [json.loads(one.communicate()[0]) for one in started]

    assert [one.returncode for one in started] == [0] * 5
    assert sorted(number for numbers in done for number in numbers) == [1, 2, 3][first:]
    assert look(path)[0] == 3
