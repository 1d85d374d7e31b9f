"""A process that is forked is like one that was started: surroundings, pipes, signals, its end."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import interlock
from tests.doors.mcp.clients import command, environment
from tests.forking import OURS, PIPE, Nursery, Process


def line_of(process: int) -> list[str]:
    """Return the command line of a process, as the system knows it."""
    return Path(f"/proc/{process}/cmdline").read_text().split("\0")


@pytest.mark.parametrize("is_slow", [False, True])
def test_it_says_and_ends_as_one_that_was_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_slow: bool
) -> None:
    monkeypatch.setattr(Nursery, "is_slow", is_slow)
    good = Process([*OURS, "--version"], stdout=PIPE, stderr=PIPE)
    around = environment() | {"INTERLOCK_DATABASE": "nowhere"}
    bad = Process(command(tmp_path, "list"), around, stdout=PIPE, stderr=PIPE)

    assert good.communicate(60) == (f"interlock {interlock.__version__}\n", "")
    out, err = bad.communicate(60)
    assert out == ""
    assert "INTERLOCK_DATABASE: is not the address" in err
    assert (good.returncode, bad.returncode) == (0, 2)


@pytest.mark.parametrize("is_slow", [False, True])
def test_only_with_time_the_program_is_loaded_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_slow: bool
) -> None:
    monkeypatch.setattr(Nursery, "is_slow", is_slow)
    with Process(command(tmp_path, "mcp"), environment(), stdin=PIPE, stdout=PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("rubbish\n")
        process.stdin.flush()
        process.stdout.readline()  # now it is what it is to be

        assert (line_of(process.pid)[:3] == OURS) is is_slow


def test_it_is_a_process_of_its_own_that_dies_of_a_signal(tmp_path: Path) -> None:
    with Process(command(tmp_path, "serve", "--port", "0"), environment(), stderr=PIPE) as process:
        assert process.stderr is not None
        assert "serves at" in process.stderr.readline()
        assert process.pid not in (os.getpid(), 0)
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
        process.kill()

        assert process.wait(60) == -signal.SIGKILL
        assert not Path(f"/proc/{process.pid}").exists()
        process.kill()  # there is nobody any more whom it could reach


@pytest.mark.parametrize("is_slow", [False, True])
def test_a_program_of_tests_is_run_with_its_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_slow: bool
) -> None:
    monkeypatch.setattr(Nursery, "is_slow", is_slow)
    program = tmp_path / "program.py"
    program.write_text("import sys\nif __name__ == '__main__':\n    sys.exit(' '.join(sys.argv))\n")
    process = Process([sys.executable, str(program), "one", "two"], stderr=PIPE)

    assert process.communicate(60) == ("", f"{program} one two\n")
    assert process.returncode == 1


def test_nobody_else_s_program_is_run() -> None:
    with pytest.raises(AssertionError):
        Process([sys.executable, "-c", "pass"])
