"""Puts ``recorder.c`` between a process and its files."""

import ctypes
import os
from pathlib import Path
from typing import Final

from tests.native import built

SOURCE: Final = Path(__file__).with_name("recorder.c")
MEMORY: Final = Path("/dev/shm")  # noqa: S108 (only looked at; folders in it have names of their own)


def watched(root: Path, *, log: Path | None = None, switch: Path | None = None) -> dict[str, str]:
    """Return what a process must find around it, so that its files below a folder are watched."""
    told = {"LD_PRELOAD": str(built(SOURCE)), "POWER_ROOT": str(root.resolve())}
    if log is not None:
        told["POWER_LOG"] = str(log)
    if switch is not None:
        told["POWER_SWITCH"] = str(switch)
    return told


def order(
    switch: Path, what: str, ending: str, error: int, *, skip: int = 0, times: int = 1
) -> None:
    """Order a fault of files with an ending; the process takes it with its next write or sync."""
    new = switch.with_suffix(".new")
    new.write_text(f"{what} {ending} {error} {skip} {times}")
    new.replace(switch)


def hits() -> int:
    """Return how many faults were put into this process, which must be watched."""
    return int(ctypes.CDLL(None).power_hits())


def fast_folder() -> Path | None:
    """Return where files are in memory, if there is such a place: syncing costs nothing there."""
    return MEMORY if os.access(MEMORY, os.W_OK) else None
