"""The table of processes: who is alive, who is held, and an end to waiting."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator

import pytest

from tools.postgres import processes
from tools.postgres.account import NoServer
from tools.postgres.processes import is_alive, is_held, until

Child = subprocess.Popen[bytes]


@pytest.fixture
def child() -> Iterator[Child]:
    """A process of ours that does nothing until its input ends."""
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as waiting:
        yield waiting
        waiting.kill()


def test_our_child_is_in_the_table_under_our_name(child: Child) -> None:
    assert [one.parent for one in processes.processes() if one.pid == child.pid] == [os.getpid()]


@pytest.mark.skipif(shutil.which("ps") is None, reason="this machine has no ps")
def test_ps_says_the_same(child: Child) -> None:
    assert [one.parent for one in processes._from_ps() if one.pid == child.pid] == [os.getpid()]


def test_a_process_that_only_waits_to_be_buried_is_not_alive(child: Child) -> None:
    assert is_alive(child.pid)

    child.kill()

    until(lambda: not is_alive(child.pid), "it lives on")
    assert child.returncode is None


def test_a_process_that_was_stopped_is_held(child: Child) -> None:
    assert not is_held(child.pid)

    child.send_signal(signal.SIGSTOP)

    until(lambda: is_held(child.pid), "it goes on")
    assert is_alive(child.pid)


def test_waiting_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "PATIENCE_S", 0)

    with pytest.raises(NoServer, match="never comes"):
        until(lambda: False, "never comes")
