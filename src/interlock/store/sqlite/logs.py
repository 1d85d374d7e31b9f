"""Logs on a SQLite file."""

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from interlock.store.logs import Line, LogRow, WhichLines
from interlock.store.sqlite.session import Reading, Session, Values
from interlock.store.sqlite.writer import Writer

T = TypeVar("T")


class SqliteLogs:
    """The logs of one file."""

    def __init__(self, read: Reading, writer: Writer) -> None:
        """Read through one, write through the other."""
        self._read = read
        self._writer = writer

    async def append(
        self, tenant: str, unit: str, part: int, member: str, lines: Sequence[Line], most: int
    ) -> int:
        """Keep lines of a part; of the unit no more than ``most`` stay. Return the last number."""

        def play(writer: Writer) -> int:
            # Whoever watches a unit is told that there is more to read.
            writer.begin_writing(tenant)
            session = Session(writer.connection, tenant)
            known = _last(session, unit, part, len(lines))
            if known and [Line(*row[1:]) for row in known] == list(lines):
                return known[-1][0]
            row = session.row("last_log", {"unit": unit})
            first = 1 if row is None else cast("int", row[0]) + 1
            for number, line in enumerate(lines, first):
                values: Values = {**line._asdict(), "unit": unit, "part": part, "member": member}
                session.write("insert_log", values | {"number": number})
            last = first + len(lines) - 1
            session.write("prune_logs", {"unit": unit, "first": last - most})
            return last

        return cast("int", await self._writer.call(play))

    async def read(
        self, tenant: str, unit: str, which: WhichLines, limit: int
    ) -> tuple[LogRow, ...]:
        """List lines in their order."""
        values: Values = {**which._asdict(), "unit": unit, "limit": limit}
        make = cast("Callable[..., LogRow]", LogRow)
        return await self._read(
            tenant, lambda s: tuple(make(*row) for row in s.rows("list_logs", values))
        )


def _last(session: Session, unit: str, part: int, count: int) -> list[tuple[int, int, str, str]]:
    """Return number, time, stream and text of the last lines of a part, if there are as many."""
    values: Values = {"unit": unit, "part": part, "limit": count}
    rows = [cast("tuple[int, int, str, str]", row) for row in session.rows("last_lines", values)]
    return rows[::-1] if len(rows) == count else []
