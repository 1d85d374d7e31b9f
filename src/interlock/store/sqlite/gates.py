"""Gates on a SQLite file: what is read of them. Commands write them, in ``write``."""

from typing import Any

from interlock.store.gates import GateRow, WhichGates
from interlock.store.script import GateAt
from interlock.store.sqlite.session import Reading, Row, Session, Values


class SqliteGates:
    """The gates of one file."""

    def __init__(self, read: Reading) -> None:
        """Read through the store."""
        self._read = read

    async def find(self, tenant: str, unit: str, name: str) -> GateRow | None:
        """Read a gate of a unit by its id."""
        values: Values = {"unit": unit, "id": name}
        row = await self._read(tenant, lambda s: s.row("find_gate", values))
        return None if row is None else _made(row)

    async def of_unit(self, tenant: str, unit: str) -> tuple[GateRow, ...]:
        """List the gates of a unit, by part and age."""
        return await self._read(
            tenant, lambda s: tuple(map(_made, s.rows("unit_gates", {"unit": unit})))
        )

    async def page(
        self, tenant: str, which: WhichGates, after: tuple[int, str] | None, limit: int
    ) -> tuple[GateRow, ...]:
        """List open gates, the oldest first, or decided ones, the last first."""
        at, name = after or (None, "")
        values: Values = {"unit": which.unit, "workflow": which.workflow}
        values |= {"at": at, "after": name, "limit": limit}
        said = "list_open_gates" if which.is_open else "list_decided_gates"
        return await self._read(tenant, lambda s: tuple(map(_made, s.rows(said, values))))


def find_gate(session: Session, ask: GateAt) -> GateRow | None:
    """Answer a script: the gate with an id, else the last one of a part."""
    if ask.name:
        row = session.row("find_gate", {"unit": ask.unit, "id": ask.name})
    else:
        row = session.row("last_gate", {"unit": ask.unit, "part": ask.part})
    return None if row is None else _made(row)


def _made(row: Row) -> GateRow:
    made: Any = GateRow
    found: GateRow = made(*row)  # a STRICT table has the types the shape says
    return found
