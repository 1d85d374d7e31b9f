"""One piece of work under way: what is asked, the tree it is done in, and whom to ask and tell."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interlock.clock import Clock
from interlock.worker.agents.agent import Agent
from interlock.worker.execution.commands import Place
from interlock.worker.execution.order import Order
from interlock.worker.forges.forge import Forge
from interlock.worker.journal import OURS, Journal
from interlock.worker.tools import Retries
from interlock.worker.usage import Usage
from interlock.worker.workspace.tree import Tree


class CannotWork(Exception):
    """The work cannot be done here at all; the message may be shown to anybody."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a task has to work with."""

    order: Order
    site: str
    tree: Tree
    forge: Forge
    agents: Mapping[str, Agent]
    journal: Journal
    clock: Clock
    retries: Retries
    # Puts the ticket's documents into the tree, as they are now.
    mirror: Callable[[], Awaitable[None]]
    begun_s: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    usage: Usage = field(default_factory=Usage)

    @property
    def until_s(self) -> float:
        """When the time of this attempt is over, by the clock of the loop."""
        return self.begun_s + self.order.deadline_s

    @property
    def vault(self) -> Path:
        """The repository of the ticket that no agent can write to."""
        return self.tree.place.vault

    @property
    def place(self) -> Place:
        """Where commands run."""
        return Place(self.tree.folder, self.tree.home)

    def note(self, text: str) -> None:
        """Tell what happens."""
        self.journal.note(OURS, text)

    def spent(self) -> dict[str, object]:
        """Return what this attempt has cost."""
        return self.usage.told(asyncio.get_running_loop().time() - self.begun_s)
