"""A peer as a process: heard when it is ready, held still between runs, and its end is told."""

import sys
from pathlib import Path

import pytest

from tools.bench.peers.handle import PeerFailed, command, started
from tools.bench.peers.roster import PEERS
from tools.postgres.processes import is_held, until

IDLE = [sys.executable, "-m", "tests.tools.bench.peers.idle_peer"]


def test_it_plays_as_often_as_it_is_asked_and_is_held_still_meanwhile(tmp_path: Path) -> None:
    with started([*IDLE, "quick", "somewhere"], tmp_path) as handle:
        pid = handle._process.pid
        assert handle.version
        until(lambda: is_held(pid), "it goes on before it is asked")
        assert handle.go(1, 5, 60).steps == 5
        until(lambda: is_held(pid), "it goes on after it was asked")
        played = handle.go(3, 4, 60)

    assert (played.steps, played.rate > 0) == (12, True)
    assert handle._process.returncode is not None
    assert "a library that prints somewhere" in (tmp_path / "peer.log").read_text()


def test_who_is_stopped_for_the_time_says_how_far_it_came(tmp_path: Path) -> None:
    with started([*IDLE, "slow", "-"], tmp_path) as handle:
        assert 0 < handle.go(1, 1_000_000, 0.05).steps < 1_000_000


@pytest.mark.parametrize(
    ("mode", "told"), [("lost", "lost its way"), ("short", "0 of 5 steps, and no reason")]
)
def test_what_went_wrong_is_told(tmp_path: Path, mode: str, told: str) -> None:
    with (
        started([*IDLE, mode, "-"], tmp_path) as handle,
        pytest.raises(PeerFailed, match=told),
    ):
        handle.go(1, 5, 60)


def test_a_peer_runs_in_its_own_environment() -> None:
    program, _, module, mode, url = command(PEERS[0], "pull", "sqlite:x")

    assert program.endswith("build/peers/langgraph/.venv/bin/python")
    assert (module, mode, url) == ("tools.bench.peers.langgraph_peer", "pull", "sqlite:x")
