"""A database in a temporary folder for the demo's plays, and a loop to run them in."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interlock.app import LOCAL
from interlock.cli.demo.stage import Run, Stage
from interlock.clock import SystemClock
from interlock.service.create import NewBranch, NewPart, NewUnit
from interlock.service.engine import Engine
from interlock.store.sqlite.store import SqliteStore
from tests.ready import ready_file, ready_flows

Plays = Callable[[Engine, Run[object], str], Stage]
Began = Callable[..., Stage]


class Theatre:
    """An engine on a file of its own."""

    def __init__(self, path: Path) -> None:
        """Open the file."""
        clock = SystemClock()
        self.runner = asyncio.Runner()
        self.store = SqliteStore(ready_file(path), clock, "off")
        self.engine = Engine(self.store, clock, ready_flows())
        self.runner.run(self.store.add_tenant(LOCAL, "tests", clock.now()))

    def play(self, play: Plays, name: str = "first") -> Stage:
        """Play a play under a name."""
        return play(self.engine, self.runner.run, name)

    def begun(self, *branches: NewBranch, is_brief: bool = False) -> Stage:
        """Begin a plan of two steps, called a and b."""
        parts = (NewPart("step", {"title": "a"}), NewPart("step", {"title": "b"}))
        new = NewUnit("plan", {}, parts, branches)
        return Stage(self.engine, self.runner.run, "first", new, ("a", "b"), is_brief=is_brief)

    def close(self) -> None:
        """Close the file."""
        self.runner.run(self.store.close())
        self.runner.close()


@pytest.fixture
def theatre(tmp_path: Path) -> Iterator[Theatre]:
    opened = Theatre(tmp_path / "interlock.db")
    yield opened
    opened.close()
