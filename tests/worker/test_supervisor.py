"""The supervisor of a program, spoken to as ``process`` speaks to it; the rest is tested there."""

import socket
import subprocess
import sys

import pytest

from interlock.family import kin_of
from interlock.worker.process import BOOT, ROOT
from tests.toolbox.processes import wait_until


def started(*argv: str) -> tuple["subprocess.Popen[bytes]", socket.socket]:
    ours, theirs = socket.socketpair()
    with theirs:
        line = [sys.executable, "-I", "-S", "-c", BOOT, ROOT, str(theirs.fileno()), *argv]
        process = subprocess.Popen(line, pass_fds=(theirs.fileno(),), start_new_session=True)
    ours.settimeout(20)
    return process, ours


@pytest.mark.parametrize(
    ("argv", "word"),
    [(("true",), b"0\n\n\n"), (("sh", "-c", "exit 9"), b"9\n\n\n"), (("sh", "-c", "kill -9 $$"), b"-9\n\n\n")],
)  # fmt: skip
def test_its_last_word_is_how_the_program_has_ended(argv: tuple[str, ...], word: bytes) -> None:
    process, way = started(*argv)
    with process, way:
        assert way.recv(100) == word
        assert way.recv(100) == b""


@pytest.mark.parametrize("how", ["a byte", "an end", "a signal"])
def test_it_ends_the_program_when_it_is_told(how: str) -> None:
    process, way = started("sleep", "600")
    with process, way:
        if how == "a byte":
            way.send(b"!")
        elif how == "an end":
            way.shutdown(socket.SHUT_WR)
        else:
            wait_until(lambda: bool(kin_of(process.pid)))
            process.terminate()
        assert way.recv(100) in {b"-15\n\n\n", b"-9\n\n\n"}
        assert process.wait(20) == 0


def test_it_loads_little() -> None:
    code = "import sys; sys.path.append(sys.argv[1]); import interlock.worker.supervisor as s"
    line = [sys.executable, "-I", "-S", "-c", f"{code}; print(*sys.modules)", ROOT]
    loaded = subprocess.run(line, check=True, capture_output=True, text=True).stdout.split()

    assert not {"asyncio", "subprocess", "pathlib", "json", "logging", "typer"} & set(loaded)
