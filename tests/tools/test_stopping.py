"""A tool that is told to stop clears away what it has started."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
TOOL: Final = """
import subprocess, time
from tools.stopping import heed_signals

heed_signals()
with subprocess.Popen(["sleep", "60"]) as beside:
    try:
        print(beside.pid, flush=True)
        time.sleep(60)
    finally:
        print("clearing away", flush=True)
        time.sleep(0.2)
        beside.kill()
        print(beside.wait(), flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_and_told_again_it_clears_away_and_says_by_what_it_ended(
    number: signal.Signals,
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", TOOL], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as tool:
        assert tool.stdout is not None
        assert tool.stdout.readline()
        tool.send_signal(number)
        assert tool.stdout.readline() == "clearing away\n"
        tool.send_signal(number)
        assert tool.stdout.read() == f"{-signal.SIGKILL}\n"
        assert tool.wait() == 128 + number
