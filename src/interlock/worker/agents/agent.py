"""What an agent is to a worker: a task goes in, an answer comes out, or a failure with its class.

An agent knows no server and no lease. It is cancelled when the time is over or the work was lost,
and has to end what it started.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from interlock.ticketing.tasks import DOMAINS

TRANSIENT: Final = "transient"
"""The same may succeed in a moment: nobody answers, or there is too much to do."""

INVALID_OUTPUT: Final = "invalid_output"
"""Something was said, but no answer can be read from it."""

FAILED: Final = "failed"
"""It will not succeed by being tried again."""

TIMED_OUT: Final = "timed_out"

NONE: Final = "none"
READ: Final = "read"
WRITE: Final = "write"
"""What an agent may do in the working tree."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of an agent."""

    role: str
    task: str
    # The group of the phase; what the council works on, if it is the council's turn.
    domain: str
    member: str
    # Which model is to be asked; none: the one that the agent has by itself.
    model: str
    # All that is said to the model, the schema of the answer included.
    prompt: str = field(repr=False)
    schema: Mapping[str, object] = field(repr=False)
    deadline_s: float
    seed: str = ""
    unit: str = ""
    part: str = ""
    # The how-manieth time the member has this task, from 1; 0 where the server does not say.
    number: int = 0
    # How many answers to this very piece of work were refused before.
    rejected: int = 0
    # The working tree, and the home of what runs in it; none where nothing is to be seen.
    folder: Path | None = None
    home: Path | None = None
    # What it is about, where one task is handed out for several things: the id of a bead.
    about: str = ""
    # What it may do in the working tree: none, read, write.
    reach: str = NONE
    # Hears what the agent says and does while it is at it, a line at a time.
    hear: Callable[[str], None] = field(default=lambda _: None, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The task, with its domain where several have one of that name."""
        return f"{self.domain}/{self.task}" if self.domain in DOMAINS else self.task


class Said(NamedTuple):
    """What an agent has answered, the text it was read from, and what that has cost."""

    answer: dict[str, object]
    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    # What was done to the text so that it could be read.
    warnings: tuple[str, ...] = ()
    # In millionths of a dollar, where the agent knows.
    cost_micros: int = 0


class Spent(NamedTuple):
    """What was spent without an answer."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_micros: int = 0


class AgentFailed(Exception):
    """An agent has no answer; ``text`` is what it said instead, if it said anything."""

    def __init__(
        self, failure: str, message: str, text: str = "", spent: Spent | None = None
    ) -> None:
        """Keep the class of the failure and why, in words that hold no secret."""
        super().__init__(message)
        self.failure = failure
        self.message = message
        self.text = text
        self.spent = spent or Spent()


class Agent(ABC):
    """Somebody who can be asked."""

    secrets: tuple[str, ...] = ()
    """What must stand in no log, whoever says it."""

    @abstractmethod
    async def run(self, task: Task) -> Said:
        """Return an answer; raises ``AgentFailed``."""

    def limit_s(self, task: Task) -> float:
        """Return how long an answer is waited for."""
        return task.deadline_s
