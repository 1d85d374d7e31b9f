"""How a database stands, whatever its age: what is told of it without opening a store."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

COUNTED: Final = ("tenants", "units", "parts", "audit")
"""Tables whose rows are counted over all tenants."""


@dataclass(frozen=True, slots=True)
class Status:
    """A database as it stands. ``pending`` are the numbers of migrations that it lacks."""

    dialect: str
    version: str
    schema: int
    pending: tuple[int, ...]
    incarnation: str
    durability: str
    bytes: int
    counts: Mapping[str, int]
    leases: int
    facts: Mapping[str, str]
    # The last restore: when it was, and of when the backup is; nothing where there was none.
    restored_at: int = 0
    taken_at: int = 0
