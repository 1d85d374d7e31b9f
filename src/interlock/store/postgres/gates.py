"""Gates on PostgreSQL: what is read of them, one trip each. Commands write them, in ``write``."""

from interlock.store.gates import GateRow, WhichGates
from interlock.store.postgres.trips import Trips

NOWHERE = (None, "")


class PostgresGates:
    """The gates of one database."""

    def __init__(self, trips: Trips) -> None:
        """Go by the trips of a store."""
        self._trips = trips

    async def find(self, tenant: str, unit: str, name: str) -> GateRow | None:
        """Read a gate of a unit by its id."""
        rows = await self._trips.read("call_unit_gates", tenant, unit, name)
        return GateRow(*rows[0]) if rows else None

    async def of_unit(self, tenant: str, unit: str) -> tuple[GateRow, ...]:
        """List the gates of a unit, by part and age."""
        rows = await self._trips.read("call_unit_gates", tenant, unit, None)
        return tuple(GateRow(*row) for row in rows)

    async def page(
        self, tenant: str, which: WhichGates, after: tuple[int, str] | None, limit: int
    ) -> tuple[GateRow, ...]:
        """List open gates, the oldest first, or decided ones, the last first."""
        rows = await self._trips.read("call_gates", tenant, *which, *(after or NOWHERE), limit)
        return tuple(GateRow(*row) for row in rows)
