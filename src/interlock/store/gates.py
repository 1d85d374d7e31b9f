"""Gates as rows: what waits for a decision, who has decided what, and what a store must do.

A store has these verbs as ``store.gates``. Rows are written by commands like everything else (see
``script``): a gate is opened in the commit that enters its status and closed in the one that
leaves it. Part 0 is the unit.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

WITHDRAWN: Final = "withdrawn"
"""What stands for the decision where something else has ended a gate."""


class Opened(NamedTuple):
    """A gate that opens with a change."""

    id: str
    part: int
    kind: str
    status: str
    digest: str
    policy: str
    title: str
    opened_at: int
    opened_kind: str
    opened_by: str
    opened_for: str
    opened_sequence: int


class Closed(NamedTuple):
    """How the open gate of a part is closed with a change."""

    part: int
    decision: str
    event: str
    decided_at: int
    decided_kind: str
    decided_by: str
    decided_for: str
    channel: str
    decided_sequence: int


class GateRow(NamedTuple):
    """A gate as it is kept; without a decision it is open."""

    id: str
    unit: str
    part: int
    workflow: str
    kind: str
    status: str
    digest: str
    policy: str
    title: str
    opened_at: int
    opened_kind: str
    opened_by: str
    opened_for: str
    opened_sequence: int
    decision: str | None
    event: str
    decided_at: int | None
    decided_kind: str
    decided_by: str
    decided_for: str
    channel: str
    decided_sequence: int | None

    @property
    def is_open(self) -> bool:
        """Whether it waits for a decision."""
        return self.decided_at is None


class WhichGates(NamedTuple):
    """Which gates a list has; empty means any."""

    is_open: bool = True
    unit: str = ""
    workflow: str = ""


class Gates(Protocol):
    """The gates of a database; every verb concerns one tenant and sees no other."""

    async def find(self, tenant: str, unit: str, name: str) -> GateRow | None:
        """Read a gate of a unit by its id."""

    async def of_unit(self, tenant: str, unit: str) -> Sequence[GateRow]:
        """List the gates of a unit, by part and age."""

    async def page(
        self, tenant: str, which: WhichGates, after: tuple[int, str] | None, limit: int
    ) -> Sequence[GateRow]:
        """List open gates, the oldest first, or decided ones, the last first, from a place on."""
