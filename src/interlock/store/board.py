"""Boards: what is kept of a unit to find and show it there, and what a store must do for one.

What waits to be done, and who does what, is listed here, too.

A store has these verbs as ``store.board``. A card is written in the commit that makes a unit or
changes what the card says; a unit from before there were cards has none until it is looked for.
Which lane a unit stands in is not known here: whoever asks says which groups they want.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from interlock.store.rows import Fields, Tally


class Card(NamedTuple):
    """What a unit is called, the same as it is looked for, and since when it is held, if it is."""

    name: str
    sought: str
    held_at: int | None = None


class Wanted(NamedTuple):
    """Which units a board has; empty means any. ``sought`` is a part of a card's text."""

    sought: str = ""
    tag: str = ""


class Group(NamedTuple):
    """Units of one workflow in one status; asked are those with an open gate, or held."""

    workflow: str
    status: str
    is_asked: bool

    @property
    def key(self) -> str:
        """The group as one word for a statement; no name has a blank in it."""
        return f"{self.workflow} {self.status} {int(self.is_asked)}"


class Tile(NamedTuple):
    """A unit on a board. ``fields`` are there only where it has no card, so no ``name``."""

    id: str
    workflow: str
    status: str
    changed_at: int
    tally: Tally
    tags: tuple[str, ...]
    gates: int
    gate_since: int | None
    name: str | None
    held_at: int | None
    fields: Fields | None
    # When its timer runs out, if it has one.
    due: int | None = None


class Bare(NamedTuple):
    """A unit that has no card yet."""

    unit: str
    workflow: str
    fields: Fields


class Queue(NamedTuple):
    """How many parts of a kind can be handed out."""

    workflow: str
    kind: str
    waiting: int


class Asking(NamedTuple):
    """How many gates of a workflow are open, and since when the first of them is."""

    workflow: str
    open: int
    since: int


class Vitals(NamedTuple):
    """How a tenant is doing, in numbers. Overdue are leases that ran out and were not taken."""

    queues: tuple[Queue, ...]
    gates: tuple[Asking, ...]
    held: int
    overdue: int


class Work(NamedTuple):
    """A part that can be handed out, or that somebody holds until an instant."""

    since: int
    unit: str
    workflow: str
    number: int
    kind: str
    status: str
    role: str | None
    member: str | None
    site: str | None
    holder: str | None
    due: int | None


class WhichWork(NamedTuple):
    """Which work is meant; empty means any."""

    unit: str = ""
    workflow: str = ""
    kind: str = ""
    role: str = ""
    member: str = ""
    tag: str = ""
    site: str = ""


class Board(Protocol):
    """The boards of a database; every verb concerns one tenant and sees no other."""

    async def counts(self, tenant: str, wanted: Wanted) -> Mapping[Group, int]:
        """Count the units of each group."""

    async def tiles(
        self,
        tenant: str,
        wanted: Wanted,
        groups: Sequence[Group],
        before: tuple[int, str] | None,
        limit: int,
    ) -> tuple[Tile, ...]:
        """List units of these groups, the last changed first, from a place in that order on."""

    async def bare(self, tenant: str, limit: int) -> tuple[Bare, ...]:
        """List units that have no card."""

    async def vitals(self, tenant: str) -> Vitals:
        """Count what waits for agents and for people, and what is held."""

    async def work(
        self, tenant: str, which: WhichWork, after: tuple[int, str, int] | None, limit: int
    ) -> tuple[Work, ...]:
        """List what is offered or held, of the oldest unit first, from a place in that order on.

        ``since`` is when the unit was made: the place is it, the unit, and the part's number.
        """

    async def fill(self, tenant: str, cards: Mapping[str, Card]) -> None:
        """Give units their cards that have none."""
