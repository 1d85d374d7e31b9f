"""An agent that is a command line: started for each task, contained, and read while it speaks.

What every such agent has in common is here; how each is started and what it says is its dialect.
A session has a folder of its own for the program's settings, made anew and removed afterwards:
what one session leaves there, hooks and servers of tools included, no other one finds. Which
settings lie in the repository is not believed; each dialect says so to its program, and the
workspace takes such files out of the tree.
"""

import json
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import ClassVar, Final

from interlock.worker.agents.agent import (
    FAILED,
    INVALID_OUTPUT,
    NONE,
    TIMED_OUT,
    Agent,
    AgentFailed,
    Said,
    Spent,
    Task,
)
from interlock.worker.agents.heard import Event, Heard, failure_of
from interlock.worker.agents.reading import Unreadable, read_answer
from interlock.worker.process import Ended, run, scrubbed
from interlock.worker.supervisor import NOT_ALLOWED, NOT_STARTED

OUTPUT_MAX: Final = 200_000
"""How much is kept of what a program says; its events are read as they come."""

SECRET_MIN: Final = 8
"""Shorter values are no secrets, and would be found everywhere."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of a program in the settings, its keys included."""

    name: str
    # How it is started; none: by the name it has.
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    model: str = ""
    url: str = ""
    key: str = field(default="", repr=False)
    # What else it may know of our environment.
    passed: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Session:
    """One task for a program, and the folder for its settings."""

    told: Told
    prompt: str
    model: str
    reach: str
    room: Path
    folder: Path

    def write(self, name: str, text: str) -> Path:
        """Write a file of settings."""
        path = self.room / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


@dataclass(frozen=True, slots=True)
class Start:
    """How a program is started: its words after its name, what it knows, and what it reads."""

    words: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: str = ""


class Dialect(ABC):
    """How one program is spoken to, and what it says."""

    program: ClassVar[str]
    # What must not lie in the tree, where no word keeps the program from believing it.
    believed: ClassVar[tuple[str, ...]] = ()
    # What an earlier session may have left in the home for it: taken away before it is started.
    left: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def start(self, session: Session) -> Start:
        """Say how it is started for a session; writes its settings."""

    @abstractmethod
    def event(self, event: Event, heard: Heard) -> None:
        """Take one event that it told."""

    def line(self, line: str, heard: Heard) -> None:
        """Take one line that it said; one that is no event is passed over."""
        if not line.startswith("{"):
            return
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(event, dict):
            self.event(event, heard)

    def complaint(self, line: str, heard: Heard) -> None:  # noqa: B027 (most have nothing to do)
        """Take one line of its standard error; it is kept, and told only where it has failed."""

    def last_words(self, ended: Ended, heard: Heard) -> str:  # noqa: ARG002 (others need it)
        """Return the text that the answer is read from."""
        return heard.text


class Program(Agent):
    """Asks a program."""

    def __init__(self, dialect: Dialect, told: Told, home: Path) -> None:
        """Speak a dialect; live in ``home`` where a task names none."""
        self.dialect = dialect
        self.told = told
        self._home = home
        values = (told.key, *told.passed.values())
        self.secrets = tuple(value for value in values if len(value) >= SECRET_MIN)

    @property
    def line(self) -> tuple[str, ...]:
        """How it is started."""
        return self.told.command or (self.dialect.program,)

    async def run(self, task: Task) -> Said:
        """Start the program on a task, and read its answer."""
        heard = Heard(task.hear)
        home = task.home or self._home
        with _room(home) as room:
            folder = task.folder or room / "nothing"
            folder.mkdir(exist_ok=True)
            self._refuse(folder)
            for name in self.dialect.left:
                _remove(home / name)
            reach = task.reach if task.folder else NONE
            model = task.model or self.told.model
            session = Session(self.told, task.prompt, model, reach, room, folder)
            start = self.dialect.start(session)
            ended = await run(
                (*self.line, *start.words, *self.told.args),
                folder=folder,
                env=scrubbed(home, {**self.told.passed, **start.env}),
                deadline_s=task.deadline_s,
                stdin=start.stdin.encode(),
                output_max=OUTPUT_MAX,
                on_text=lambda line: self.dialect.line(line, heard),
                on_error=lambda line: self.dialect.complaint(line, heard),
                split=True,
            )
        failed = self._judged(ended, heard, task)
        spent = Spent(heard.tokens_in, heard.tokens_out, heard.cost_micros)
        if failed is not None:
            raise AgentFailed(*failed, heard.text, spent)
        text = self.dialect.last_words(ended, heard)
        try:
            found = read_answer(text, task.schema)
        except Unreadable as exc:
            raise AgentFailed(INVALID_OUTPUT, str(exc), text, spent) from exc
        return Said(
            found.answer, text, heard.tokens_in, heard.tokens_out, found.warnings,
            heard.cost_micros,
        )  # fmt: skip

    def _refuse(self, folder: Path) -> None:
        """Raise where something lies in the tree that would take the program over."""
        for name in self.dialect.believed:
            if os.path.lexists(folder / name):
                message = f"{name} lies in the tree, and {self.line[0]} would believe it."
                raise AgentFailed(FAILED, message)

    def _judged(self, ended: Ended, heard: Heard, task: Task) -> tuple[str, str] | None:
        """Return the class of a failure and why, where a program has not done what it was asked."""
        name = self.line[0]
        if ended.timed_out:
            return TIMED_OUT, f"{name} did not end within {task.deadline_s:g} s."
        if ended.code in {NOT_STARTED, NOT_ALLOWED} and not heard.is_known:
            return FAILED, f"{name} cannot be started: {_last(ended.err)}."
        if heard.error:
            return failure_of(heard.error), f"{name}: {heard.error}"
        if ended.code != 0:
            why = ended.why or (f"signal {ended.signal}" if ended.signal else f"code {ended.code}")
            said = _last(ended.err) or _last(ended.out)
            return failure_of(said), f"{name} ended with {why}: {said}"
        return None


@contextmanager
def _room(home: Path) -> Iterator[Path]:
    """Make a folder for one session; only we may look into it."""
    above = home / "sessions"
    above.mkdir(parents=True, exist_ok=True)
    room = Path(mkdtemp(dir=above))
    try:
        yield room
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _last(said: str) -> str:
    """Return the end of what was said, in one line."""
    return " ".join(said.split())[-300:]
