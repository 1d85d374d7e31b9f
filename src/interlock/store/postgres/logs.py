"""Logs on PostgreSQL: one trip for each verb."""

from collections.abc import Sequence

from interlock.store.logs import Line, LogRow, WhichLines
from interlock.store.postgres.trips import Trips


class PostgresLogs:
    """The logs of one database."""

    def __init__(self, trips: Trips) -> None:
        """Go by the trips of a store."""
        self._trips = trips

    async def append(
        self, tenant: str, unit: str, part: int, member: str, lines: Sequence[Line], most: int
    ) -> int:
        """Keep lines of a part; of the unit no more than ``most`` stay. Return the last number."""
        columns = tuple(zip(*lines, strict=True)) or ((), (), ())
        told = (tenant, unit, part, member, *columns, most)
        ((last,),) = await self._trips.write("call_append_logs", *told)
        return int(last)

    async def read(
        self, tenant: str, unit: str, which: WhichLines, limit: int
    ) -> tuple[LogRow, ...]:
        """List lines in their order."""
        rows = await self._trips.read("call_logs", tenant, unit, *which, limit)
        return tuple(LogRow(*row) for row in rows)
