"""A stand-in is as good as the command: what it says, how it ends, and that it can be killed."""

import os
import subprocess
from pathlib import Path

import pytest

import interlock
from tests.forking import Nursery
from tests.porter import stand_in
from tools.postgres.processes import is_alive, until

PIPE = subprocess.PIPE


@pytest.mark.parametrize("is_slow", [False, True])
def test_it_says_and_ends_as_the_command_does(
    monkeypatch: pytest.MonkeyPatch, *, is_slow: bool
) -> None:
    monkeypatch.setattr(Nursery, "is_slow", is_slow)

    done = subprocess.run(stand_in(["--version"]), capture_output=True, text=True, check=False)
    wrong = subprocess.run(stand_in(["nope"]), capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, f"interlock {interlock.__version__}\n")
    assert wrong.returncode == 2
    assert "No such command 'nope'" in wrong.stderr


def test_its_surroundings_and_what_it_is_told_reach_the_command(tmp_path: Path) -> None:
    around = {**os.environ, "INTERLOCK_DATA": str(tmp_path / "here")}
    line = '{"jsonrpc": "2.0", "id": 7, "method": "nope"}\n'
    done = subprocess.run(
        stand_in(["mcp"]), env=around, input=line, capture_output=True, text=True, check=False
    )

    assert '"id":7' in done.stdout
    assert (tmp_path / "here").is_dir()
    assert done.returncode == 0


def test_who_kills_it_kills_the_command(tmp_path: Path) -> None:
    line = stand_in(["--data", str(tmp_path), "serve", "--port", "0"])
    with subprocess.Popen(line, stderr=PIPE, text=True) as one:
        assert one.stderr is not None
        assert "serves at" in one.stderr.readline()
        served = _process_of(str(tmp_path))
        one.kill()

    until(lambda: not is_alive(served), "the command lives on")


def _process_of(folder: str) -> int:
    """Return the process that has a file of a folder open."""
    for place in Path("/proc").glob("[0-9]*/fd"):
        try:
            if any(str(one.readlink()).startswith(folder) for one in place.iterdir()):
                return int(place.parent.name)
        except OSError:
            continue  # it has ended, or is none of ours
    raise AssertionError(folder)
