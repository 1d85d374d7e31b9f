"""Heads as rows: where the audit of each unit ends, and where a database came from.

Both are what a checkpoint outside of the database is made of; a store has these verbs itself.
"""

from typing import NamedTuple, Protocol


class HeadRow(NamedTuple):
    """Where the audit of a unit ends: how many entries it has, and the hash of the last."""

    unit: str
    sequence: int
    hash: str


class RestoreRow(NamedTuple):
    """A restore: the incarnation it began, and of which one the backup was taken, and when."""

    name: str
    former: str
    taken_at: int
    restored_at: int
    digest: str


class Heads(Protocol):
    """What is asked of a database for a checkpoint."""

    async def heads(self, tenant: str, after: str, limit: int) -> tuple[HeadRow, ...]:
        """List heads in the order of their units, from behind one on; of deleted units, too."""

    async def restores(self) -> tuple[RestoreRow, ...]:
        """List the restores of this database, the oldest first."""
