"""Projects on PostgreSQL: one trip for each verb."""

from interlock.store.people import Act
from interlock.store.postgres.trips import Trips
from interlock.store.projects import ProjectRow


class PostgresProjects:
    """The projects of one database."""

    def __init__(self, trips: Trips) -> None:
        """Go by the trips of a store."""
        self._trips = trips

    async def add(self, tenant: str, row: ProjectRow, act: Act) -> None:
        """Keep a project."""
        await self._trips.write("call_add_project", tenant, *row, act)

    async def find(self, tenant: str, name: str) -> ProjectRow | None:
        """Read a project."""
        rows = await self._trips.read("call_projects", tenant, name)
        return ProjectRow(*rows[0]) if rows else None

    async def all(self, tenant: str) -> tuple[ProjectRow, ...]:
        """List the projects of a tenant, the oldest first."""
        rows = await self._trips.read("call_projects", tenant, None)
        return tuple(ProjectRow(*row) for row in rows)

    async def change(self, tenant: str, row: ProjectRow, seen: int, act: Act) -> bool:
        """Write a project anew, if it is still at the version that was seen; say whether."""
        told = (row.id, row.name, row.repository, row.base_branch, row.settings)
        more = (row.version, row.changed_at, row.archived_at)
        ((is_done,),) = await self._trips.write(
            "call_change_project", tenant, *told, *more, seen, act
        )
        return bool(is_done)
