"""``interlock mcp``: what is refused before it speaks. What it speaks is in tests/doors/mcp."""

import signal
from pathlib import Path

import pytest

from tests.cli.home import Home
from tests.doors.mcp.clients import command, environment
from tests.forking import PIPE, Process


def test_a_toolset_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    said = Home(tmp_path).ask("mcp", "--toolset", "nope")

    assert (said.code, said.out) == (2, "")
    assert "There is no toolset 'nope'." in said.err
    assert "research, mission, ticket, work, all" in said.err


def test_a_token_that_is_no_good_is_refused_on_standard_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLOCK_TOKEN", "il_" + "0" * 40)

    refused = Process(command(tmp_path, "mcp"), stdin=PIPE, stdout=PIPE, stderr=PIPE)
    out, err = refused.communicate(60)

    assert (refused.returncode, out) == (2, "")
    assert err.startswith("UNAUTHENTICATED ")


def test_being_told_to_stop_ends_it(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with Process(command(tmp_path, "mcp"), environment(), stdin=PIPE, stdout=PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("rubbish\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith('{"jsonrpc":"2.0"')
            process.send_signal(number)
            assert process.wait(60) == -number
