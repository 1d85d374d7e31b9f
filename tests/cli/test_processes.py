"""Several processes: as many as were asked for, again when one dies, none when we stop."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

PATIENCE_S: Final = 60
PROGRAM: Final = """
import os, signal, sys, time
from pathlib import Path
from interlock.cli.processes import Parent

folder, how = Path(sys.argv[1]), sys.argv[2]

def work(number, lifeline):
    if how == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if how == "good":
        signal.signal(signal.SIGTERM, lambda *_: (_told(number), os._exit(0)))
    (folder / f"{number}.pid").write_text(str(os.getpid()))
    if how == "failing":
        raise RuntimeError("no")
    os.read(lifeline, 1)
    (folder / f"{number}.orphan").touch()

def _told(number):
    (folder / f"{number}.stopped").touch()

Parent(2, work, 1.0, lambda: (folder / "released").touch()).run()
"""


@contextmanager
def family(folder: Path, how: str = "good") -> Iterator[subprocess.Popen[bytes]]:
    """Start a parent with its children; all of them are gone at the end."""
    line = [sys.executable, "-c", PROGRAM, str(folder), how]
    with subprocess.Popen(line, stderr=subprocess.DEVNULL) as parent:
        try:
            yield parent
        finally:
            parent.kill()
            for path in folder.glob("*.pid"):
                with_pid = int(path.read_text() or 0)
                if with_pid and is_running(with_pid):
                    os.kill(with_pid, signal.SIGKILL)


def wait_for(what: object, *paths: Path) -> None:
    """Wait until some files are there."""
    until = time.monotonic() + PATIENCE_S
    while not all(path.exists() and (path.suffix != ".pid" or path.read_text()) for path in paths):
        assert time.monotonic() < until, what
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Say whether a process is there and no mere memory of one."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="processes are looked up there")


def test_a_child_that_dies_is_started_again(tmp_path: Path) -> None:
    with family(tmp_path) as parent:
        wait_for("two", tmp_path / "1.pid", tmp_path / "2.pid")
        os.kill(int((tmp_path / "1.pid").read_text()), signal.SIGKILL)
        wait_for("a third", tmp_path / "3.pid")

        assert parent.poll() is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_passed_on_and_the_port_let_go(tmp_path: Path, number: signal.Signals) -> None:
    with family(tmp_path, "good" if number is signal.SIGTERM else "default") as parent:
        wait_for("two", tmp_path / "1.pid", tmp_path / "2.pid")
        parent.send_signal(number)

        assert parent.wait(PATIENCE_S) == 0
        assert (tmp_path / "released").exists()
        assert not any(is_running(int(path.read_text())) for path in tmp_path.glob("*.pid"))
        assert len([*tmp_path.glob("*.pid")]) == 2


def test_who_does_not_stop_in_time_is_killed(tmp_path: Path) -> None:
    with family(tmp_path, "stubborn") as parent:
        wait_for("two", tmp_path / "1.pid", tmp_path / "2.pid")
        begun = time.monotonic()
        parent.send_signal(signal.SIGTERM)

        assert parent.wait(PATIENCE_S) == 0
        assert time.monotonic() - begun >= 0.9


def test_children_notice_that_their_parent_is_gone(tmp_path: Path) -> None:
    with family(tmp_path) as parent:
        wait_for("two", tmp_path / "1.pid", tmp_path / "2.pid")
        parent.kill()
        wait_for("orphans", tmp_path / "1.orphan", tmp_path / "2.orphan")


def test_children_that_cannot_live_are_tried_ever_more_slowly(tmp_path: Path) -> None:
    begun = time.monotonic()
    with family(tmp_path, "failing") as parent:
        wait_for("a few", tmp_path / "6.pid")

        assert parent.poll() is None
        assert time.monotonic() - begun >= 0.1 + 0.1 + 0.2 + 0.2
        parent.send_signal(signal.SIGTERM)
        assert parent.wait(PATIENCE_S) == 0
