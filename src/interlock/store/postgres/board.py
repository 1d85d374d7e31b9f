"""Boards on PostgreSQL, one trip each. Commands write cards, in ``write``; here missing ones."""

from collections.abc import Mapping, Sequence
from typing import Final

from interlock.store.board import (
    Asking,
    Bare,
    Card,
    Group,
    Queue,
    Tile,
    Vitals,
    Wanted,
    WhichWork,
    Work,
)
from interlock.store.postgres.trips import Row, Trips
from interlock.store.rows import told_fields, told_tally

LAST: Final = (2**63 - 1, "")
"""Later than any instant: where a board begins."""


class PostgresBoard:
    """The boards of one database."""

    def __init__(self, trips: Trips) -> None:
        """Go by the trips of a store."""
        self._trips = trips

    async def counts(self, tenant: str, wanted: Wanted) -> Mapping[Group, int]:
        """Count the units of each group."""
        rows = await self._trips.read("call_count_groups", tenant, *wanted)
        return {Group(*group): amount for *group, amount in rows}

    async def tiles(
        self,
        tenant: str,
        wanted: Wanted,
        groups: Sequence[Group],
        before: tuple[int, str] | None,
        limit: int,
    ) -> tuple[Tile, ...]:
        """List units of these groups, the last changed first."""
        keys = [one.key for one in groups]
        place = before or LAST
        rows = await self._trips.read("call_tiles", tenant, *wanted, keys, *place, limit)
        return tuple(map(_tile, rows))

    async def bare(self, tenant: str, limit: int) -> tuple[Bare, ...]:
        """List units that have no card."""
        rows = await self._trips.read("call_bare_units", tenant, limit)
        return tuple(Bare(unit, workflow, told_fields(fields)) for unit, workflow, fields in rows)

    async def vitals(self, tenant: str) -> Vitals:
        """Count what waits for agents and for people, and what is held."""
        rows = sorted(await self._trips.read("call_vitals", tenant), key=lambda row: row[:3])
        queues = tuple(Queue(*row[1:4]) for row in rows if row[0] == "queue")
        gates = tuple(Asking(row[1], row[3], row[4]) for row in rows if row[0] == "gates")
        (leases,) = (row[3:] for row in rows if row[0] == "leases")
        return Vitals(queues, gates, *leases)

    async def work(
        self, tenant: str, which: WhichWork, after: tuple[int, str, int] | None, limit: int
    ) -> tuple[Work, ...]:
        """List what is offered or held, of the oldest unit first."""
        place = after or (0, "", 0)
        rows = await self._trips.read("call_work", tenant, *which, *place, limit)
        return tuple(Work(*row) for row in rows)

    async def fill(self, tenant: str, cards: Mapping[str, Card]) -> None:
        """Give units their cards that have none."""
        columns = [[card[place] for card in cards.values()] for place in range(len(Card._fields))]
        await self._trips.write("call_fill_cards", tenant, list(cards), *columns)


def _tile(row: Row) -> Tile:
    name, workflow, status, changed_at, tally, tags, gates, since, called, *rest = row
    held_at, fields, due = rest
    return Tile(
        name, workflow, status, changed_at, told_tally(tally), tuple(tags), gates, since, called,
        held_at, None if fields is None else told_fields(fields), due,
    )  # fmt: skip
