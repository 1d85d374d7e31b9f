"""The list of planted bugs: read from ``bugs.toml``, where each names the campaign that finds it."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LIST: Final = Path(__file__).with_name("bugs.toml")


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug: its name, who must find it, what it is, what is found, and how much that takes."""

    name: str
    campaign: str
    what: str
    # Stands in at least one finding: a leg that fails of something else has not caught the bug.
    finding: str
    amount: int
    seed: int = 1


def bugs() -> tuple[Bug, ...]:
    """Return all of them, in the order of the list."""
    return tuple(Bug(**one) for one in tomllib.loads(LIST.read_text(encoding="utf-8"))["bug"])


def bug_of(name: str) -> Bug | None:
    """Return the one of a name, if it names one."""
    return next((bug for bug in bugs() if bug.name == name), None)


def caught(bug: Bug, findings: list[str]) -> bool:
    """Say whether these findings are about the bug."""
    return any(bug.finding in finding for finding in findings)
