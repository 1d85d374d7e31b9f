"""Projects on a SQLite file."""

from collections.abc import Callable
from typing import TypeVar, cast

from interlock.store.people import Act
from interlock.store.projects import ProjectRow
from interlock.store.sqlite.session import Reading, Session, Values
from interlock.store.sqlite.writer import Writer

T = TypeVar("T")


class SqliteProjects:
    """The projects of one file."""

    def __init__(self, read: Reading, writer: Writer) -> None:
        """Read through one, write through the other."""
        self._read = read
        self._writer = writer

    async def _write(self, tenant: str, play: Callable[[Session], T]) -> T:
        def run(writer: Writer) -> T:
            writer.begin_writing(tenant)
            return play(Session(writer.connection, tenant))

        return cast("T", await self._writer.call(run))

    async def add(self, tenant: str, row: ProjectRow, act: Act) -> None:
        """Keep a project."""

        def play(session: Session) -> None:
            session.write("insert_project", row._asdict())
            session.write("insert_act", {**act._asdict(), "at": row.created_at})

        await self._write(tenant, play)

    async def find(self, tenant: str, name: str) -> ProjectRow | None:
        """Read a project."""
        row = await self._read(tenant, lambda s: s.row("load_project", {"id": name}))
        return None if row is None else _made(row)

    async def all(self, tenant: str) -> tuple[ProjectRow, ...]:
        """List the projects of a tenant, the oldest first."""
        return await self._read(
            tenant, lambda s: tuple(_made(row) for row in s.rows("list_projects", {}))
        )

    async def change(self, tenant: str, row: ProjectRow, seen: int, act: Act) -> bool:
        """Write a project anew, if it is still at the version that was seen; say whether."""

        def play(session: Session) -> bool:
            values: Values = {**row._asdict(), "seen": seen}
            is_done = session.change("change_project", values) > 0
            if is_done:
                session.write("insert_act", {**act._asdict(), "at": row.changed_at})
            return is_done

        return await self._write(tenant, play)


def _made(row: tuple[object, ...]) -> ProjectRow:
    """Make a project of a row; a STRICT table has the types that it says."""
    return cast("Callable[..., ProjectRow]", ProjectRow)(*row)
