"""Hooks, deliveries and the key of links on a SQLite file."""

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from interlock.store.hooks import (
    DeliveryRow,
    DueDelivery,
    Ended,
    HookRow,
    NewDelivery,
    WhichDeliveries,
)
from interlock.store.people import Act
from interlock.store.sqlite.session import Reading, Row, Session, Values
from interlock.store.sqlite.writer import Writer

T = TypeVar("T")
NOBODY = ""
"""Whom the bell is rung for when something was sent: nobody waits for that."""


class SqliteHooks:
    """The hooks of one file."""

    def __init__(self, read: Reading, writer: Writer) -> None:
        """Read through one, write through the other."""
        self._read = read
        self._writer = writer

    async def _write(self, tenant: str, play: Callable[[Session], T]) -> T:
        def run(writer: Writer) -> T:
            writer.begin_writing(NOBODY)
            return play(Session(writer.connection, tenant))

        return cast("T", await self._writer.call(run))

    async def link_key(
        self, tenant: str, fresh: str, at: int, *, is_other: bool = False, act: Act | None = None
    ) -> str:
        """Return the key of a tenant's links: ``fresh`` if there is none, or it is another now."""

        def play(session: Session) -> str:
            session.write("insert_link_key", {"secret": fresh, "at": at})
            if is_other:
                session.write("replace_link_key", {"secret": fresh, "at": at})
                _note(session, at, act)
            row = session.row("load_link_key", {})
            return "" if row is None else str(row[0])

        found = await self._read(tenant, lambda s: s.row("load_link_key", {}))
        if not fresh or (found is not None and not is_other):
            return "" if found is None else str(found[0])
        return await self._write(tenant, play)

    # -- hooks ---------------------------------------------------------------------------------

    async def add(self, tenant: str, row: HookRow, secret: str, act: Act) -> None:
        """Keep a hook, which is told what happens from now on."""
        values: Values = {"id": row.id, "url": row.url, "secret": secret, "events": row.events}
        values |= {"workflow": row.workflow, "created_by": row.created_by}
        values["created_at"] = row.created_at

        def play(session: Session) -> None:
            session.write("insert_hook", values)
            _note(session, row.created_at, act)

        await self._write(tenant, play)

    async def find(self, tenant: str, name: str) -> HookRow | None:
        """Read a hook."""
        row = await self._read(tenant, lambda s: s.row("load_hook", {"id": name}))
        return None if row is None else _made(HookRow, row)

    async def all(self, tenant: str) -> tuple[HookRow, ...]:
        """List the hooks of a tenant, the oldest first."""
        return await self._list(tenant, HookRow, "list_hooks", {})

    async def secret(self, tenant: str, name: str) -> str | None:
        """Return what a hook's deliveries are signed with."""
        row = await self._read(tenant, lambda s: s.row("hook_secret", {"id": name}))
        return None if row is None else str(row[0])

    async def switch(
        self, tenant: str, name: str, off_at: int | None, why: str, at: int, act: Act
    ) -> bool:
        """Switch a hook off at an instant, or on; say whether there is one."""

        def play(session: Session) -> bool:
            values: Values = {"id": name, "off_at": off_at, "why": why}
            is_done = session.change("switch_hook", values) > 0
            _note(session, at, act if is_done else None)
            return is_done

        return await self._write(tenant, play)

    async def remove(self, tenant: str, name: str, at: int, act: Act) -> bool:
        """Take a hook away with its deliveries; say whether there was one."""

        def play(session: Session) -> bool:
            session.write("remove_deliveries", {"hook": name})
            is_done = session.change("remove_hook", {"id": name}) > 0
            _note(session, at, act if is_done else None)
            return is_done

        return await self._write(tenant, play)

    async def on(self) -> tuple[DueDelivery, ...]:
        """Say which hooks of any tenant are on."""
        return await self._list("", DueDelivery, "hooks_on", {})

    # -- deliveries ----------------------------------------------------------------------------

    async def add_deliveries(
        self, tenant: str, hook: HookRow, position: str, at: int, made: Sequence[NewDelivery]
    ) -> bool:
        """Write down what is to be sent, and go on to a position, unless somebody else has."""

        def play(session: Session) -> bool:
            moved: Values = {"id": hook.id, "before": hook.position, "after": position}
            if not session.change("move_hook", moved):
                return False
            for one in made:
                session.write("insert_delivery", {**one._asdict(), "hook": hook.id, "at": at})
            return True

        return await self._write(tenant, play)

    async def due(self, limit: int) -> tuple[DueDelivery, ...]:
        """Find deliveries of any tenant that are due."""
        values: Values = {"now": self._writer.now(), "limit": limit}
        return await self._list("", DueDelivery, "due_deliveries", values)

    async def take(self, due: DueDelivery, lease_ms: int) -> int | None:
        """Take a delivery for a while; return the attempt, None where somebody else has it."""
        now = self._writer.now()
        values: Values = {"id": due.id, "due": now + lease_ms, "now": now}
        row = await self._write(due.tenant, lambda s: s.row("take_delivery", values))
        return None if row is None else cast("int", row[0])

    async def end(self, due: DueDelivery, attempt: int, ended: Ended) -> bool:
        """Write down how an attempt has ended, if it is still the caller's."""

        def play(session: Session) -> bool:
            values: Values = {"id": due.id, "attempt": attempt, **ended._asdict()}
            row = session.row("end_delivery", {**values, "due": ended.at + ended.delay_ms})
            if row is None:
                return False
            about: Values = {"id": row[0], "at": ended.at}
            if ended.status == "delivered":
                session.write("mend_hook", about)
                return True
            session.write("fail_hook", about)
            stop: Values = {**about, "off_before": ended.off_before, "why": ended.why}
            session.write("stop_hook", stop)
            return True

        return await self._write(due.tenant, play)

    async def replay(self, tenant: str, name: str) -> bool:
        """Have a delivery sent again; say whether there is one."""
        values: Values = {"id": name, "due": self._writer.now()}
        return await self._write(tenant, lambda s: s.change("replay_delivery", values) > 0)

    async def deliveries(
        self, tenant: str, which: WhichDeliveries, before: tuple[int, str] | None, limit: int
    ) -> tuple[DeliveryRow, ...]:
        """List deliveries, the newest first."""
        at, name = before or (None, "")
        values: Values = {**which._asdict(), "at": at, "before": name, "limit": limit}
        return await self._list(tenant, DeliveryRow, "list_deliveries", values)

    async def _list(
        self, tenant: str, shape: Callable[..., T], name: str, values: Values
    ) -> tuple[T, ...]:
        def look(session: Session) -> tuple[T, ...]:
            return tuple(_made(shape, row) for row in session.rows(name, values))

        return await self._read(tenant, look)


def _note(session: Session, at: int, act: Act | None) -> None:
    if act is not None:
        session.write("insert_act", {**act._asdict(), "at": at})


def _made(shape: Callable[..., T], row: Row) -> T:
    """Make a row of the shape; a STRICT table has the types that the shape says."""
    return shape(*row)
