"""Processes below a process are found and ended, wherever they have gone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.family import END_S, can_adopt, end_family, end_kin, end_marked, kin_of, marked
from tests.toolbox.processes import are_gone, is_alive, told

pytestmark = pytest.mark.skipif(not can_adopt(), reason="only Linux shows the tree of processes")

PARENT = """
import os, sys, time
from interlock.family import adopt
assert adopt()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            open(sys.argv[1], "w").write(f"{os.getppid()} {os.getpid()}\\n")
        time.sleep(600)
    os._exit(0)
time.sleep(600)
"""


@pytest.fixture
def parent(tmp_path: Path) -> "subprocess.Popen[bytes]":
    """A process that has adopted, with two daemons below it; the first words are theirs."""
    file = str(tmp_path / "pids")
    return subprocess.Popen(
        [sys.executable, "-c", PARENT, file], start_new_session=True, env={**os.environ, "M": file}
    )


def test_a_daemon_stays_below_who_has_adopted_and_ends_with_the_rest(
    parent: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    daemon = told(tmp_path / "pids")[1]
    kin = kin_of(parent.pid)

    assert daemon in kin
    assert len(kin) == 2
    assert os.getpgid(daemon) != os.getpgid(parent.pid)
    assert end_kin(parent.pid)
    assert not any(map(is_alive, kin))
    assert is_alive(parent.pid)
    end_family(parent.pid)
    assert parent.wait(END_S) == -signal.SIGKILL


def test_whoever_has_a_mark_is_found_by_it(
    parent: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    told(tmp_path / "pids")
    mark = f"M={tmp_path / 'pids'}"
    found = marked(mark)

    assert len(found) == 3
    assert marked(f"{mark}x") == []
    assert end_marked(mark)
    assert are_gone(found)
    parent.wait(END_S)


def test_of_who_is_not_there_nothing_is_ended() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()

    assert end_kin(ended.pid)
    end_family(ended.pid)
