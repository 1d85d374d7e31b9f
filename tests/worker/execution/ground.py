"""Ground for tests of what hands do: a repository, a site, a tree, a scripted agent, an order.

Nothing stands in for git, processes or files; what would be told to the server is written down.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.wire.envelope import Envelope
from interlock.worker.agents.agent import Agent
from interlock.worker.agents.script import Script, Turn
from interlock.worker.agents.scripted import Scripted
from interlock.worker.execution.hands import TASKS
from interlock.worker.execution.job import Job
from interlock.worker.execution.order import order_of
from interlock.worker.execution.report import Report
from interlock.worker.forges.chosen import forge_of
from interlock.worker.journal import Journal
from interlock.worker.tools import Retries
from interlock.worker.work import Work
from interlock.worker.workspace.origin import Origin
from interlock.worker.workspace.room import Site
from interlock.worker.workspace.tree import Tree
from tests.worker.workspace.repositories import plain, repository

TICKET: Final = "ticket-1"
ANSWERS: Final[dict[str, object]] = {
    "type": "object",
    "required": ["bead_id", "status", "checks"],
    "properties": {
        "bead_id": {"type": "string"}, "status": {"enum": ["done", "error"]},
        "checks": {"type": "object"}, "reason": {"type": "string"},
    },
}  # fmt: skip
PASSED: Final = {"tests": "pass", "lint": "pass", "typecheck": "pass", "qualitative": "pass"}
DONE: Final = {"bead_id": "pears", "status": "done", "checks": PASSED}


@dataclass
class Ground:
    """A bare repository whose main has shop.py, and a site with the tree of one ticket."""

    folder: Path
    turns: dict[str, Turn] = field(default_factory=dict)
    told: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    refuses: str = ""

    @property
    def bare(self) -> Path:
        """The repository."""
        return self.folder / "bare.git"

    @property
    def tree(self) -> Tree:
        """The tree of the ticket."""
        return asyncio.run(self.site()).tree(TICKET)

    async def site(self) -> Site:
        """The site of the worker."""
        return await Site.open(self.folder / "worker", SystemClock())

    def says(self, **turns: Turn) -> None:
        """Write down what the agent does and says, by task: ``code_2`` is code:pears#2."""
        for key, turn in turns.items():
            task, _, number = key.partition("_")
            name = f"{task}:pears" if task == "code" else task
            self.turns[f"{name}#{number}" if number else name] = turn

    def crew(self) -> dict[str, Agent]:
        """Return the agents of the worker."""
        script = Script("s.yaml", {"ada": {key: (turn,) for key, turn in self.turns.items()}})
        return {"scripted": Scripted(script)}

    def work(self, task: str, **more: object) -> Work:
        """Return a piece of work as a server would hand it out."""
        head = self.head() if (self.folder / "worker").exists() else ""
        told: dict[str, Any] = {
            "role": "implementer", "task": task, "domain": "", "deadline_s": 20, "number": 1,
            "member": {"name": "ada", "agent": "scripted", "model": ""},
            "project": {"repository": str(self.bare), "base_branch": "main",
                        "forge": {"kind": "local"}},
            "ticket_id": TICKET, "title": "Sell pears",
            "tree": {"branch": f"interlock/{TICKET}", "base_commit": head, "head": head,
                     "candidate": ""},
            "prompt": {"name": task, "version": "1", "text": "Do it."}, "schema": {},
        }  # fmt: skip
        if task == "code":
            told["bead"] = {
                "id": "pears", "title": "Sell pears", "test_commands": ["sh test.sh"],
                "target_files": ["pears.py"],
            }  # fmt: skip
            told["schema"] = ANSWERS
        kind = "bead" if task == "code" else "assignment"
        part = {"part_id": f"{TICKET}.7", "kind": kind, "task": told | more}
        return Work(TICKET, f"{TICKET}.7", kind, "1.1", 10, part)

    def head(self) -> str:
        """Return where the tree stands."""
        return asyncio.run(self.tree.head())

    async def once(self, command: str, arguments: Mapping[str, Any]) -> Envelope:
        """Be the server: write down what is told."""
        self.told.append((command, arguments))
        if command == self.refuses:
            raise InterlockError("no")
        return Envelope(status="ok", next_action="", legal_moves=(), data={}, warnings=())

    def do(self, task: str, **more: object) -> Report:
        """Do a task once, without a server; return its report."""

        async def done() -> Report:
            site = await self.site()
            order = order_of(work)
            clock = SystemClock()
            async with Journal(self.once, work, clock) as journal:
                job = Job(
                    order=order, site=site.id, tree=site.tree(TICKET),
                    forge=forge_of(order.forge, order.repository), agents=self.crew(),
                    journal=journal, clock=clock, retries=Retries(0.01, 0.01), mirror=_nothing,
                )  # fmt: skip
                return await TASKS[task](job)

        work = self.work(task, **more)
        return asyncio.run(done())

    def lines(self) -> str:
        """Return all that was told about the work."""
        rows = [one for name, told in self.told if name == "append_log" for one in told["lines"]]
        return "\n".join(one["text"] for one in rows)


async def _nothing() -> None:
    """Mirror nothing."""


def ground_in(folder: Path) -> Ground:
    """Make the ground, with a tree."""
    source = repository(folder / "source", **{"test.sh": "grep -q pears pears.py\n"})
    plain(folder, "clone", "--quiet", "--bare", str(source), str(folder / "bare.git"))
    ground = Ground(folder)
    asyncio.run(ground.tree.make(Origin(str(ground.bare), "main")))
    return ground
