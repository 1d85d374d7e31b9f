"""Processes that a test has started through a tool: which they are, and whether they have ended."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep


def is_alive(pid: int) -> bool:
    """Say whether a process runs; one that has ended and was not fetched by anybody does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def are_gone(pids: list[int]) -> bool:
    """Wait until none of them runs."""
    return wait_until(lambda: not any(map(is_alive, pids)))


def told(file: Path) -> list[int]:
    """Wait until a file says which processes there are."""
    assert wait_until(lambda: file.exists() and file.read_text().endswith("\n"))
    return [int(one) for one in file.read_text().split()]


def wait_until(is_so: Callable[[], bool], limit_s: float = 60.0) -> bool:
    """Wait until something is so; say whether it is."""
    end = monotonic() + limit_s
    while not is_so():
        if monotonic() > end:
            return False
        sleep(0.01)
    return True
