"""A run that falls silent tells what it was at, and ends."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.silence import ENDED

ROOT = Path(__file__).parents[1]
HANGS = """
from threading import Event

def test_that_ends():
    pass

def test_that_waits_for_ever():
    Event().wait()
"""


@pytest.mark.parametrize("more", [(), ("-n", "1")], ids=["alone", "dealt"])
def test_a_run_that_falls_silent_is_ended_and_tells_where(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    file = tmp_path / "test_hangs.py"
    file.write_text(HANGS, encoding="utf-8")
    line = [sys.executable, "-m", "pytest", "-p", "tests.silence", "-p", "no:randomly"]
    line += ["-c", str(tmp_path / "pytest.ini"), "--silence", "1", *more, str(file)]

    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)

    assert done.returncode == ENDED, done
    assert "Nothing was heard of any test for 1 s" in done.stderr
    under_way = done.stderr.partition("Under way:")[2].splitlines()[1]
    assert under_way.endswith("test_that_waits_for_ever")
    # The stack of whoever waits.
    assert 'test_hangs.py", line 8 in test_that_waits_for_ever' in done.stderr
