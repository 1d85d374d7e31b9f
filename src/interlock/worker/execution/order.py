"""What is asked of the hands: a piece of work of a ticket as the server told it, read once.

Nothing in it is believed further than its type: names of trees and refs are checked where they are
used, commands run contained, and what a model is asked stands in the prompt.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from interlock.worker.forges.forge import Request
from interlock.worker.told import Told, section, words
from interlock.worker.work import Work


@dataclass(frozen=True, slots=True)
class Order:
    """A piece of work in the tree of a ticket."""

    work: Work
    task: str
    ticket: str
    title: str
    deadline_s: float
    # Which attempt this is, from 1.
    number: int
    repository: str
    base_branch: str
    forge: str
    branch: str
    base_commit: str
    head: str
    candidate: str
    # All of it, for what only one task has.
    told: Told

    @property
    def bead(self) -> str:
        """The id of the bead, where it is one."""
        return str(section(self.told, "bead").get("id", ""))

    @property
    def message(self) -> str:
        """What the commit of the bead says."""
        return f"bead({self.bead}): {section(self.told, 'bead').get('title', '')}"

    @property
    def tests(self) -> tuple[str, ...]:
        """The test commands of the bead."""
        return words(section(self.told, "bead"), "test_commands")

    @property
    def finalise(self) -> str:
        """The tree of a green attempt that is only to be committed; empty where it is coded."""
        return str(section(self.told, "finalise").get("tree", ""))

    @property
    def request(self) -> Request:
        """The request to merge, as it was last told."""
        told = section(self.told, "pull_request")
        return Request(
            int(told.get("number") or 0), str(told.get("url", "")), str(told.get("state", "")),
            str(told.get("head") or self.candidate), str(told.get("base") or self.base_branch),
            self.branch,
        )  # fmt: skip


def order_of(work: Work) -> Order:
    """Read what is asked; raises ``TypeError`` where the server does not say enough."""
    told = work.told.get("task")
    if not isinstance(told, Mapping) or not told.get("task"):
        raise TypeError("the server does not say what is to be done")
    project, tree = section(told, "project"), section(told, "tree")
    return Order(
        work=work, task=str(told["task"]), ticket=str(told.get("ticket_id") or work.unit),
        title=str(told.get("title", "")), deadline_s=float(told.get("deadline_s") or 0),
        number=int(told.get("number") or 1), repository=str(project.get("repository", "")),
        base_branch=str(project.get("base_branch", "")),
        forge=str(section(project, "forge").get("kind") or "local"),
        branch=str(tree.get("branch", "")), base_commit=str(tree.get("base_commit", "")),
        head=str(tree.get("head", "")), candidate=str(tree.get("candidate") or ""), told=told,
    )  # fmt: skip
