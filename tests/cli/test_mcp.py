"""``interlock mcp``: what is refused before it speaks. What it speaks is in tests/doors/mcp."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.home import Home
from tests.doors.mcp.clients import command, environment


def test_a_toolset_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    said = Home(tmp_path).ask("mcp", "--toolset", "nope")

    assert (said.code, said.out) == (2, "")
    assert "There is no toolset 'nope'." in said.err
    assert "research, mission, ticket, work, all" in said.err


def test_a_token_that_is_no_good_is_refused_on_standard_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLOCK_TOKEN", "il_" + "0" * 40)

    done = subprocess.run(
        command(tmp_path, "mcp"), input="", capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("UNAUTHENTICATED ")


def test_being_told_to_stop_ends_it(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with subprocess.Popen(
            command(tmp_path, "mcp"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=environment(),
        ) as process:  # fmt: skip
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(b"rubbish\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(b'{"jsonrpc":"2.0"')
            process.send_signal(number)
            assert process.wait(20) == -number
