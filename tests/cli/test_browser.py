"""The person's browser: opened only before a screen, and never in the way."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from interlock.cli.browser import has_screen, is_wanted, open_page

WAIT_S = 30.0


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that does nothing but note what it is to open."""

    command: str
    notes: int

    def opened(self) -> str:
        """Wait until it was opened; return the address."""
        assert select.select([self.notes], [], [], WAIT_S)[0], "no browser was opened"
        return os.read(self.notes, 4096).decode()

    def is_untouched(self) -> bool:
        """Say whether it was not opened up to now."""
        return not select.select([self.notes], [], [], 0)[0]


@contextmanager
def browser(folder: Path, then: str = "") -> Iterator[Browser]:
    """Make a browser, which may do something else after it was opened."""
    pipe, script = folder / "opened", folder / "browser"
    os.mkfifo(pipe)
    script.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {pipe}\n{then}\n')
    script.chmod(0o700)
    # Open for both, so that it is never at its end.
    notes = os.open(pipe, os.O_RDWR)
    try:
        yield Browser(str(script), notes)
    finally:
        os.close(notes)


@pytest.mark.parametrize(("environment", "platform", "is_there"), [
    ({}, "linux", False),
    ({"DISPLAY": ":0"}, "linux", True),
    ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
    ({"BROWSER": "firefox"}, "linux", True),
    ({}, "darwin", True),
    ({}, "win32", True),
    ({"CI": "true", "DISPLAY": ":0"}, "linux", False),
    ({"CI": "1"}, "darwin", False),
    ({"CI": "false", "DISPLAY": ":0"}, "linux", True),
    ({"SSH_CONNECTION": "a"}, "darwin", False),
    ({"SSH_TTY": "/dev/pts/1", "BROWSER": "w3m"}, "linux", False),
    ({"SSH_CLIENT": "a", "DISPLAY": "localhost:10"}, "linux", True),
])  # fmt: skip
def test_a_screen_is_there_or_not(
    environment: dict[str, str], platform: str, *, is_there: bool
) -> None:
    assert has_screen(environment, platform) is is_there


def test_what_a_person_chose_counts_and_else_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    assert is_wanted(is_quiet=False)
    assert not is_wanted(is_quiet=True)
    assert is_wanted(is_quiet=True, choice=True)
    assert not is_wanted(is_quiet=False, choice=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert not is_wanted(is_quiet=False)


PROGRAM = "from interlock.cli.browser import open_page; open_page('http://x', 0.5)"


def test_a_browser_that_stays_or_is_none_holds_nobody_up(tmp_path: Path) -> None:
    said = tmp_path / "said"
    # A browser that stays keeps what it inherits open, so what is said goes to a file.
    with browser(tmp_path, "exec sleep 5") as one:
        for name in (one.command, str(tmp_path / "none"), "not '%s closed"):
            around = {**os.environ, "BROWSER": name}
            line = [sys.executable, "-c", PROGRAM]
            with said.open("wb") as file:
                done = subprocess.run(line, env=around, timeout=20, check=False, stderr=file)
            assert (done.returncode, said.read_bytes()) == (0, b""), name
        assert one.opened() == "http://x"


def test_nobody_waits_who_need_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER", str(tmp_path / "none"))
    begun = time.monotonic()
    open_page("http://x")

    assert time.monotonic() - begun < 10
