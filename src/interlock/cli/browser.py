"""The person's own browser: whether a page may be opened in it unasked, and opening one.

Opening is a courtesy: the address is printed as well, so nothing here ever fails or waits long.
"""

import os
import sys
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread
from typing import Final

SSH: Final = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY")
OWN_DISPLAY: Final = ("darwin", "win32")
"""Systems whose display needs no variable to be found."""


def is_wanted(*, is_quiet: bool, choice: bool | None = None) -> bool:
    """Say whether to open a page: as the person chose, else where one sits before a screen."""
    if choice is not None:
        return choice
    return not is_quiet and sys.stdout.isatty() and has_screen(os.environ, sys.platform)


def has_screen(environment: Mapping[str, str], platform: str) -> bool:
    """Say whether a browser would come up before the eyes of who is at the terminal."""
    is_shown = any(environment.get(name) for name in DISPLAYS)
    if environment.get("CI", "").lower() not in ("", "0", "false"):
        return False
    if any(environment.get(name) for name in SSH):
        return is_shown
    # Elsewhere without a display a browser in the terminal would be found, on top of what we say.
    return is_shown or platform in OWN_DISPLAY or bool(environment.get("BROWSER"))


def open_page(url: str, wait_s: float = 0) -> None:
    """Open a page, beside what else is done: some browsers return only when they are closed.

    Whoever is about to end gives it ``wait_s`` to begin.
    """
    thread = Thread(target=_open, args=(url,), daemon=True)
    thread.start()
    if wait_s:
        thread.join(wait_s)


def _open(url: str) -> None:
    with suppress(webbrowser.Error, OSError, ValueError):
        webbrowser.open(url)
