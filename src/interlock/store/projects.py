"""Projects as rows: where the code of units lies, and who works on it.

A store has these verbs as ``store.projects``. What a project is set to is opaque here. A change
names the version it was made of: of two changes of one version the second finds nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from interlock.store.people import Act


class ProjectRow(NamedTuple):
    """A project; ``settings`` is text."""

    id: str
    name: str
    repository: str
    base_branch: str
    settings: str
    version: int
    created_by: str
    created_at: int
    changed_at: int
    archived_at: int | None = None


class Projects(Protocol):
    """The projects of a database, tenant by tenant."""

    async def add(self, tenant: str, row: ProjectRow, act: Act) -> None:
        """Keep a project."""

    async def find(self, tenant: str, name: str) -> ProjectRow | None:
        """Read a project."""

    async def all(self, tenant: str) -> Sequence[ProjectRow]:
        """List the projects of a tenant, the oldest first."""

    async def change(self, tenant: str, row: ProjectRow, seen: int, act: Act) -> bool:
        """Write a project anew, if it is still at the version that was seen; say whether."""
